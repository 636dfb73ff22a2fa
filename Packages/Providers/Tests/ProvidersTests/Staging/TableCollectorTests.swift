@_spi(Formats) @testable import Providers
import SQLiteCore
import Testing

@Suite struct `Tables of a file` {
  /// Returns the tables of a text: for each, its statement, and its rows as SQL literals.
  private static func tables(
    of lines: [String], _ format: LineFormat = LineFormat()
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.joined(separator: "\n"), to: "file.lines")
    let provider = LineProvider(format)
    try provider.openSource(atPath: path)
    return try provider.read { connection in
      // The database is an ordinary one.
      let isSound = try connection.integrityCheck().isEmpty
      #expect(isSound)
      return try DatabaseContents(connection).tables.flatMap { table in
        [table.sql]
          + (try provider.records(connection, "SELECT * FROM \(SQLName.quoted(table.name))"))
      }
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let lines: [String]
    let tables: [String]
    var testDescription: String { lines.joined(separator: " / ") }
    init(_ lines: [String], _ tables: [String]) { (self.lines, self.tables) = (lines, tables) }
  }

  @Test(arguments: [
    Case(
      ["t a=1 b=x", "t a=2"],
      ["CREATE TABLE \"t\" (\"a\" INTEGER, \"b\" TEXT)", "1, 'x'", "2, NULL"]),
    Case(
      ["t a=1", "t a=2.5"], ["CREATE TABLE \"t\" (\"a\" REAL)", "1.0", "2.5"]),
    Case(["t a=1", "t a=x"], ["CREATE TABLE \"t\" (\"a\" TEXT)", "'1'", "'x'"]),
    Case(["t a=1.50", "t a=x"], ["CREATE TABLE \"t\" (\"a\" TEXT)", "'1.50'", "'x'"]),
    Case(["t a=x", "t a=1"], ["CREATE TABLE \"t\" (\"a\" TEXT)", "'x'", "'1'"]),
    Case(["t a=TRUE", "t a=FALSE"], ["CREATE TABLE \"t\" (\"a\" BOOLEAN)", "1", "0"]),
    Case(["t a=true", "t a=1"], ["CREATE TABLE \"t\" (\"a\" TEXT)", "'true'", "'1'"]),
    Case(
      ["t a=2026-11-22", "t a=2026-11-22T10:00"],
      ["CREATE TABLE \"t\" (\"a\" DATETIME TEXT)", "'2026-11-22'", "'2026-11-22T10:00'"]),
    Case(["t a=0123"], ["CREATE TABLE \"t\" (\"a\" TEXT)", "'0123'"]),
    Case(
      ["t a=#1", "t a=$x", "t a=#0.5"],
      ["CREATE TABLE \"t\" (\"a\")", "1", "'x'", "0.5"]),
    Case(
      ["t a=#1", "t a=?true", "t a=$x", "t a=#0.5", "t"],
      ["CREATE TABLE \"t\" (\"a\" JSON TEXT)", "'1'", "'true'", "'\"x\"'", "'0.5'", "NULL"]),
    Case(
      ["t a=$x\"y", "t a={}"],
      ["CREATE TABLE \"t\" (\"a\" JSON TEXT)", "'\"x\\\"y\"'", "'{}'"]),
    Case(
      ["t a=%123456789012345678901234567890", "t a=#7"],
      [
        "CREATE TABLE \"t\" (\"a\" DECIMAL TEXT COLLATE decimal)",
        "'123456789012345678901234567890'", "'7'",
      ]),
    Case(
      ["t id=12345678901234567890 a=1", "t id=5"],
      [
        "CREATE TABLE \"t\" (\"id\" DECIMAL TEXT COLLATE decimal PRIMARY KEY, \"a\" INTEGER)",
        "'12345678901234567890', 1", "'5', NULL",
      ]),
    Case(
      ["t id=5", "t id=12345678901234567890", "t id=5.0"],
      [
        "CREATE TABLE \"t\" (\"id\" DECIMAL TEXT COLLATE decimal)", "'5'",
        "'12345678901234567890'", "'5.0'",
      ]),
    Case(["t a=+3", "t a=-0"], ["CREATE TABLE \"t\" (\"a\" INTEGER)", "3", "0"]),
    Case(["t a=1.50", "t a=2.5"], ["CREATE TABLE \"t\" (\"a\" REAL)", "1.5", "2.5"]),
    Case(
      ["t a=#9007199254740993", "t a=#0.5"],
      ["CREATE TABLE \"t\" (\"a\")", "9007199254740993", "0.5"]),
    Case(
      ["t a=1", "t b=2"],
      ["CREATE TABLE \"t\" (\"a\" INTEGER, \"b\" INTEGER)", "1, NULL", "NULL, 2"]),
    Case(
      ["t a=1", "u b=2", "t a=3"],
      ["CREATE TABLE \"t\" (\"a\" INTEGER)", "1", "3", "CREATE TABLE \"u\" (\"b\" INTEGER)", "2"]),
    Case(["t", "t"], ["CREATE TABLE \"t\" (\"value\")", "NULL", "NULL"]),
    Case([], []),
    // Names that are equal in SQLite, and reserved names.
    Case(
      ["t a=1 A=2 a_2=3", "T a=4", "sqlite_x a=5"],
      [
        "CREATE TABLE \"t\" (\"a\" INTEGER, \"A_2\" INTEGER, \"a_2_2\" INTEGER)", "1, 2, 3",
        "CREATE TABLE \"T_2\" (\"a\" INTEGER)", "4",
        "CREATE TABLE \"_sqlite_x\" (\"a\" INTEGER)", "5",
      ]),
    Case(
      ["order group=1 select\"=2"],
      ["CREATE TABLE \"order\" (\"group\" INTEGER, \"select\"\"\" INTEGER)", "1, 2"]),
  ])
  func `have the types of all their values`(_ expected: Case) throws {
    #expect(try Self.tables(of: expected.lines) == expected.tables)
  }

