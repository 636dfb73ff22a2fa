import Providers
import SQLiteCore
import Testing

@Suite struct `Executed statements` {
  static let providers: [@Sendable () -> any DataProvider] = [
    { SQLiteProvider() }, { LineProvider(LineFormat()) },
  ]

  private func make(_ index: Int, _ sql: String = "") throws -> any DataProvider {
    let provider = Self.providers[index]()
    try provider.createSourceInMemory()
    try provider.execute(SQL(unsafe: sql))
    return provider
  }

  @Test(arguments: 0..<2) func `return no id if an INSERT has only updated`(_ index: Int) throws {
    let provider = try make(
      index,
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      CREATE TABLE b (id INTEGER PRIMARY KEY, k UNIQUE, x);
      CREATE TABLE w (k PRIMARY KEY, x) WITHOUT ROWID;
      CREATE TABLE log (x);
      CREATE TRIGGER t AFTER UPDATE ON b WHEN new.x = 'log' BEGIN INSERT INTO log VALUES (1); END
      """)
    let upsert = "INSERT INTO b (k, x) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET x = excluded.x"
    #expect(try provider.execute("INSERT INTO a VALUES (1, 0)") == 1)
    // The id was last inserted into another table.
    #expect(try provider.execute(SQL(unsafe: upsert), withParameters: ["one", 0]) == 1)
    #expect(try provider.execute("INSERT INTO a VALUES (77, 0)") == 77)
    #expect(try provider.execute(SQL(unsafe: upsert), withParameters: ["one", 1]) == 0)
    #expect(try provider.execute(SQL(unsafe: upsert), withParameters: ["one", "log"]) == 0)
    #expect(try provider.execute(SQL(unsafe: upsert), withParameters: ["two", 1]) == 2)
    #expect(
      try provider.execute(
        """
        INSERT INTO b (k, x) VALUES ('three', 1), ('one', 2)
        ON CONFLICT (k) DO UPDATE SET x = excluded.x
        """) == 3)
    let rows = """
      INSERT INTO w VALUES ('one', 1), ('two', 1) ON CONFLICT (k) DO UPDATE SET x = excluded.x
      """
    #expect(try provider.execute(SQL(unsafe: rows)) == 2)
    #expect(try provider.execute(SQL(unsafe: rows)) == 0)
    #expect(try provider.execute("INSERT OR REPLACE INTO w VALUES ('one', 3)") == 1)
    #expect(try provider.query("SELECT count(*) AS n FROM log")["n"] == 1)
  }

  /// The order of a statement's written tables is undefined: with several of each, some would be confused.
  @Test(arguments: 0..<2)
  func `return the id of their own table, regardless of triggers`(_ index: Int) throws {
    let provider = try make(index)
    for number in 1...8 {
      try provider.execute(
        """
        CREATE TABLE w\(unsafe: "\(number)") (k PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE r\(unsafe: "\(number)") (id INTEGER PRIMARY KEY, x);
        CREATE TABLE log\(unsafe: "\(number)") (x);
        CREATE TRIGGER tw\(unsafe: "\(number)") AFTER INSERT ON w\(unsafe: "\(number)") BEGIN
          INSERT INTO log\(unsafe: "\(number)") VALUES (new.k);
        END;
        CREATE TRIGGER tr\(unsafe: "\(number)") AFTER INSERT ON r\(unsafe: "\(number)") BEGIN
          INSERT INTO w\(unsafe: "\(number)") VALUES (new.id);
        END
        """)
      #expect(
        try provider.execute("INSERT INTO w\(unsafe: "\(number)") VALUES ('a'), ('b'), ('c')") == 3)
      #expect(
        try provider.execute("INSERT INTO log\(unsafe: "\(number)") (rowid) VALUES (70)") == 70)
      #expect(try provider.execute("INSERT INTO w\(unsafe: "\(number)") VALUES ('d'), ('e')") == 2)
      // The last inserted id is inserted again, into another table.
      #expect(try provider.execute("INSERT INTO r\(unsafe: "\(number)") VALUES (70, 0)") == 70)
      #expect(try provider.execute("INSERT INTO r\(unsafe: "\(number)") (x) VALUES (0)") == 71)
      #expect(try provider.execute("INSERT INTO r\(unsafe: "\(number)") SELECT 1, 2 WHERE 0") == 0)
    }
  }

  @Test(arguments: [
    "BEGIN", " begin transaction ;", "-- now\nBEGIN IMMEDIATE TRANSACTION /* all */;;",
    "BEGIN EXCLUSIVE",
    ";BEGIN DEFERRED -- now",
  ])
  func `begin a transaction if they are a single BEGIN`(_ sql: String) throws {
    let provider = try make(1)
    try provider.execute(SQL(unsafe: sql))
    try provider.execute("COMMIT /* all of it */ TRANSACTION;")
    try provider.execute(SQL(unsafe: sql))
    try provider.execute("ROLLBACK")
    try provider.execute(SQL(unsafe: sql))
    try provider.execute("END;")
  }

  @Test(arguments: [
    "BEGIN ); DROP TABLE t", "BEGIN ?", "BEGIN (1)", "BEGIN 'x'", "BEGIN [x] y", "BEGIN, BEGIN",
    "BEGIN TRANSACTION IMMEDIATE", "BEGIN; DROP TABLE t", "BEGIN IMMEDIATE DEFERRED",
    "BEGIN TRANSACTION TRANSACTION", "COMMIT IMMEDIATE", "ROLLBACK TO x", "TRANSACTION",
  ])
  func `are refused by SQLite if BEGIN has other statements`(_ sql: String) throws {
    let provider = try make(1, "CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) { try provider.execute(SQL(unsafe: sql)) }
    let error = #expect(throws: ProviderError.self) { try provider.endTransaction() }
    #expect(error?.code == .noTransaction)
    #expect(try provider.tableExists("t"))
  }

  @Test(arguments: 0..<2)
  func `that roll back leave savepoints that can be ended`(_ index: Int) throws {
    let provider = try make(index, "CREATE TABLE k (id INTEGER PRIMARY KEY)")
    try provider.execute("INSERT INTO k VALUES (1)")
    for ends in [false, true] {
      for _ in 1...3 { try provider.beginTransaction() }
      #expect(throws: SQLiteError.self) {
        try provider.execute("INSERT OR ROLLBACK INTO k VALUES (1)")
      }
      for _ in 1...3 {
        if ends {
          let error = #expect(throws: SQLiteError.self) { try provider.endTransaction() }
          #expect(error?.code == .transactionEnded)
        } else {
          try provider.rollbackTransaction()
        }
      }
      let error = #expect(throws: ProviderError.self) { try provider.endTransaction() }
      #expect(error?.code == .noTransaction)
    }
    try provider.execute("INSERT INTO k VALUES (2)")
    #expect(try provider.countRows(inTable: "k") == 2)
  }

  @Test(arguments: 0..<2, [true, false])
  func `that roll back leave the provider usable`(_ index: Int, _ isNested: Bool) throws {
    let provider = try make(index, "CREATE TABLE k (id INTEGER PRIMARY KEY, u UNIQUE)")
    try provider.execute("INSERT INTO k VALUES (1, 'a'), (2, 'b')")
    for sql in [
      "UPDATE OR ROLLBACK k SET u = 'a' WHERE id = 2",
      "UPDATE OR ROLLBACK k SET id = 1 WHERE id = 2",
      "INSERT OR ROLLBACK INTO k VALUES (1, 'c')",
    ] {
      // In a closure, in which the error is caught.
      let error = #expect(throws: (any Error).self) {
        try provider.transaction { transaction in
          try transaction.execute("INSERT INTO k VALUES (3, 'c')")
          if isNested {
            try? transaction.transaction { _ = try $0.execute(SQL(unsafe: sql)) }
          } else {
            _ = try? transaction.execute(SQL(unsafe: sql))
          }
          try transaction.execute("INSERT INTO k VALUES (4, 'd')")
        }
      }
      #expect((error as? SQLiteError)?.code == .transactionEnded)
      #expect(try provider.query("SELECT id FROM k").map(\.values) == [[1], [2]])
      // Between calls.
      try provider.beginTransaction()
      try provider.execute("INSERT INTO k VALUES (3, 'c')")
      let failed = #expect(throws: SQLiteError.self) { try provider.execute(SQL(unsafe: sql)) }
      #expect(failed?.code.primary == .constraint)
      if isNested { #expect(throws: SQLiteError.self) { try provider.countRows(inTable: "k") } }
      try provider.rollbackTransaction()
      #expect(try provider.countRows(inTable: "k") == 2)
      try provider.execute("INSERT INTO k VALUES (3, 'c')")
      try provider.execute("DELETE FROM k WHERE id = 3")
    }
    try provider.closeSource(discardingChanges: true)
  }

  @Test func `compile a regular expression again if only Swift considers it equal to the last one`()
    throws
  {
    let provider = try make(0)
    let (pattern, other) = ("[\u{E9}-\u{EB}]", "[e\u{301}-e\u{308}]")
    #expect(pattern == other)
    let sql = "SELECT '\u{EA}' REGEXP ?"
    #expect(try provider.query(SQL(unsafe: sql), withParameters: [pattern]).first?.values == [1])
    // A range can't begin with a character of two scalars.
    #expect(throws: SQLiteError.self) {
      try provider.query(SQL(unsafe: sql), withParameters: [other])
    }
  }
}
