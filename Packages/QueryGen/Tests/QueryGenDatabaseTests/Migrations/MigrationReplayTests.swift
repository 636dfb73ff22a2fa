import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@testable import QueryGenDatabase

@Suite struct `Replaying migrations` {
  private func run(_ workspace: Workspace, _ database: String? = nil) -> MigrationReplay.Report {
    MigrationReplay(workspace.driver.projectSchema()).run(database: database)
  }

  @Test func `on an empty file runs all of them`() throws {
    let report = run(try Workspace.library())
    #expect(report.faults == [])
    #expect(report.replayed == ["001_library", "002_words"])
  }

  @Test func `on a copy of a database runs the pending ones`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.execute("INSERT INTO book (title) VALUES ('a')", on: database)
    try workspace.write("ALTER TABLE book ADD COLUMN pages INTEGER;", to: "Migrations/003.sql")
    let report = run(workspace, database)
    #expect(report.faults == [])
    #expect(report.applied == ["001_library", "002_words"])
    #expect(report.replayed == ["003"])
    let connection = try Connection(path: database)
    #expect(try connection.appliedMigrations() == ["001_library", "002_words"])
  }

  @Test func `uses placeholders for declared functions, collations and modules`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": """
      -- function: slug(title TEXT NOT NULL, separator TEXT DEFAULT '-') -> TEXT NOT NULL deterministic innocuous
      -- function: total_of(VARIADIC terms REAL) -> REAL
      -- aggregate: median(value REAL) -> REAL NOT NULL
      -- window: moving(value REAL) -> REAL
      -- collation: localized
      -- module: vec0(*, distance REAL HIDDEN) extension
      -- module: series(value INTEGER NOT NULL, start INTEGER HIDDEN) eponymous only
      CREATE TABLE page (
        title TEXT NOT NULL COLLATE localized, address TEXT NOT NULL AS (slug(title)) STORED,
        score REAL);
      CREATE UNIQUE INDEX addresses ON page (slug(title, '_'));
      INSERT INTO page VALUES ('a', total_of(1, 2)), ('b', total_of());
      CREATE VIEW scores AS SELECT median(score) AS score, moving(score) AS other FROM page;
      CREATE VIRTUAL TABLE vector USING vec0(id INTEGER PRIMARY KEY, embedding float[3]);
      INSERT INTO vector (embedding) SELECT value FROM series(3);
      INSERT INTO page (title, score) SELECT 'c', median(score) FROM page;
      """,
      "Queries/A.sql": "",
    ])
    #expect(run(workspace).faults == [])
    let schema = workspace.driver.projectSchema()
    let database = try workspace.database(schema)
    #expect(try SchemaComparison(schema, database: database).isEqual)
  }

  @Test(arguments: [
    ("synchronous", "OFF"), ("wal_checkpoint", nil), ("wal_checkpoint", "TRUNCATE"),
    ("foreign_keys", "OFF"), ("journal_mode", "WAL"), ("journal_mode", "DELETE"),
    ("journal_mode", "MEMORY"), ("page_size", "8192"), ("auto_vacuum", "1"),
    ("encoding", "'UTF-16'"), ("defer_foreign_keys", "ON"), ("user_version", "3"),
    ("recursive_triggers", "1"), ("cache_size", "10"), ("secure_delete", "0"),
    ("journal_size_limit", "10"), ("locking_mode", "EXCLUSIVE"), ("temp_store", "MEMORY"),
  ])
  func `agrees with the diagnostics of a migration's pragmas`(
    _ name: String, _ value: String?
  ) throws {
    let sql = "PRAGMA \(name)" + (value.map { " = \($0)" } ?? "")
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE t (a);\n\(sql);\n"])
    let identity = workspace.driver.check().diagnostics.first?.identity
    let connection = try Connection(path: workspace.path + "/app.sqlite")
    try connection.execute("CREATE TABLE u (a)")
    let before = try connection.value(SQLiteValue.self, SQL(unsafe: "PRAGMA \(name)"))
    var after = before
    do {
      try connection.transaction(.immediate) {
        try connection.execute(SQL(unsafe: "CREATE TABLE t (a);\n\(sql);"))
        after = try connection.value(SQLiteValue.self, SQL(unsafe: "PRAGMA \(name)"))
      }
      #expect(identity == (after == before ? "ignored-pragma" : nil))
    } catch {
      #expect(identity == "prohibited-here", "\(error)")
    }
  }

  @Test func `reports a failure on existing rows with its line`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.execute("INSERT INTO book (title) VALUES ('a'), ('a')", on: database)
    try workspace.write(
      "\nCREATE TABLE x (a);\nCREATE UNIQUE INDEX one ON book (title);\n", to: "Migrations/003.sql")
    let report = run(workspace, database)
    #expect(
      report.faults.map { workspace.short($0.description) } == [
        "Migrations/003.sql:3: error: migration 003: UNIQUE constraint failed: book.title"
      ])
  }

  @Test func `reports the first migration that was edited after the database applied it`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    for name in ["Migrations/001_library.sql", "Migrations/002_words.sql"] {
      try workspace.write(
        workspace.read(name) + "\nCREATE TABLE more_\(name.utf8.count) (a);", to: name)
    }
    let faults = run(workspace, database).faults
    #expect(faults.count == 1)
    #expect(
      workspace.short(faults[0].description).hasPrefix(
        "Migrations/001_library.sql: error: the migration differs from the one that app.sqlite "
          + "applied"))
  }

  @Test func `ignores the formatting of a migration`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    #expect(workspace.driver.format(files: nil, writes: true).changed.count == 3)
    #expect(run(workspace, database).faults == [])
  }

  @Test func `reports a migration that exists only in the database`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.remove("Migrations/002_words.sql")
    #expect(
      run(workspace, database).faults.map { workspace.short($0.description) } == [
        "app.sqlite: error: it has applied '002_words', which is not among the migrations"
      ])
  }

  @Test func `reports a migration that precedes one that the database has applied`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.write("CREATE TABLE early (a);", to: "Migrations/001b.sql")
    let faults = run(workspace, database).faults
    #expect(faults.count == 1)
    #expect(workspace.short(faults[0].place) == "Migrations/001b.sql")
    #expect(faults[0].message.contains("but has applied '002_words', which follows it"))
  }

  @Test func `reports a file that is not a database`() throws {
    let workspace = try Workspace.library()
    let report = run(workspace, workspace.path + "/none.sqlite")
    #expect(report.faults.map(\.place) == [workspace.path + "/none.sqlite"])
  }
}