  @Test(arguments: [
    Case(
      ["t id=1 a=x", "t id=5"],
      ["CREATE TABLE \"t\" (\"id\" INTEGER PRIMARY KEY, \"a\" TEXT)", "1, 'x'", "5, NULL"]),
    Case(
      ["t a=x ID=7"],
      ["CREATE TABLE \"t\" (\"a\" TEXT, \"ID\" INTEGER PRIMARY KEY)", "'x', 7"]),
    // In the order of the file, not of the key.
    Case(["t id=5", "t id=1"], ["CREATE TABLE \"t\" (\"id\" INT PRIMARY KEY)", "5", "1"]),
    Case(["t id=1", "t id=1"], ["CREATE TABLE \"t\" (\"id\" INTEGER)", "1", "1"]),
    Case(["t id=5", "t id=1", "t id=5"], ["CREATE TABLE \"t\" (\"id\" INTEGER)", "5", "1", "5"]),
    Case(["t id=a", "t id=b"], ["CREATE TABLE \"t\" (\"id\" TEXT PRIMARY KEY)", "'a'", "'b'"]),
    Case(["t id=a", "t id=a"], ["CREATE TABLE \"t\" (\"id\" TEXT)", "'a'", "'a'"]),
    Case(["t id=1", "t id=b"], ["CREATE TABLE \"t\" (\"id\" TEXT PRIMARY KEY)", "'1'", "'b'"]),
    Case(
      ["t id=1", "t a=x"],
      ["CREATE TABLE \"t\" (\"id\" INTEGER, \"a\" TEXT)", "1, NULL", "NULL, 'x'"]),
    Case(["t id=1", "t id=1.5"], ["CREATE TABLE \"t\" (\"id\" REAL)", "1.0", "1.5"]),
    Case(["t a=1", "t a=2"], ["CREATE TABLE \"t\" (\"a\" INTEGER)", "1", "2"]),
    Case(
      ["t id=true", "t a=1"],
      ["CREATE TABLE \"t\" (\"id\" BOOLEAN, \"a\" INTEGER)", "1, NULL", "NULL, 1"]),
    Case(["t id=true"], ["CREATE TABLE \"t\" (\"id\" BOOLEAN)", "1"]),
    // Child rows refer to row numbers, counting from 1.
    Case(
      ["t id=5", "u<t t=1"],
      [
        "CREATE TABLE \"t\" (\"id\" INTEGER UNIQUE, \"row\" INTEGER PRIMARY KEY)", "5, 1",
        "CREATE TABLE \"u\" (\"parent\" INTEGER REFERENCES \"t\"(\"row\") ON DELETE CASCADE"
          + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED, \"t\" INTEGER)",
        "NULL, 1",
      ]),
  ])
  func `have a key if a column named id is unique`(_ expected: Case) throws {
    #expect(try Self.tables(of: expected.lines) == expected.tables)
  }

