import Foundation
import SQLiteCore
import Testing

@Suite struct `Values` {
  static let values: [SQLiteValue] = [
    .null, .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min), .real(0.5),
    .real(-0.1), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude),
    .real(.infinity), .real(-.infinity), .text(""), .text("a"), .text("\0"), .text("a\0b\0"),
    .text("'; DROP TABLE t; --"), .text("é"), .text("e\u{301}"), .text("👩‍👩‍👧"), .blob([]),
    .blob([0]), .blob([UInt8](0...255)),
  ]

  @Test(arguments: values)
  func `are read back unchanged`(_ value: SQLiteValue) throws {
    let db = try memory("CREATE TABLE t (v ANY) STRICT")
    try db.run("INSERT INTO t VALUES (?)", value)
    #expect(try db.rows("SELECT v, typeof(v) FROM t") == [[value, typeName(value)]])
    #expect(try db.value(SQLiteValue.self, "SELECT ?", value) == value)
  }

  @Test(arguments: values)
  func `are described as a literal that SQL reads as the same value`(_ value: SQLiteValue) throws {
    let db = try memory()
    #expect(try db.value(SQLiteValue.self, "SELECT \(unsafe: value.description)") == value)
  }

  @Test func `that are NaN are stored as NULL`() throws {
    let db = try memory()
    #expect(try db.value(SQLiteValue.self, "SELECT ?", Double.nan) == .null)
    #expect(try db.value(Double?.self, "SELECT ?", Double.signalingNaN) == .some(nil))
    #expect(SQLiteValue.real(.nan).description == "NULL")
  }

  @Test func `distinguish an empty text and an empty blob from NULL`() throws {
    let db = try memory()
    let rows = try db.rows(
      "SELECT typeof(?1), typeof(?2), typeof(?3), length(?1), length(?2)",
      values: ["", [UInt8](), String?.none])
    #expect(rows == [["text", "blob", "null", 0, 0]])
  }

  @Test func `of many megabytes are read back unchanged`() throws {
    let db = try memory("CREATE TABLE t (b, s)")
    var bytes = [UInt8](0...250)
    while bytes.count < 8_000_000 { bytes += bytes }
    let text = String(repeating: "0123456789é", count: 500_000)
    try db.run("INSERT INTO t VALUES (?, ?)", bytes, text)
    #expect(try db.value([UInt8].self, "SELECT b FROM t") == bytes)
    #expect(try db.value(String.self, "SELECT s FROM t") == text)
  }

  @Test func `that exceed SQLite's limit are rejected`() throws {
    let db = try memory("CREATE TABLE t (b)")
    let error = #expect(throws: SQLiteError.self) {
      try db.value([UInt8].self, "SELECT zeroblob(2000000000)")
    }
    #expect(error?.code == .tooBig)
  }

  @Test func `are equal if their storage classes and bytes are equal`() {
    #expect(SQLiteValue.integer(1) != .real(1))
    #expect(SQLiteValue.text("a") != .blob([97]))
    #expect(SQLiteValue.text("\u{e9}") != .text("e\u{301}"))
    #expect(SQLiteValue.real(0) != .real(-0.0))
    #expect(SQLiteValue.real(.nan) == .real(.nan))
    #expect(Set<SQLiteValue>(["\u{e9}", "e\u{301}", 1, 1.0, nil, nil]).count == 5)
  }

  @Test func `are written as literals`() {
    let values: [SQLiteValue] = [1, 2.5, "text", nil]
    #expect(values == [.integer(1), .real(2.5), .text("text"), .null])
    #expect(values.map(\.storageClass) == [.integer, .real, .text, .null])
    #expect(values.map(\.isNull) == [false, false, false, true])
  }

  private func typeName(_ value: SQLiteValue) -> SQLiteValue {
    .text(value.storageClass.rawValue.lowercased())
  }
}

