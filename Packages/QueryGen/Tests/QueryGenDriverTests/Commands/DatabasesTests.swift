import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `The databases of a target` {
  /// A target with two databases in folders, but no migrations in the target itself.
  private static let two = [
    "Library/querygen.yaml": "database: Library\n",
    "Library/Migrations/1.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);",
    "Library/Queries/Books.sql": "DEFINE QUERY books AS\nSELECT * FROM book;\n",
    "Archive/querygen.yaml": "database: Archive\n",
    "Archive/Migrations/1.sql": "CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT NOT NULL);",
    "Archive/Queries/Books.sql": "DEFINE QUERY pages AS\nSELECT * FROM page;\n",
  ]

  private func workspace(
    _ files: [String: String] = [:], folders: Bool = false
  ) throws -> Workspace {
    try Workspace(Self.two.merging(files) { _, new in new }, folders: folders)
  }

  @Test func `have their own types and queries`() throws {
    let workspace = try workspace()
    let outcome = workspace.driver.generate()
    #expect(workspace.report(outcome) == "")
    #expect((outcome.queryCount, outcome.tableCount) == (2, 2))
    #expect(
      workspace.generated == [
        "Archive-Books.queries.swift", "Archive.generated.swift", "Library-Books.queries.swift",
        "Library.generated.swift",
      ])
    let archive = try workspace.read("Generated/Archive-Books.queries.swift")
    #expect(archive.contains("nonisolated extension Archive {"))
    #expect(archive.contains("typealias PagesOutput = [Page]"))
    #expect(
      try workspace.read("Generated/Library-Books.queries.swift").contains(
        "nonisolated extension Library {"))
  }

  @Test func `include the target's own folder if it has migrations or queries`() throws {
    let workspace = try workspace([
      "Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY);",
      "Queries/Books.sql": "DEFINE QUERY notes AS\nSELECT * FROM note;\n",
    ])
    #expect(workspace.report(workspace.driver.generate()) == "")
    #expect(
      workspace.generated == [
        "Archive-Books.queries.swift", "Archive.generated.swift", "Books.queries.swift",
        "DB.generated.swift", "Library-Books.queries.swift", "Library.generated.swift",
      ])
  }

  @Test func `are folders with a configuration, directly in the target's`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY);",
      "Other/Migrations/1.sql": "CREATE TABLE (",
      "Deep/Other/querygen.yaml": "database: (",
    ])
    #expect(workspace.report(workspace.driver.check()) == "")
  }

  @Test func `need no queries`() throws {
    let workspace = try workspace()
    try workspace.remove("Archive/Queries")
    #expect(workspace.report(workspace.driver.generate()) == "")
    #expect(!workspace.generated.contains("Archive-Books.queries.swift"))
  }

  @Test func `have files with fixed names for a build plugin`() throws {
    let workspace = try workspace(["Archive/querygen.yaml": "database: Attic\n"], folders: true)
    let outcome = Driver(
      DriverOptions(
        path: workspace.path, output: "\(workspace.path)/Out", usesFixedFileNames: true)
    ).generate()
    #expect(workspace.report(outcome) == "")
    #expect(
      workspace.names(in: "Out") == [
        "Archive-Books.queries.swift", "Archive.generated.swift", "DB.generated.swift",
        "Library-Books.queries.swift", "Library.generated.swift",
      ])
  }

  @Test func `can't generate the same type`() throws {
    let workspace = try workspace([
      "Archive/Migrations/1.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY);",
      "Archive/Queries/Books.sql": "",
    ])
    let outcome = workspace.driver.generate()
    #expect(outcome.diagnostics.map(\.identity) == ["colliding-types"])
    #expect(
      outcome.diagnostics.map { workspace.short($0.message) } == [
        "the type `Book` is also generated for the database in Archive; set a name for the table or "
          + "query in querygen.yaml"
      ])
    #expect(workspace.generated == [])
    try workspace.write(
      "database: Archive\ntables: { book: { name: OldBook } }\n", to: "Archive/querygen.yaml")
    #expect(workspace.report(workspace.driver.generate()) == "")
  }

  @Test func `can't have types with the same name`() throws {
    let workspace = try workspace(["Archive/querygen.yaml": "", "Library/querygen.yaml": ""])
    #expect(
      workspace.driver.check().diagnostics.map { workspace.short($0.message) } == [
        "the type `DB` is also generated for the database in Archive; set `database` in "
          + "querygen.yaml"
      ])
  }

  @Test func `can't generate the same Swift file`() throws {
    let workspace = try workspace(
      ["Queries/Archive/Books.sql": "DEFINE QUERY one AS SELECT 1;"], folders: true)
    #expect(
      workspace.driver.check().diagnostics.map(\.identity) == ["colliding-files"])
  }

  @Test func `are all checked, formatted and corrected`() throws {
    let workspace = try workspace([
      "Archive/Queries/Books.sql": "define query pages as select txt from page;\n",
      "Library/Queries/Books.sql": "DEFINE QUERY books AS SELECT titel FROM book;\n",
    ])
    #expect(
      workspace.driver.check().diagnostics.map { workspace.short($0.file) } == [
        "Archive/Queries/Books.sql", "Library/Queries/Books.sql",
      ])
    let fixed = workspace.driver.fix()
    #expect(fixed.fixCount == 2)
    #expect(workspace.report(fixed) == "")
    let formatted = workspace.driver.format(files: nil, writes: true)
    #expect(formatted.changed.count == 4)
    #expect(
      try workspace.read("Archive/Queries/Books.sql")
        == "DEFINE QUERY pages AS\nSELECT text FROM page;\n")
  }

  @Test func `have locks of their own`() throws {
    let workspace = try workspace()
    let archive = Driver(DriverOptions(path: "\(workspace.path)/Archive"))
    #expect(archive.lockMigrations().locked == ["1"])
    #expect(workspace.names(in: "Archive/Migrations") == ["1.sql", "migrations.lock"])
    try workspace.write(
      "CREATE TABLE page (id INTEGER PRIMARY KEY);", to: "Archive/Migrations/1.sql")
    #expect(workspace.driver.check().diagnostics.map(\.identity) == ["changed-migration"])
  }

  @Test func `are chosen by path for commands about one of them`() throws {
    let workspace = try workspace()
    let schema = workspace.driver.projectSchema()
    #expect(
      schema.outcome.diagnostics.map { workspace.short($0.message) } == [
        "the folder contains no migrations, but databases; choose one with --path: Archive, Library"
      ])
    #expect(workspace.driver.addMigration(named: "more").written == [])
    let archive = Driver(DriverOptions(path: "\(workspace.path)/Archive"))
    #expect(archive.projectSchema().outcome.tableCount == 1)
  }

  @Test func `parse only files that have changed since the last run`() throws {
    let workspace = try workspace()
    let driver = workspace.driver
    #expect(driver.check().parsed.count == 4)
    #expect(driver.check().parsed == [])
    try workspace.write(
      "DEFINE QUERY pages AS\nSELECT id FROM page;\n", to: "Archive/Queries/Books.sql")
    #expect(driver.generate().parsed.map(workspace.short) == ["Archive/Queries/Books.sql"])
    #expect(workspace.driver.generate().written == [])
  }

  @Test func `can't all be named by a command`() throws {
    let workspace = try workspace()
    let driver = Driver(DriverOptions(path: workspace.path, databaseName: "Name"))
    #expect(driver.check().diagnostics.map(\.identity) == ["invalid-configuration"])
  }
}