  @Test func `keep any column names`() throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    let names = ["a  b", " c ", "d\n  e", "", "\"", "é", "e\u{301}", "INTEGER  PRIMARY KEY"]
    try provider.database().writeWithoutTransaction { connection in
      let tables = TableCollector(connection)
      let table = tables.table("two  words")
      for (index, name) in names.enumerated() {
        table.set(table.column(name), integer: Int64(index))
      }
      try table.endRow()
      #expect(try tables.finish() == nil)
    }
    let record = try provider.query("SELECT * FROM \"two  words\"")
    #expect(
      record.columns.map { Array($0.utf8) }
        == names.map { Array(($0.isEmpty ? "column4" : $0).utf8) })
  }

  @Test func `do not depend on how late a value contradicts earlier ones`() throws {
    // Within the rows that are analyzed before the next pass, and after them.
    for count in [10, 5_000] {
      var lines = (1...count).map { "t id=\($0) a=\($0) b=1.5" }
      lines.append("t id=x a=1.5 b=late")
      lines += (1...count).map { "t id=y\($0) a=\($0) b=true" }
      let tables = try Self.tables(of: lines)
      #expect(tables.count == 2 * count + 2)
      #expect(
        tables[0]
          == "CREATE TABLE \"t\" (\"id\" TEXT PRIMARY KEY, \"a\" REAL, \"b\" TEXT)")
      #expect(tables[1] == "'1', 1.0, '1.5'")
      #expect(tables[count + 1] == "'x', 1.5, 'late'")
      #expect(tables.last == "'y\(count)', \(Double(count)), 'true'")
    }
  }

  @Test func `have declared types`() throws {
    let types: [String: [String: TableCollector.ColumnType]] = [
      "T": ["A": .text, "b": .real, "c": .boolean, "d": .integer, "e": .date]
    ]
    let tables = try Self.tables(
      of: ["t a=1 b=2 c=true d=#3 e=2026-11-22", "t a=#2 b=#3 c=0 d=4"],
      LineFormat(types: types, keys: ["t": "a"]))
    #expect(
      tables == [
        "CREATE TABLE \"t\" (\"a\" TEXT PRIMARY KEY, \"b\" REAL, \"c\" BOOLEAN, "
          + "\"d\" INTEGER, \"e\" DATE TEXT)",
        "'1', 2.0, 1, 3, '2026-11-22'", "'2', 3.0, 0, 4, NULL",
      ])
  }

  @Test(arguments: [
    ("d=x", TableCollector.ColumnType.integer), ("d=1.5", .integer), ("d=#1.5", .integer),
    ("d=$x", .integer),
    ("d=?true", .integer), ("d=x", .real), ("d=2", .boolean), ("d=2026-13-01", .date),
    ("d=", .integer), ("d=x", .decimal), ("d=$x", .decimal), ("d=?true", .decimal),
    ("d=2026-13-01T00:00", .dateTime), ("d=$x", .date), ("d=#1", .date), ("d=x", .json),
    ("d=[1", .json), ("d=1.5.1", .real), ("d=12345678901234567890", .integer),
    ("d=9007199254740993", .real), ("d=#9007199254740993", .real), ("d={}", .real),
    ("d=%1", .integer), ("d=$x", .boolean),
    ("d=2026-11-22", .boolean),
  ])
  func `refuse values of other types than declared`(
    _ pair: String, _ type: TableCollector.ColumnType
  ) throws {
    let format = LineFormat(types: ["t": ["d": type]])
    let error = #expect(throws: ProviderError.self) {
      try Self.tables(of: ["t a=1", "t \(pair)"], format)
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.table == "t")
    #expect(error?.column == "d")
    #expect(error?.file?.hasSuffix("file.lines") == true)
  }

  /// Rows are inserted several at a time.
  @Test(arguments: [1, 2, 15, 16, 17, 31, 32, 33, 100])
  func `have all rows, regardless of their number`(_ count: Int) throws {
    let rows = (1...count).map { "\($0), \($0 % 3 == 0 ? "'x\($0)'" : "NULL")" }
    #expect(
      try Self.tables(of: (1...count).map { "t a=\($0)" + ($0 % 3 == 0 ? " b=x\($0)" : "") })
        == [
          count < 3
            ? "CREATE TABLE \"t\" (\"a\" INTEGER)"
            : "CREATE TABLE \"t\" (\"a\" INTEGER, \"b\" TEXT)"
        ] + (count < 3 ? (1...count).map { "\($0)" } : rows))
  }

  @Test(arguments: [1, 5, 16, 20])
  func `have no key if a key is duplicate`(_ last: Int) throws {
    let lines = (1...20).map { "t id=\($0 == last ? "k0" : "k\($0)")" } + ["t id=k0"]
    #expect(try Self.tables(of: lines).first == "CREATE TABLE \"t\" (\"id\" TEXT)")
    #expect(try Self.tables(of: lines).count == 22)
  }

  @Test func `can have long texts among short ones, and late columns`() throws {
    let long = String(repeating: "x", count: 40_000)
    let lines = (1...40).map { "t a=\($0 % 7 == 0 ? long : "y\($0)")" + " c\($0 / 9)=\($0)" }
    let rows = (1...40).map { row in
      (["'\(row % 7 == 0 ? long : "y\(row)")'"]
        + (0...4).map { row / 9 == $0 ? "\(row)" : "NULL" }).joined(separator: ", ")
    }
    #expect(try Array(Self.tables(of: lines).dropFirst()) == rows)
  }

  @Test func `can be in a temporary file`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("t a=1\nt a=x\n", to: "file.lines")
    let provider = LineProvider(LineFormat(), place: .temporaryFile)
    try provider.openSource(atPath: path)
    let count = try provider.countRows(inTable: "t")
    #expect(count == 2)
    try provider.execute("DELETE FROM t WHERE a = 'x'")
    try provider.persist()
    #expect(try folder.text(of: "file.lines") == "t a=1\n")
  }
}

extension LineProvider {
  fileprivate func records(_ connection: Connection, _ sql: String) throws -> [String] {
    var rows: [String] = []
    try connection.forEach(SQL(unsafe: sql)) { row in
      rows.append(try row.values.map(\.description).joined(separator: ", "))
    }
    return rows
  }
}
