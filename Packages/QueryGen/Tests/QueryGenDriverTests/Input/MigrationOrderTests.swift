import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Migrations` {
  @Test func `run in the order of their numbers, then of their names`() throws {
    let names = [
      "10", "2", "1", "003_c", "0004", "20240131120000_users", "99999999999999999999999999_late",
      "init", "a",
    ]
    let workspace = try Workspace(
      Dictionary(uniqueKeysWithValues: names.map { ("Migrations/\($0).sql", "") }))
    let folder = InputFolder(path: workspace.path)
    #expect(
      folder.migrations.map(\.name) == [
        "1", "2", "003_c", "0004", "10", "20240131120000_users",
        "99999999999999999999999999_late", "a", "init",
      ])
    #expect(folder.failures.isEmpty)
  }

  @Test func `with the same number are rejected`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "", "Migrations/001_init.sql": "", "Migrations/2.sql": "",
    ])
    let outcome = workspace.driver.check()
    #expect(
      workspace.report(outcome)
        == "Migrations/1.sql: error: the migration has the same number as "
        + "\(workspace.path)/Migrations/001_init.sql\n".replacing(workspace.path + "/", with: ""))
    #expect(outcome.exitCode == 1)
  }

  @Test func `must be in their folder itself`() throws {
    let workspace = try Workspace(["Migrations/old/1.sql": ""])
    #expect(
      workspace.report(workspace.driver.check())
        == "Migrations/old/1.sql: error: a migration must be in the Migrations folder itself\n")
  }

  @Test func `are the .sql files that are not hidden`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "", "Migrations/.2.sql": "not SQL", "Migrations/README.md": "not SQL",
      "Migrations/3.SQL": "", "Queries/.hidden/a.sql": "not SQL", "Queries/a.sql~": "not SQL",
    ])
    let folder = InputFolder(path: workspace.path)
    #expect(folder.migrations.map(\.name) == ["1", "3"])
    #expect(folder.queries.isEmpty)
  }
}

@Suite struct `Statements of a migration` {
  @Test(arguments: [
    ("VACUUM", "VACUUM"), ("VACUUM INTO 'copy'", "VACUUM"), ("BEGIN IMMEDIATE", "BEGIN"),
    ("COMMIT", "COMMIT"), ("END TRANSACTION", "COMMIT"), ("ROLLBACK", "ROLLBACK"),
  ])
  func `can't begin or end transactions, or run outside of one`(
    _ sql: String, _ name: String
  ) throws {
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE t (a);\n\(sql);\n"])
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == ["prohibited-here"])
    #expect(diagnostics.first?.message.hasPrefix("`\(name)` can't run in a migration") == true)
    #expect(diagnostics.first?.place?.line == 2)
  }

  @Test(arguments: [
    ("PRAGMA synchronous = OFF", "prohibited-here"),
    ("PRAGMA temp.synchronous(1)", "prohibited-here"),
    ("PRAGMA wal_checkpoint", "prohibited-here"),
    ("PRAGMA wal_checkpoint(TRUNCATE)", "prohibited-here"),
    ("PRAGMA foreign_keys = OFF", "ignored-pragma"),
    ("pragma Journal_Mode = wal", "ignored-pragma"),
    ("PRAGMA main.page_size = 8192", "ignored-pragma"),
    ("PRAGMA auto_vacuum = 1", "ignored-pragma"),
    ("PRAGMA encoding = 'UTF-16'", "ignored-pragma"), ("PRAGMA synchronous", nil),
    ("PRAGMA foreign_keys", nil), ("PRAGMA defer_foreign_keys = ON", nil),
    ("PRAGMA user_version = 3", nil), ("PRAGMA recursive_triggers = 1", nil),
  ])
  func `are not settings that SQLite rejects or ignores inside of a transaction`(
    _ sql: String, _ identity: String?
  ) throws {
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE t (a);\n\(sql);\n"])
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == (identity.map { [$0] } ?? []))
    if let first = diagnostics.first {
      #expect(first.severity == (first.identity == "ignored-pragma" ? .warning : .error))
      #expect(first.place?.line == 2)
    }
  }

  @Test func `can use savepoints`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "SAVEPOINT s; CREATE TABLE t (a); ROLLBACK TO s; RELEASE s;"
    ])
    #expect(workspace.driver.check().diagnostics.isEmpty)
  }
}

@Suite struct `Query files` {
  @Test func `are found at any depth, and named by their paths`() throws {
    let workspace = try Workspace([
      "Queries/b.sql": "", "Queries/a.sql": "", "Queries/a/deep/c.sql": "",
    ])
    #expect(InputFolder(path: workspace.path).queries.map(\.name) == ["a", "a/deep/c", "b"])
  }

  @Test func `that would generate the same Swift file are rejected`() throws {
    let workspace = try Workspace(["Queries/a/B.sql": "", "Queries/A-b.sql": ""])
    #expect(
      workspace.report(workspace.driver.check())
        == "Queries/a/B.sql: error: the file would generate the same Swift file as "
        + "Queries/A-b.sql\n")
  }
}

@Suite struct `Folders and files that can't be read` {
  @Test func `are reported`() throws {
    let workspace = try Workspace()
    try workspace.remove("Migrations")
    try workspace.remove("Queries")
    let outcome = workspace.driver.check()
    #expect(
      workspace.report(outcome) == """
        Migrations: error: the folder does not exist
        Queries: error: the folder does not exist

        """)
    #expect(outcome.errorCount == 2)
  }

  @Test func `are reported if the whole project is missing`() {
    let outcome = Driver(DriverOptions(path: "/nowhere/at all")).check()
    #expect(outcome.report == "/nowhere/at all: error: the folder does not exist\n")
  }

  @Test func `are reported at the first invalid byte`() throws {
    let workspace = try Workspace()
    try workspace.write([UInt8]("-- fine\n-- é ".utf8) + [0xFF, 0x41], to: "Queries/a.sql")
    let outcome = workspace.driver.check()
    #expect(
      workspace.report(outcome) == """
        Queries/a.sql:2:6: error: the file is not valid UTF-8 here
          -- é \u{FFFD}A
               ^

        """)
  }
}
