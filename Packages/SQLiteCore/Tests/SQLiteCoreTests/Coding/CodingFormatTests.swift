import Foundation
import SQLiteCore
import Testing

/// Properties with a storage format, in types that are only `Codable`.
@Suite struct `A property with a format` {
  struct Visit: Codable, Equatable {
    @ISO8601Date var booked: Date
    @UnixDate var began: Date
    @UnixMillisecondsDate var paused: Date
    @JulianDate var ended: Date?
    @UUIDBlob var visitor: UUID
    @LowercaseUUID var host: UUID?
    @BitPattern var badge: UInt64
    @BigEndianBlob var number: UInt64?
    var note: String?
  }

  static let date = Date(timeIntervalSince1970: 1_795_271_849.125)
  static let uuid = UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")!
  static let full = Visit(
    booked: date, began: date, paused: date, ended: date, visitor: uuid, host: uuid, badge: .max,
    number: .max, note: "a")
  static let scarce = Visit(
    booked: date, began: date, paused: date, ended: nil, visitor: uuid, host: nil, badge: 1,
    number: nil, note: nil)

  static let schema = """
    CREATE TABLE visit (booked TEXT, began REAL, paused INTEGER, ended REAL, visitor BLOB, host TEXT,
      badge INTEGER, number BLOB, note TEXT) STRICT
    """

  @Test func `is encoded to its column in that format`() throws {
    let bytes = SQLiteValue.blob((0...15).reversed())
    #expect(
      try RowEncoder().encode(Self.full).map(\.value) == [
        "2026-11-21 14:37:29.125", 1_795_271_849.125, 1_795_271_849_125,
        2_461_366.109364873, bytes, .text(Self.uuid.uuidString.lowercased()), -1,
        .blob([UInt8](repeating: 255, count: 8)), "a",
      ])
    #expect(
      try RowEncoder().encode(Self.scarce).map(\.value) == [
        "2026-11-21 14:37:29.125", 1_795_271_849.125, 1_795_271_849_125, nil, bytes, nil, 1, nil,
        nil,
      ])
  }

  @Test func `is decoded from its column with any strategy for other dates`() throws {
    var encoder = RowEncoder()
    var decoder = RowDecoder()
    for isStrange in [false, true] {
      if isStrange {
        encoder.dateEncodingStrategy = .custom { _ in 0 }
        decoder.dateDecodingStrategy = .custom { _ in .distantPast }
      }
      let db = try memory(SQL(unsafe: Self.schema))
      try db.insert(encodingEach: [Self.full, Self.scarce], into: "visit", with: encoder)
      let read = try db.fetchAll(
        decoding: Visit.self, with: decoder, "SELECT * FROM visit ORDER BY note DESC")
      #expect(read == [Self.full, Self.scarce])
      let update = try db.prepare("UPDATE visit SET began = :began, host = :host")
      try update.bindAll(encoding: Self.full, with: encoder)
      try update.run()
      let hosts = try db.values(LowercaseUUID<UUID>.self, "SELECT host FROM visit")
      #expect(hosts.map(\.wrappedValue) == [Self.uuid, Self.uuid])
    }
  }

  @Test func `is nil if it is optional and its column is missing`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    try db.insert(encoding: Self.full, into: "visit")
    let read = try db.fetchOne(
      decoding: Visit.self, "SELECT booked, began, paused, visitor, badge FROM visit")
    #expect(read?.ended == nil)
    #expect(read?.booked == Self.date)
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchOne(decoding: Visit.self, "SELECT booked FROM visit")
    }
    #expect(error?.code == .unknownColumn)
    #expect(error?.column?.name == "began")
  }

  @Test func `that does not fit is an error that names its column`() throws {
    let db = try memory("CREATE TABLE visit (booked, began, paused, visitor, badge)")
    try db.insert(
      encoding: ["booked": "2026-11-21", "began": "yesterday"], into: "visit")
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchOne(decoding: Visit.self, "SELECT * FROM visit")
    }
    #expect(error?.code == .columnTypeMismatch)
    #expect(error?.column == .init(name: "began", table: "visit", origin: "began"))
  }
}
