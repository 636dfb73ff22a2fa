import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `A database that attaches another` {
  private static let files = [
    "querygen.yaml": "attach: { archive: Archive }\n",
    "Migrations/1.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);",
    "Queries/Books.sql": """
    DEFINE QUERY archived AS
    SELECT * FROM archive.book WHERE state = :state;

    DEFINE QUERY archive AS
    INSERT INTO archive.book (id, title, state) SELECT id, title, 'old' FROM book;

    """,
    "Archive/querygen.yaml": "database: Archive\ntables: { book: { name: Page } }\n",
    "Archive/Migrations/1.sql": """
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('old', 'new'))
    );
    CREATE TABLE unused (id INTEGER PRIMARY KEY);
    """,
  ]

  private func workspace(_ files: [String: String] = [:]) throws -> Workspace {
    try Workspace(Self.files.merging(files) { _, new in new })
  }

  @Test func `has a struct for each table of it that queries use`() throws {
    let workspace = try workspace()
    #expect(workspace.report(workspace.driver.generate()) == "")
    let database = try workspace.read("Generated/DB.generated.swift")
    #expect(database.contains("struct ArchiveBook:"))
    #expect(database.contains("enum ArchiveBookState:"))
    #expect(!database.contains("Unused"))
    #expect(database.contains("  typealias Attachments = DBAttachments\n"))
    #expect(database.contains("migrations: Archive.migrations)"))
    let queries = try workspace.read("Generated/Books.queries.swift")
    #expect(queries.contains("typealias ArchivedOutput = [ArchiveBook]"))
    #expect(queries.contains("TableName(schema: \"archive\", \"book\")"))
  }

  @Test func `names its structs in its own configuration`() throws {
    let workspace = try workspace([
      "querygen.yaml": "attach: { archive: Archive }\ntables: { archive.book: { name: OldBook } }\n"
    ])
    #expect(workspace.report(workspace.driver.generate()) == "")
    #expect(try workspace.read("Generated/DB.generated.swift").contains("struct OldBook:"))
    try workspace.write(
      "attach: { archive: Archive }\ntables: { archive.bok: { name: OldBook } }\n",
      to: "querygen.yaml")
    #expect(workspace.driver.check().diagnostics.map(\.identity) == ["unknown-table"])
  }

  @Test func `contains the migrations of one in another target`() throws {
    let workspace = try Workspace(
      [
        "App/querygen.yaml": "attach: { other: ../Other }\n",
        "App/Migrations/1.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY);",
        "App/Queries/Q.sql": "DEFINE QUERY b AS SELECT * FROM other.b;",
        "Other/Migrations/1.sql": "CREATE TABLE b (id INTEGER PRIMARY KEY);",
        "Other/Migrations/2.sql": "ALTER TABLE b ADD COLUMN x;",
      ], folders: false)
    var options = DriverOptions(path: "\(workspace.path)/App")
    #expect(workspace.report(Driver(options).generate()) == "")
    let text = try workspace.read("App/Generated/DB.generated.swift")
    #expect(text.contains("sql: \"ALTER TABLE b ADD COLUMN x;\""))
    #expect(text.contains("struct OtherB:"))
    options.usesFixedFileNames = true
    #expect(
      Driver(options).check().diagnostics.map(\.message) == [
        "a build plugin can only attach databases of the same target"
      ])
  }

  @Test(arguments: [
    ("attach: { archive: Nowhere }", "Nowhere: the folder does not exist"),
    ("attach: { main: Archive }", "a database named \"main\" already exists; use another name"),
    (
      "attach: { a: Archive, A: Archive }",
      "a database named \"A\" already exists; use another name"
    ),
    ("attach: Archive", "expected a mapping with \"key: value\" on each line, found a string"),
  ])
  func `reports a configuration that can't be used`(_ text: String, _ message: String) throws {
    let workspace = try workspace(["querygen.yaml": text + "\n", "Queries/Books.sql": ""])
    #expect(
      workspace.driver.check().diagnostics.map { workspace.short($0.message) } == [message])
  }

  @Test func `reports errors of the attached migrations, but none that follow from them`() throws {
    let workspace = try workspace(["Archive/Migrations/1.sql": "CREATE TABLE book (id INTEGER,"])
    let diagnostics = workspace.driver.check().diagnostics
    #expect(
      diagnostics.map { workspace.short($0.file) } == ["querygen.yaml", "Archive/Migrations/1.sql"])
    #expect(
      workspace.short(diagnostics[0].message)
        == "the migrations of the database in Archive have errors")
  }

  @Test func `needs the functions of the attached one`() throws {
    let declared =
      "-- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL deterministic innocuous\n"
    let table = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT CHECK (slug(title) <> ''));"
    let workspace = try workspace([
      "Archive/Migrations/1.sql": declared + table, "Queries/Books.sql": "",
    ])
    #expect(workspace.report(workspace.driver.generate()) == "")
    #expect(try workspace.read("Generated/DB.generated.swift").contains("struct DBFunctions:"))
    // Both may declare the same function.
    try workspace.write(
      declared + "CREATE TABLE book (id INTEGER PRIMARY KEY);", to: "Migrations/1.sql")
    #expect(workspace.report(workspace.driver.check()) == "")
    try workspace.write(
      "-- function: slug(title TEXT) -> TEXT\nCREATE TABLE book (id INTEGER PRIMARY KEY);",
      to: "Migrations/1.sql")
    #expect(
      workspace.driver.check().diagnostics.map { workspace.short($0.message) } == [
        "`slug` is declared differently in the database in Archive"
      ])
  }

  @Test func `shares the protocols of aggregates with it`() throws {
    let declared = "-- aggregate: median(value REAL) -> REAL\n"
    let table = "CREATE TABLE book (id INTEGER PRIMARY KEY, price REAL);"
    let workspace = try workspace([
      "Archive/Migrations/1.sql": declared + table, "Queries/Books.sql": "",
    ])
    #expect(workspace.report(workspace.driver.generate()) == "")
    let database = try workspace.read("Generated/DB.generated.swift")
    #expect(database.contains("var median: any MedianFunction.Type"))
    #expect(database.contains("protocol MedianFunction"))
    let archive = try workspace.read("Generated/Archive.generated.swift")
    #expect(archive.contains("var median: any MedianFunction.Type"))
    #expect(!archive.contains("protocol MedianFunction"))
  }

  @Test func `may be attached by the other one in turn`() throws {
    let workspace = try workspace([
      "Archive/querygen.yaml":
        "database: Archive\ntables: { book: { name: Page } }\nattach: { shelf: .. }\n",
      "Archive/Queries/A.sql": "DEFINE QUERY onShelf AS SELECT title FROM shelf.book;",
    ])
    #expect(workspace.report(workspace.driver.check()) == "")
  }
}

