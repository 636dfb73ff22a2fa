import Foundation
import SQLiteCore
import Testing

@Suite struct `Adopting an existing schema` {
  static let list = [
    Migration(
      name: "1",
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT '', author INTEGER REFERENCES author (id)
        );
        CREATE INDEX book_author ON book (author);
        INSERT INTO author (name) VALUES ('Anonymous')
        """),
    Migration(name: "2", sql: "ALTER TABLE book ADD COLUMN year INTEGER"),
    Migration(name: "3", sql: "CREATE VIEW old AS SELECT title FROM book WHERE year < 1900"),
  ]

  /// The schema of the first two migrations, as another library writes it, with that library's
  /// migration table.
  static let others = """
    CREATE TABLE IF NOT EXISTS "Author" ("id" integer PRIMARY KEY AUTOINCREMENT,"name" text NOT NULL);
    CREATE TABLE "book" (
      "id" INTEGER PRIMARY KEY, "title" TEXT DEFAULT '' NOT NULL, -- of the first edition
      "author" INTEGER REFERENCES "author"("id"), "year" INTEGER);
    CREATE INDEX "book_author" ON "book"("author");
    CREATE TABLE other_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO other_migrations VALUES ('one'), ('two');
    INSERT INTO book (title, year) VALUES ('Emma', 1815);
    """

  @Test func `records the migrations without running them`() throws {
    let db = try memory(SQL(unsafe: Self.others))
    #expect(try db.adopt(Self.list, upTo: "2") == ["1", "2"])
    #expect(try db.appliedMigrations() == ["1", "2"])
    #expect(try db.count("author") == 0)
    #expect(try db.count("other_migrations") == 2)
    #expect(try db.migrationStatus(of: Self.list).map(\.state) == [.applied, .applied, .pending])
    #expect(try db.migrate(Self.list, refusingChanged: true) == ["3"])
    #expect(try db.values(String.self, "SELECT title FROM old") == ["Emma"])
  }

  @Test func `happens once, and later calls do nothing`() throws {
    let db = try memory(SQL(unsafe: Self.others))
    for _ in 1...3 {
      try db.adopt(Self.list, upTo: "2")
      try db.migrate(Self.list)
    }
    #expect(try db.appliedMigrations() == ["1", "2", "3"])
    #expect(try db.adopt(Self.list, upTo: "3") == [])
  }

  @Test func `does nothing if the database is new, or has only unrelated tables`() throws {
    for script in ["", "CREATE TABLE other_migrations (identifier TEXT)"] {
      let db = try memory(SQL(unsafe: script))
      #expect(try db.adopt(Self.list, upTo: "2") == [])
      #expect(try db.appliedMigrations() == [])
      #expect(try db.migrate(Self.list) == ["1", "2", "3"])
      #expect(try db.count("author") == 1)
    }
  }

  @Test func `does nothing if migrations were applied to the database`() throws {
    let db = try memory()
    try db.migrate(Self.list, upTo: "1")
    #expect(try db.adopt(Self.list, upTo: "3") == [])
    #expect(try db.appliedMigrations() == ["1"])
  }

  @Test(arguments: [
    ("2", "DROP INDEX book_author", "book_author"),
    ("2", "ALTER TABLE book DROP COLUMN year", "year"),
    ("2", "DROP TABLE author", "author"),
    ("1", "SELECT 1", "year"),
    ("3", "SELECT 1", "view old"),
  ])
  func `refuses a different schema, and leaves the database unchanged`(
    last: String, change: String, word: String
  ) throws {
    let db = try memory(SQL(unsafe: Self.others))
    try db.execute(SQL(unsafe: change))
    let before = try db.dumpSQL()
    let error = #expect(throws: SQLiteError.self) { try db.adopt(Self.list, upTo: last) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("up to \(last)") == true)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(try db.dumpSQL() == before)
    #expect(!db.isInTransaction)
  }

  @Test func `refuses another order of columns`() throws {
    let db = try memory("CREATE TABLE t (b, a)")
    let list = [Migration(name: "1", sql: "CREATE TABLE t (a, b)")]
    let error = #expect(throws: SQLiteError.self) { try db.adopt(list, upTo: "1") }
    #expect(error?.code == .schemaMismatch)
  }

  @Test func `can use functions and collations of the configuration`() throws {
    let script = """
      CREATE TABLE t (a TEXT COLLATE swift, b TEXT GENERATED ALWAYS AS (initial(a)) STORED);
      CREATE INDEX t_a ON t (a)
      """
    let db = try memory(SQL(unsafe: script)) {
      $0.prepare = { connection in
        try connection.registerCollation("swift") { $0 < $1 ? -1 : $0 == $1 ? 0 : 1 }
        try connection.register("initial", argumentCount: 1, options: [.deterministic, .innocuous])
        {
          $0[0]
        }
      }
    }
    #expect(try db.adopt([Migration(name: "1", sql: SQL(unsafe: script))], upTo: "1") == ["1"])
  }

  @Test func `requires a migration of that name, and refuses newer databases`() throws {
    let db = try memory(SQL(unsafe: Self.others))
    let unknown = #expect(throws: SQLiteError.self) { try db.adopt(Self.list, upTo: "4") }
    #expect(unknown?.code == .misuse)
    try db.migrate([Migration(name: "later", sql: "SELECT 1")])
    let newer = #expect(throws: SQLiteError.self) { try db.adopt(Self.list, upTo: "2") }
    #expect(newer?.code == .databaseIsNewer)
  }

  @Test func `of a shared file works synchronously and asynchronously`() async throws {
    let directory = try TemporaryDirectory()
    let connection = try directory.connect()
    try connection.execute(SQL(unsafe: Self.others))
    try connection.close()
    let database = try directory.open()
    #expect(try await database.adopt(Self.list, upTo: "2") == ["1", "2"])
    let second = try directory.open()
    #expect(try Self.adopted(second) == [])
    #expect(try await second.migrate(Self.list) == ["3"])
  }

  private static func adopted(_ database: Database) throws -> [String] {
    try database.adopt(list, upTo: "2")
  }
}
