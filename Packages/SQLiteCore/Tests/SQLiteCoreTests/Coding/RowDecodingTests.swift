import Foundation
import SQLiteCore
import Testing

@Suite struct `Decoding rows` {
  struct Everything: Codable, Equatable {
    var bool: Bool
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var float: Float
    var double: Double
    var text: String
    var bytes: [UInt8]
    var data: Data
    var uuid: UUID
  }

  static let everythingSQL = """
    SELECT 1 AS bool, -1 AS int, -128 AS int8, -32768 AS int16, -2147483648 AS int32,
      -9223372036854775808 AS int64, 1 AS uint, 255 AS uint8, 65535 AS uint16,
      4294967295 AS uint32, 9223372036854775807 AS uint64, 0.5 AS float, 3 AS double,
      'a' || char(0) || 'é' AS text, x'00ff' AS bytes, x'' AS data,
      '0F0E0D0C-0B0A-0908-0706-050403020100' AS uuid
    """

  @Test func `reads every primitive type, bytes and identifiers from one column each`() throws {
    let value = try memory().fetchOne(decoding: Everything.self, SQL(unsafe: Self.everythingSQL))
    #expect(
      value
        == Everything(
          bool: true, int: -1, int8: .min, int16: .min, int32: .min, int64: .min, uint: 1,
          uint8: .max, uint16: .max, uint32: .max, uint64: UInt64(Int64.max), float: 0.5, double: 3,
          text: "a\0é", bytes: [0, 255], data: Data(),
          uuid: UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")!))
  }

  struct Optionals: Codable, Equatable {
    var bool: Bool?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var text: String?
    var bytes: [UInt8]?
    var data: Data?
    var uuid: UUID?
  }

  @Test func `reads optional properties that have values`() throws {
    let value = try memory().fetchOne(decoding: Optionals.self, SQL(unsafe: Self.everythingSQL))
    #expect(value?.bool == true)
    #expect(value?.int64 == .min)
    #expect(value?.uint8 == .max)
    #expect(value?.float == 0.5)
    #expect(value?.text == "a\0é")
    #expect(value?.bytes == [0, 255])
    #expect(value?.data == Data())
    #expect(value?.uuid != nil)
  }

  @Test func `reads nil for a NULL and for a missing column`() throws {
    let db = try memory()
    #expect(try db.fetchOne(decoding: Optionals.self, "SELECT 1 AS other") == Optionals())
    let nulls = try db.fetchOne(
      decoding: Optionals.self, "SELECT NULL AS int, NULL AS text, NULL AS bytes, NULL AS uuid")
    #expect(nulls == Optionals())
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let type: String
    let literal: String
    let code: SQLiteError.Code
    let decode: @Sendable (Connection, String) throws -> Void
    var testDescription: String { "\(literal) as \(type)" }

    init<T: Decodable & Sendable>(_ type: T.Type, _ literal: String, _ code: SQLiteError.Code) {
      self.type = "\(type)"
      self.literal = literal
      self.code = code
      decode = { _ = try $0.fetchAll(decoding: One<T>.self, SQL(unsafe: $1)) }
    }
  }

  struct One<Value: Decodable>: Decodable { let content: Value }

  enum Color: String, Codable { case red }
  enum Size: Int, Codable, SQLiteConvertible { case small = 1 }
  struct Point: Codable, Equatable { var x: Int, y: Int }

  static let faults = [
    Fault(Int.self, "'1'", .columnTypeMismatch), Fault(Int.self, "NULL", .unexpectedNull),
    Fault(Int8.self, "128", .valueOutOfRange), Fault(UInt64.self, "-1", .valueOutOfRange),
    Fault(UInt16?.self, "65536", .valueOutOfRange), Fault(Bool.self, "'t'", .columnTypeMismatch),
    Fault(Double.self, "x'00'", .columnTypeMismatch), Fault(Float.self, "NULL", .unexpectedNull),
    Fault(String.self, "5", .columnTypeMismatch), Fault(String?.self, "5", .columnTypeMismatch),
    Fault(String.self, "CAST(x'ff' AS TEXT)", .invalidText),
    Fault([UInt8].self, "'a'", .columnTypeMismatch), Fault([UInt8].self, "NULL", .unexpectedNull),
    Fault(Data.self, "1", .columnTypeMismatch), Fault(UUID.self, "'no'", .invalidText),
    Fault(UUID?.self, "1", .columnTypeMismatch), Fault(Color.self, "'green'", .valueOutOfRange),
    Fault(Color.self, "NULL", .unexpectedNull), Fault(Color.self, "1", .columnTypeMismatch),
    Fault(Size.self, "2", .valueOutOfRange), Fault(Size.self, "'1'", .columnTypeMismatch),
    Fault(Point.self, "'{'", .invalidJSON), Fault(Point.self, "'[1]'", .invalidJSON),
    Fault(Point.self, "NULL", .unexpectedNull), Fault(Point.self, "1", .columnTypeMismatch),
    Fault(Point.self, #"'{"x":1}'"#, .invalidJSON),
    Fault(Point.self, #"'{"x":1,"y":null}'"#, .invalidJSON),
    Fault([Int].self, "'{}'", .invalidJSON), Fault([Int].self, "''", .invalidJSON),
    Fault([Int].self, "'[1,\"a\"]'", .invalidJSON),
  ]

  @Test(arguments: faults)
  func `names table, column and statement of a value that does not fit`(_ fault: Fault) throws {
    let db = try memory("CREATE TABLE shelf (id INTEGER PRIMARY KEY, v ANY) STRICT")
    try db.run("INSERT INTO shelf VALUES (1, \(unsafe: fault.literal))")
    let sql = "SELECT id, v AS content FROM shelf"
    let error = #expect(throws: SQLiteError.self) { try fault.decode(db, sql) }
    #expect(error?.code == fault.code)
    #expect(error?.sql == sql)
    #expect(error?.column == .init(name: "content", table: "shelf", origin: "v"))
  }

  @Test func `names the key, the table and the statement if a column is missing`() throws {
    let db = try memory("CREATE TABLE shelf (id); INSERT INTO shelf VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: Point.self, "SELECT id AS x FROM shelf")
    }
    #expect(error?.code == .unknownColumn)
    #expect(error?.column == .init(name: "y", table: "shelf", origin: nil))
    #expect(error?.sql == "SELECT id AS x FROM shelf")
    let composite = #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: One<Point>.self, "SELECT id FROM shelf")
    }
    #expect(composite?.code == .unknownColumn)
  }

  @Test func `does not reveal values of the row in an error`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchAll(decoding: One<Color>.self, "SELECT ? AS content", "secret")
    }
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func `shows the path in the JSON of a value that does not fit`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchAll(
        decoding: One<[Point]>.self, #"SELECT '[{"x":1,"y":2},{"x":1,"y":"a"}]' AS content"#)
    }
    #expect(error?.message.contains("[1].y") == true)
  }