@Suite struct `Scripts of temporary objects` {
  private func workspace(_ files: [String: String] = [:]) throws -> Workspace {
    try Workspace(
      [
        "Migrations/1.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);",
        "Temporary/1.sql": """
        CREATE TEMP TABLE basket (book INTEGER PRIMARY KEY);
        CREATE INDEX temp.by_book ON basket (book);
        CREATE TABLE temp.note (text TEXT);
        CREATE TRIGGER noted AFTER INSERT ON note BEGIN DELETE FROM basket; END;
        """,
        "Temporary/2_views.sql": """
        CREATE TEMP VIEW chosen AS SELECT book.* FROM basket JOIN book ON book.id = basket.book;
        """,
        "Queries/Q.sql": "DEFINE QUERY chosenBooks AS\nSELECT * FROM chosen;\n",
      ].merging(files) { _, new in new })
  }

  @Test func `create what queries use`() throws {
    let workspace = try workspace()
    #expect(workspace.report(workspace.driver.generate()) == "")
    let database = try workspace.read("Generated/DB.generated.swift")
    #expect(database.contains("static var temporaryScripts: [SQL] {"))
    #expect(database.contains("struct Basket:"))
    let queries = try workspace.read("Generated/Q.queries.swift")
    #expect(queries.contains("typealias ChosenBooksOutput = [Chosen]"))
    #expect(queries.contains("static let readsTemporaryTables = true"))
  }

  @Test(arguments: [
    "CREATE TABLE basket (a);", "CREATE VIEW v AS SELECT 1;", "CREATE INDEX i ON book (title);",
    "INSERT INTO book (title) VALUES ('a');", "DROP TABLE book;", "SELECT 1;",
    "CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT 1; END;",
    "ALTER TABLE book ADD COLUMN a;",
  ])
  func `create nothing else`(_ sql: String) throws {
    let workspace = try workspace(["Temporary/3.sql": sql])
    #expect(workspace.driver.check().diagnostics.map(\.identity) == ["not-temporary"])
  }

  @Test func `are checked like migrations`() throws {
    let workspace = try workspace([
      "Temporary/2_views.sql": "CREATE TEMP TABLE basket (a);\nCREATE TEMP VIEW chosen AS SELECT x;"
    ])
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.first?.identity == "already-exists")
  }

  @Test func `report views that can't be used`() throws {
    let workspace = try workspace([
      "Temporary/2_views.sql": "CREATE TEMP VIEW chosen AS SELECT titel FROM book;",
      "Queries/Q.sql": "",
    ])
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == ["broken-object"])
    #expect(diagnostics.map(\.file) == ["Temporary"])
  }

  @Test func `are no part of the schema and its lock`() throws {
    let workspace = try workspace()
    #expect(workspace.driver.lockMigrations().locked == ["1"])
    #expect(!workspace.driver.projectSchema().sql.contains("basket"))
    #expect(workspace.driver.projectSchema().migrations.map(\.name) == ["1"])
    try workspace.write("CREATE TEMP TABLE basket (book INTEGER);", to: "Temporary/1.sql")
    #expect(workspace.report(workspace.driver.check()) == "")
  }

  @Test func `replace temporary objects of migrations, which end with them`() throws {
    let workspace = try workspace([
      "Migrations/2.sql": "CREATE TEMP TABLE scratch (a); DROP TABLE scratch;",
      "Migrations/3.sql": "CREATE TEMP TABLE basket (a);",
      "Migrations/4.sql": "CREATE TEMP TABLE kept (a);",
      "Queries/Q.sql": "DEFINE QUERY q AS SELECT * FROM kept;",
    ])
    #expect(workspace.driver.check().diagnostics.map(\.identity) == ["unknown-table"])
  }

  @Test func `hide the tables with the same names`() throws {
    let workspace = try workspace([
      "Temporary/2_views.sql": "CREATE TEMP TABLE book (id INTEGER PRIMARY KEY, note TEXT);",
      "Queries/Q.sql": """
      DEFINE QUERY temporary AS SELECT * FROM book;
      DEFINE QUERY stored AS SELECT * FROM main.book;
      """,
    ])
    #expect(workspace.report(workspace.driver.generate()) == "")
    let queries = try workspace.read("Generated/Q.queries.swift")
    #expect(queries.contains("typealias StoredOutput = [Book]"))
    #expect(queries.contains("typealias TemporaryOutput = [BookRecord]"))
  }
}
