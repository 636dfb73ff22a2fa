import Foundation
import SQLiteCore
import Testing

@Suite struct `Reading a value of another storage class` {
  struct Case: CustomTestStringConvertible, Sendable {
    let type: String
    let literal: String
    let code: SQLiteError.Code
    let read: @Sendable (borrowing Row) throws -> Void
    var testDescription: String { "\(literal) as \(type)" }

    init<T: SQLiteReadable & Sendable>(_ type: T.Type, _ literal: String, _ code: SQLiteError.Code)
    {
      self.type = "\(type)"
      self.literal = literal
      self.code = code
      read = { row in _ = try row.read(T.self, at: 1) }
    }
  }

  @Test func `reports the position of the row in each run`() throws {
    let db = try Connection.inMemory()
    for rows in ["VALUES (1), ('x'), (3)", "VALUES (1), (2), (3), ('x')", "VALUES ('x')"] {
      for _ in 0..<2 {
        let error = #expect(throws: SQLiteError.self) {
          try db.values(Int.self, SQL(unsafe: rows))
        }
        #expect(
          error?.row == rows.split(separator: ", ").firstIndex { $0.contains("x") }.map { $0 + 1 })
        #expect(error?.addingContext("reading").row == error?.row)
      }
    }
    let row = Row(columns: ["a"], values: [.text("x")])
    let error = #expect(throws: SQLiteError.self) { try row.read(Int.self, at: 0) }
    #expect(error != nil && error?.row == nil)
  }

  static let cases: [Case] = [
    Case(Int.self, "'1'", .columnTypeMismatch), Case(Int.self, "1.0", .columnTypeMismatch),
    Case(Int.self, "x'01'", .columnTypeMismatch), Case(Int.self, "NULL", .unexpectedNull),
    Case(Int8.self, "128", .valueOutOfRange), Case(Int8.self, "-129", .valueOutOfRange),
    Case(Int16.self, "32768", .valueOutOfRange), Case(Int32.self, "2147483648", .valueOutOfRange),
    Case(UInt.self, "-1", .valueOutOfRange), Case(UInt8.self, "256", .valueOutOfRange),
    Case(UInt16.self, "65536", .valueOutOfRange),
    Case(UInt32.self, "4294967296", .valueOutOfRange), Case(UInt64.self, "-1", .valueOutOfRange),
    Case(Bool.self, "'true'", .columnTypeMismatch), Case(Bool.self, "NULL", .unexpectedNull),
    Case(Double.self, "'1.5'", .columnTypeMismatch), Case(Double.self, "NULL", .unexpectedNull),
    Case(Double.self, "9007199254740993", .valueOutOfRange),
    Case(Float.self, "x''", .columnTypeMismatch), Case(String.self, "1", .columnTypeMismatch),
    Case(String.self, "x'61'", .columnTypeMismatch), Case(String.self, "NULL", .unexpectedNull),
    Case(String.self, "CAST(x'ff' AS TEXT)", .invalidText),
    Case(String.self, "CAST(x'6100ff' AS TEXT)", .invalidText),
    Case(SQLiteValue.self, "CAST(x'c3' AS TEXT)", .invalidText),
    Case(String?.self, "CAST(x'eda080' AS TEXT)", .invalidText),
    Case([UInt8].self, "'a'", .columnTypeMismatch), Case([UInt8].self, "NULL", .unexpectedNull),
    Case(Data.self, "1", .columnTypeMismatch), Case(UUID.self, "'no'", .invalidText),
    Case(UUID.self, "x'00'", .columnTypeMismatch), Case(UUID.self, "1", .columnTypeMismatch),
    Case(UUID.self, "NULL", .unexpectedNull), Case(Status.self, "'gone'", .valueOutOfRange),
    Case(Status.self, "7", .columnTypeMismatch), Case(Int?.self, "'x'", .columnTypeMismatch),
  ]

  enum Status: String, SQLiteConvertible { case open }

  @Test(arguments: cases)
  func `reports the table, the column and the statement`(_ expected: Case) throws {
    let db = try memory("CREATE TABLE shelf (id INTEGER PRIMARY KEY, v ANY) STRICT")
    try db.run("INSERT INTO shelf VALUES (1, \(unsafe: expected.literal))")
    let sql = "SELECT id, v AS content FROM shelf"
    let error = #expect(throws: SQLiteError.self) {
      try db.forEach(SQL(unsafe: sql)) { try expected.read($0) }
    }
    #expect(error?.code == expected.code)
    #expect(error?.sql == sql)
    #expect(error?.column == .init(name: "content", table: "shelf", origin: "v"))
    #expect(error?.description.contains("content") == true)
    #expect(error?.description.contains("shelf") == true)
  }

  @Test func `is not reported for an integer that RETURNING converted to REAL`() throws {
    let db = try memory("CREATE TABLE sample (weight REAL, id INTEGER PRIMARY KEY, isDone BOOLEAN)")
    try db.forEach("INSERT INTO sample VALUES (1.5, 7, 1) RETURNING id, isDone, -4.0, NULL") {
      row in
      let id = try row.read(Int.self, at: 0)
      #expect(id == 7)
      let small = try row.read(Int8?.self, at: 0)
      #expect(small == 7)
      let isDone = try row.read(Bool.self, at: 1)
      #expect(isDone)
      let number = try row.read(Int.self, at: 2)
      #expect(number == -4)
      let missing = try row.read(Int?.self, at: 3)
      #expect(missing == nil)
    }
  }

  @Test(arguments: ["1.5", "9007199254740994.0", "9e999", "'1'"])
  func `is reported for other values of RETURNING`(_ literal: String) throws {
    let db = try memory("CREATE TABLE sample (weight REAL)")
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "INSERT INTO sample VALUES (1) RETURNING \(unsafe: literal)")
    }
    #expect(error?.code == .columnTypeMismatch)
  }

  @Test func `does not show values of the row`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "SELECT ?", "secret")
    }
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `reports the column of an expression without a table`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "SELECT 'a' || 'b' AS x")
    }
    #expect(error?.column == .init(name: "x", table: nil, origin: nil))
  }

  @Test func `succeeds if the value fits`() throws {
    let db = try memory()
    #expect(try db.value(Double.self, "SELECT 3") == 3)
    #expect(try db.value(Float.self, "SELECT 0.1") == Float(0.1))
    #expect(try db.value(Int8.self, "SELECT -128") == -128)
  }

  @Test func `leaves the statement usable`() throws {
    let db = try memory()
    #expect(throws: SQLiteError.self) { try db.value(Int.self, "SELECT ?", "a") }
    #expect(try db.value(Int.self, "SELECT ?", 1) == 1)
    #expect(db.statementCacheStatistics.hits >= 1)
  }

  @Test func `fails for a UTF-16 database only if a text is invalid`() throws {
    let db = try memory("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (v)")
    try db.run("INSERT INTO t VALUES (?)", "é\0👩‍👩‍👧")
    #expect(try db.value(String.self, "SELECT v FROM t") == "é\0👩‍👩‍👧")
  }
}