  @Test func `reads columns in any order, among others, ignoring case`() throws {
    let points = try memory().fetchAll(
      decoding: Point.self, "SELECT 2 AS Y, 0 AS other, 1 AS x UNION ALL SELECT 4, 0, 3")
    #expect(points == [Point(x: 1, y: 2), Point(x: 3, y: 4)])
  }

  @Test func `reads the first of several columns with the same name`() throws {
    let points = try memory().fetchAll(
      decoding: Point.self, "SELECT 1 AS x, 2 AS x, 3 AS y, 4 AS y")
    #expect(points == [Point(x: 1, y: 3)])
  }

  @Test func `binds arguments, one by one or as a list`() throws {
    let db = try memory()
    let sql = "SELECT ? AS x, ? AS y"
    let point = Point(x: 1, y: 2)
    #expect(try db.fetchAll(decoding: Point.self, SQL(unsafe: sql), 1, 2) == [point])
    #expect(try db.fetchOne(decoding: Point.self, SQL(unsafe: sql), 1, 2) == point)
    #expect(try db.fetchAll(decoding: Point.self, SQL(unsafe: sql), values: [1, 2]) == [point])
    #expect(try db.fetchOne(decoding: Point.self, SQL(unsafe: sql), values: [1, 2]) == point)
    var seen: [Point] = []
    try db.forEach(decoding: Point.self, SQL(unsafe: sql), values: [1, 2]) { seen.append($0) }
    #expect(seen == [point])
  }

  @Test func `returns no value if there is no row`() throws {
    let db = try memory("CREATE TABLE t (x, y)")
    #expect(try db.fetchAll(decoding: Point.self, "SELECT * FROM t") == [])
    #expect(try db.fetchOne(decoding: Point.self, "SELECT * FROM t") == nil)
    try db.forEach(decoding: Point.self, "SELECT * FROM t") { _ in Issue.record("no row") }
  }

  @Test func `decodes a row in a closure`() throws {
    var points: [Point] = []
    try memory().forEach("SELECT 1 AS x, 2 AS y") { row in
      points.append(try RowDecoder().decode(from: row))
    }
    #expect(points == [Point(x: 1, y: 2)])
  }

  @Test func `sees the columns that a table has after it was altered`() throws {
    let db = try memory("CREATE TABLE t (y); INSERT INTO t VALUES (2)")
    struct Wide: Decodable, Equatable { let x: Int?, y: Int }
    #expect(try db.fetchAll(decoding: Wide.self, "SELECT * FROM t") == [Wide(x: nil, y: 2)])
    try db.execute("DROP TABLE t; CREATE TABLE t (x, y); INSERT INTO t VALUES (1, 2)")
    #expect(try db.fetchAll(decoding: Wide.self, "SELECT * FROM t") == [Wide(x: 1, y: 2)])
  }

  @Test func `finishes a statement that writes and returns rows`() throws {
    let db = try memory("CREATE TABLE t (x INTEGER, y INTEGER)")
    let point = try db.fetchOne(
      decoding: Point.self, "INSERT INTO t VALUES (1, 2), (3, 4) RETURNING x, y")
    #expect(point == Point(x: 1, y: 2))
    #expect(try db.count("t") == 2)
  }

  @Test func `leaves the statement usable and the connection closable after an error`() throws {
    let db = try memory()
    #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: Point.self, "SELECT ? AS x, 2 AS y", "a")
    }
    #expect(try db.fetchAll(decoding: Point.self, "SELECT ? AS x, 2 AS y", 1).count == 1)
    try db.close()
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: Point.self, "SELECT 1 AS x, 2 AS y")
    }
    #expect(error?.code == .closed)
  }
}
