import SQLiteCore
import Testing

@Suite struct `The column that is the rowid` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, column: String?
    init(_ sql: String, _ column: String? = nil) { (self.sql, self.column) = (sql, column) }
    var testDescription: String { sql }
  }

  /// The columns that change together with the rowid in SQLite.
  private func followers(of table: String, _ db: Connection) throws -> [String] {
    let columns = try db.columns(of: table).filter { $0.kind == .stored }.map(\.name)
    let names = columns.map(SQLName.quoted).joined(separator: ", ")
    let values = columns.indices.map { "\(101 + $0)" }.joined(separator: ", ")
    try db.execute("INSERT INTO \(unsafe: table) (\(unsafe: names)) VALUES (\(unsafe: values))")
    let free = ["rowid", "oid", "_rowid_"].first { name in
      !columns.contains { SQLName.isSame($0, name) }
    }
    let rowID = try #require(free)
    do {
      try db.execute("UPDATE \(unsafe: table) SET \(unsafe: rowID) = 9")
    } catch {
      guard error.message == "no such column: \(rowID)" else { throw error }
      return []
    }
    return try columns.filter { column in
      try db.value(Int.self, "SELECT \(identifier: column) = 9 FROM \(unsafe: table)") == 1
    }
  }

  @Test(arguments: [
    Case("a INTEGER PRIMARY KEY, b", "a"), Case("b, a INTEGER PRIMARY KEY", "a"),
    Case("a integer primary key", "a"), Case("a InTeGeR PRIMARY KEY ASC", "a"),
    Case("a INTEGER PRIMARY KEY AUTOINCREMENT", "a"), Case("a INTEGER NOT NULL PRIMARY KEY", "a"),
    Case("a INTEGER CONSTRAINT k PRIMARY KEY ON CONFLICT REPLACE", "a"),
    Case("a INTEGER /* not DESC */ PRIMARY KEY, description TEXT", "a"),
    Case("a INTEGER UNIQUE PRIMARY KEY", "a"), Case("a INTEGER PRIMARY KEY UNIQUE", "a"),
    Case("\"a b\" INTEGER PRIMARY KEY", "a b"), Case("a INTEGER PRIMARY KEY, b AS (a + 1)", "a"),
    Case("a INTEGER, PRIMARY KEY (a)", "a"), Case("a INTEGER, PRIMARY KEY (A ASC)", "a"),
    // SQLite's historical bug applies only to the column constraint.
    Case("a INTEGER, PRIMARY KEY (a DESC)", "a"), Case("a INTEGER PRIMARY KEY DESC"),
    Case("a INTEGER UNIQUE PRIMARY KEY DESC"),
    Case("a INTEGER, PRIMARY KEY (a COLLATE NOCASE)", "a"),
    Case("a INTEGER, PRIMARY KEY (a AUTOINCREMENT)", "a"),
    Case("a INT PRIMARY KEY"), Case("a BIGINT PRIMARY KEY"), Case("a INTEGER(8) PRIMARY KEY"),
    Case("a UNSIGNED INTEGER PRIMARY KEY"), Case("a PRIMARY KEY"), Case("a TEXT PRIMARY KEY"),
    Case("a TEXT UNIQUE PRIMARY KEY"), Case("a INTEGER UNIQUE"), Case("a INTEGER NOT NULL UNIQUE"),
    Case("a INTEGER, b, PRIMARY KEY (a, b)"), Case("a INTEGER, b"),
    Case("rowid INTEGER PRIMARY KEY", "rowid"), Case("rowid, oid INTEGER PRIMARY KEY", "oid"),
    Case("rowid INTEGER, a"),
  ])
  func `is the same as SQLite's`(_ expected: Case) throws {
    let db = try memory("CREATE TABLE t (\(unsafe: expected.sql))")
    #expect(try followers(of: "t", db) == [expected.column].compactMap(\.self))
    #expect(try db.rowIDColumn(of: "t") == expected.column)
    #expect(try db.table("t")?.rowIDColumn == expected.column)
  }

  @Test func `is the same as SQLite's for every declaration of a key`() throws {
    let types = ["INTEGER", "Integer", "\"INTEGER\"", "[integer]", "INT", "INTEGER(4)", "TEXT", ""]
    let own = ["PRIMARY KEY", "PRIMARY KEY ASC", "PRIMARY KEY DESC", "UNIQUE", ""]
    let shared = [
      "", ", PRIMARY KEY (a)", ", PRIMARY KEY (\"A\" DESC)", ", PRIMARY KEY (a, a)",
      ", PRIMARY KEY (a, b)", ", PRIMARY KEY (b)", ", UNIQUE (a), PRIMARY KEY (a)",
    ]
    let db = try memory()
    var counts = (all: 0, numbered: 0)
    for type in types {
      for (own, shared) in own.flatMap({ own in shared.map { (own, $0) } }) {
        for options in ["", "STRICT", "WITHOUT ROWID", "STRICT, WITHOUT ROWID"] {
          let sql = "CREATE TABLE t (a \(type) \(own), b INTEGER\(shared)) \(options)"
          try db.execute("DROP TABLE IF EXISTS t")
          // Two keys, no key, and types that STRICT does not allow.
          guard (try? db.execute(SQL(unsafe: sql))) != nil else { continue }
          let found = try db.rowIDColumn(of: "t")
          #expect(try followers(of: "t", db) == [found].compactMap(\.self), "\(sql)")
          #expect(try db.table("t")?.rowIDColumn == found, "\(sql)")
          counts.all += 1
          if found != nil { counts.numbered += 1 }
        }
      }
    }
    #expect(counts.all > 300 && counts.numbered > 50, "\(counts)")
  }

  @Test func `is nil for views, virtual tables and missing tables`() throws {
    let db = try memory(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY);
      CREATE VIEW v AS SELECT id FROM t;
      CREATE VIRTUAL TABLE r USING rtree(id, low, high);
      CREATE TABLE made AS SELECT id FROM t;
      """)
    for name in ["v", "r", "made", "none", "sqlite_schema"] {
      #expect(try db.rowIDColumn(of: name) == nil, "\(name)")
    }
    #expect(try db.tables().compactMap(\.rowIDColumn) == ["id"])
    #expect(try db.rowIDColumn(of: "t", in: "none") == nil)
  }

  @Test func `is found by schema, in any case, and after a renaming`() throws {
    let db = try memory(
      """
      CREATE TABLE Book (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE book (a INTEGER PRIMARY KEY DESC);
      ATTACH ':memory:' AS other;
      CREATE TABLE other.book (b INTEGER, c INTEGER PRIMARY KEY);
      """)
    #expect(try db.rowIDColumn(of: "bOOK") == "id")
    #expect(try db.rowIDColumn(of: "Book", in: "temp") == nil)
    #expect(try db.rowIDColumn(of: "book", in: "Other") == "c")
    #expect(try db.tables(in: "other").map(\.rowIDColumn) == ["c"])
    try db.execute("ALTER TABLE other.book RENAME COLUMN c TO number")
    #expect(try db.rowIDColumn(of: "book", in: "other") == "number")
    // An additional index does not change the key.
    try db.execute("CREATE UNIQUE INDEX main.by_id ON Book (id)")
    #expect(try db.rowIDColumn(of: "book") == "id")
  }
}