@Suite struct `Swift types` {
  /// Stores a value, and reads it back as the same type and as SQLite's value.
  private func roundTrip<T: SQLiteConvertible & Equatable & Sendable>(
    _ value: T, storedAs stored: SQLiteValue
  ) throws {
    let db = try memory("CREATE TABLE t (v ANY) STRICT")
    try db.run("INSERT INTO t VALUES (?)", value)
    #expect(try db.value(T.self, "SELECT v FROM t") == value)
    #expect(try db.value(SQLiteValue.self, "SELECT v FROM t") == stored)
    #expect(try db.value(T?.self, "SELECT v FROM t") == .some(.some(value)))
    try db.run("UPDATE t SET v = ?", T?.none)
    #expect(try db.value(T?.self, "SELECT v FROM t") == .some(nil))
  }

  private func extremes<T: FixedWidthInteger & SQLiteConvertible & Sendable>(_: T.Type) throws {
    for value in [T.min, 0, 1, T.max] where Int64(exactly: value) != nil {
      try roundTrip(value, storedAs: .integer(Int64(value)))
    }
  }

  @Test func `of every integer width preserve their minimum and maximum`() throws {
    try extremes(Int.self)
    try extremes(Int8.self)
    try extremes(Int16.self)
    try extremes(Int32.self)
    try extremes(Int64.self)
    try extremes(UInt.self)
    try extremes(UInt8.self)
    try extremes(UInt16.self)
    try extremes(UInt32.self)
    try extremes(UInt64.self)
    try roundTrip(UInt64(Int64.max), storedAs: .integer(.max))
  }

  @Test func `of every other kind are read back unchanged`() throws {
    try roundTrip(true, storedAs: 1)
    try roundTrip(false, storedAs: 0)
    try roundTrip(0.1, storedAs: 0.1)
    try roundTrip(Float(0.1), storedAs: .real(Double(Float(0.1))))
    try roundTrip(Float.infinity, storedAs: .real(.infinity))
    try roundTrip("a\0é", storedAs: "a\0é")
    try roundTrip([UInt8]([0, 255]), storedAs: .blob([0, 255]))
    try roundTrip(Data([1, 2]), storedAs: .blob([1, 2]))
    try roundTrip(Data(), storedAs: .blob([]))
    let uuid = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
    try roundTrip(uuid, storedAs: "01234567-89AB-CDEF-0123-456789ABCDEF")
    try roundTrip(Status.open, storedAs: "open")
    try roundTrip(Level(rawValue: 3), storedAs: 3)
  }

  @Test func `that exceed SQLite's integers are rejected without showing the value`() throws {
    let db = try memory("CREATE TABLE t (v)")
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO t VALUES (?)", UInt64(Int64.max) + 1)
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.sql == "INSERT INTO t VALUES (?)")
    #expect(error?.description.contains("9223372036854775808") == false)
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test func `read UUIDs from sixteen bytes and from text`() throws {
    let db = try memory()
    let uuid = UUID()
    let raw = bytes(of: uuid)
    #expect(try db.value(UUID.self, "SELECT ?", raw) == uuid)
    #expect(try db.value(UUID.self, "SELECT ?", uuid.uuidString.lowercased()) == uuid)
  }

  @Test func `read Booleans as SQL does`() throws {
    let db = try memory()
    #expect(try db.value(Bool.self, "SELECT 2") == true)
    #expect(try db.value(Bool.self, "SELECT 1 < 0") == false)
  }

  @Test func `bind a substring`() throws {
    let db = try memory()
    #expect(try db.value(String.self, "SELECT ?", "a,b".split(separator: ",")[1]) == "b")
  }

  private func bytes(of uuid: UUID) -> [UInt8] {
    let u = uuid.uuid
    return [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
  }

  enum Status: String, SQLiteConvertible { case open, closed }

  struct Level: RawRepresentable, Equatable, Sendable, SQLiteConvertible {
    let rawValue: Int
  }
}
