import Foundation
import SQLiteCore
import Testing

/// Reads each storage class as each type, and values that a type can't represent.
@Suite struct `A value that a type can't represent` {
  struct Reader: CustomTestStringConvertible, Sendable {
    let name: String
    /// The storage classes that the type reads.
    let reads: Set<SQLiteValue.StorageClass>
    let read: @Sendable (borrowing Row, ColumnIndex) throws -> Void
    let readNamed: @Sendable (borrowing Row, String) throws -> Void
    let readAll: @Sendable (Connection, String) throws -> Void
    var testDescription: String { name }

    init<T: SQLiteReadable & Sendable>(_ type: T.Type, _ reads: Set<SQLiteValue.StorageClass>) {
      name = "\(type)"
      self.reads = reads
      read = { row, index in _ = try row.read(T.self, at: index) }
      readNamed = { row, name in _ = try row.read(T.self, named: name) }
      readAll = { db, sql in _ = try db.values(T.self, SQL(unsafe: sql)) }
    }
  }

  static let readers: [Reader] = [
    Reader(Int.self, [.integer]), Reader(Int8.self, [.integer]), Reader(Int16.self, [.integer]),
    Reader(Int32.self, [.integer]), Reader(Int64.self, [.integer]), Reader(UInt.self, [.integer]),
    Reader(UInt8.self, [.integer]), Reader(UInt16.self, [.integer]),
    Reader(UInt32.self, [.integer]), Reader(UInt64.self, [.integer]),
    Reader(Bool.self, [.integer]), Reader(Double.self, [.integer, .real]),
    Reader(Float.self, [.integer, .real]), Reader(String.self, [.text]),
    Reader([UInt8].self, [.blob]), Reader(Data.self, [.blob]),
    Reader(Int?.self, [.integer, .null]), Reader(UInt8?.self, [.integer, .null]),
    Reader(Bool?.self, [.integer, .null]), Reader(Double?.self, [.integer, .real, .null]),
    Reader(String?.self, [.text, .null]), Reader([UInt8]?.self, [.blob, .null]),
    Reader(SQLiteValue.self, Set(SQLiteValue.StorageClass.allCases)),
  ]

  static let literals: [SQLiteValue.StorageClass: String] = [
    .integer: "7", .real: "0.5", .text: "'a'", .blob: "x'61'", .null: "NULL",
  ]

  @Test(arguments: readers, SQLiteValue.StorageClass.allCases)
  func `is an error that names the table, the column and the statement`(
    _ reader: Reader, _ found: SQLiteValue.StorageClass
  ) throws {
    let db = try memory("CREATE TABLE shelf (id INTEGER PRIMARY KEY, v ANY) STRICT")
    let literal = try #require(Self.literals[found])
    try db.run("INSERT INTO shelf VALUES (1, \(unsafe: literal))")
    let sql = "SELECT v AS content FROM shelf"
    for attempt in [
      { try db.forEach(SQL(unsafe: sql)) { try reader.read($0, 0) } },
      { try db.forEach(SQL(unsafe: sql)) { try reader.readNamed($0, "content") } },
      { try reader.readAll(db, sql) },
    ] as [() throws -> Void] {
      if reader.reads.contains(found) {
        try attempt()
      } else {
        let error = #expect(throws: SQLiteError.self) { try attempt() }
        #expect(error?.code == (found == .null ? .unexpectedNull : .columnTypeMismatch))
        #expect(error?.sql == sql)
        #expect(error?.column == .init(name: "content", table: "shelf", origin: "v"))
        let text = error?.description ?? ""
        #expect(text.contains("shelf") && text.contains("content") && text.contains(sql))
      }
    }
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max) + 1])
  func `is an error if it exceeds SQLite's integers`(_ value: UInt64) throws {
    let db = try memory("CREATE TABLE t (a)")
    let sql = "INSERT INTO t VALUES (:a)"
    for attempt in [
      { try db.run(SQL(unsafe: sql), value) }, { try db.run(SQL(unsafe: sql), values: [value]) },
      { try db.run(SQL(SQL(unsafe: sql), named: ["a": value])) },
      { try db.run(SQL(unsafe: sql), UInt(value)) },
      { try db.run(SQL(unsafe: sql), Optional(value)) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .valueOutOfRange)
      #expect(error?.sql == sql || error?.sql == "INSERT INTO t VALUES (?)")
      #expect(error?.description.contains("\(value)") == false)
    }
    #expect(try db.count("t") == 0)
    try db.run(SQL(unsafe: sql), UInt64(Int64.max))
    #expect(try db.value(Int64.self, "SELECT a FROM t") == .max)
  }

  struct Text: CustomTestStringConvertible, Sendable {
    let hex: String
    var testDescription: String { hex }
  }

  /// Lone and missing continuation bytes, overlong forms, surrogates, and values beyond Unicode.
  @Test(
    arguments: [
      "80", "c3", "c328", "e282", "c0af", "eda080", "f08080af", "f4908080", "ff", "fe", "61ff62",
      "6100c3", "f09f91",
    ].map { Text(hex: $0) })
  func `is an error if it is a text that is not valid UTF-8`(_ text: Text) throws {
    let db = try memory("CREATE TABLE shelf (v TEXT)")
    try db.run("INSERT INTO shelf VALUES (CAST(x'\(unsafe: text.hex)' AS TEXT))")
    let sql = "SELECT v FROM shelf"
    for attempt in [
      { _ = try db.value(String.self, SQL(unsafe: sql)) },
      { _ = try db.value(String?.self, SQL(unsafe: sql)) },
      { _ = try db.values(SQLiteValue.self, SQL(unsafe: sql)) },
      { _ = try db.rows(SQL(unsafe: sql)) },
      { try db.forEach(SQL(unsafe: sql)) { _ = try $0.read(String.self, named: "v") } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .invalidText)
      #expect(error?.sql == sql)
      #expect(error?.column == .init(name: "v", table: "shelf", origin: "v"))
    }
    // The bytes can still be read.
    #expect(try db.value(String.self, "SELECT hex(v) FROM shelf") == text.hex.uppercased())
  }

  @Test func `is an error if it is a schema name that is not valid UTF-8`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.journalMode = .delete }
    try db.execute("CREATE TABLE tab_x (col_x TEXT); INSERT INTO tab_x VALUES ('a')")
    try db.close()
    let url = URL(fileURLWithPath: directory.file())
    var data = try Data(contentsOf: url)
    for name in ["tab_x", "col_x"] {
      while let range = data.firstRange(of: Data(name.utf8)) { data[range.upperBound - 1] = 0xff }
    }
    try data.write(to: url)
    let damaged = try directory.connect { $0.journalMode = .delete }
    let schema = #expect(throws: SQLiteError.self) { try damaged.tables() }
    #expect(schema?.code == .invalidText)
    let error = #expect(throws: SQLiteError.self) { try damaged.rows("SELECT * FROM tab_\u{fffd}") }
    #expect(error?.code == .error)
    #expect(error?.message.contains("tab_\u{fffd}") == true)
  }
}
