import Foundation
import QueryGenTestSupport
import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `Released migrations` {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace.todo()
    try workspace.write("CREATE TABLE 'a B' (c);", to: "Migrations/002_more.sql")
    #expect(workspace.driver.lockMigrations().locked == ["1", "002_more"])
    return workspace
  }

  private func errors(_ workspace: Workspace) -> [String] {
    workspace.report(workspace.driver.check()).split(separator: "\n")
      .filter { $0.contains(": error: ") || $0.contains(": warning: ") }.map(String.init)
  }

  @Test func `may be written in another way`() throws {
    let workspace = try workspace()
    try workspace.write("-- why\ncreate  table 'a B'(C);\n", to: "Migrations/002_more.sql")
    #expect(errors(workspace) == [])
  }

  @Test func `may not be changed, in quotes neither`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE TABLE 'a b' (c);", to: "Migrations/002_more.sql")
    #expect(
      errors(workspace) == [
        "Migrations/002_more.sql:1:1: error: this migration was released, and is not what it was; "
          + "databases have gone through it: undo the change, and make it in a new migration"
      ])
    #expect(workspace.driver.generate().exitCode == 1)
  }

  @Test func `may not go away, nor be renamed`() throws {
    let workspace = try workspace()
    try workspace.remove("Migrations/002_more.sql")
    #expect(
      errors(workspace) == [
        "Migrations/migrations.lock:3:1: error: the migration '002_more' was released, and its file "
          + "is gone"
      ])
  }

  @Test func `have new ones after them`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE TABLE x (a);", to: "Migrations/0_early.sql")
    #expect(
      errors(workspace) == [
        "Migrations/0_early.sql:1:1: warning: this migration comes before '002_more', which was "
          + "released; give it a higher number"
      ])
  }

  @Test func `keep their remedies to themselves`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE VIEW v AS SELECT nmae FROM todo;", to: "Migrations/002_more.sql")
    #expect(workspace.driver.fix().fixCount == 0)
  }

  @Test func `stand in a lock that is read strictly`() throws {
    let workspace = try workspace()
    try workspace.write("# so\n\nabc 1\n", to: "Migrations/migrations.lock")
    #expect(
      errors(workspace) == [
        "Migrations/migrations.lock:3:1: error: a line of the lock has a checksum of 16 digits, and a "
          + "migration's name"
      ])
  }

  @Test func `are followed by a new one, which is open`() throws {
    let workspace = try Workspace.todo()
    let added = workspace.driver.addMigration(named: "Add due-dates")
    #expect(added.outcome.report == "")
    #expect(added.locked == ["1"])
    #expect(added.path == workspace.path + "/Migrations/2_add_due_dates.sql")
    #expect(try workspace.read("Migrations/2_add_due_dates.sql") == "-- Add due-dates\n")
    try workspace.write("ALTER TABLE todo ADD due TEXT;", to: "Migrations/2_add_due_dates.sql")
    #expect(errors(workspace) == [])
  }

  @Test func `are not locked while they are wrong`() throws {
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE (a);"])
    #expect(workspace.driver.addMigration(named: "x").outcome.errorCount == 1)
    #expect(workspace.driver.lockMigrations().locked == [])
    #expect(throws: (any Error).self) { try workspace.read("Migrations/migrations.lock") }
  }

  @Test(arguments: [
    (["1"], "2"), ([], "001"), (["001_a", "002_b"], "003"), (["099"], "100"), (["999"], "1000"),
    (["20240131_a"], "20261122"), (["20240131120000"], "20261122143005"),
    (["20990131"], "20990132"), (["x"], "001"),
  ])
  func `are numbered on`(_ names: [String], _ next: String) throws {
    let now = Date(timeIntervalSince1970: 1_795_357_805)
    #expect(MigrationName.number(after: names, at: now) == next)
  }

  @Test(arguments: [
    ("Add due dates", "add_due_dates"), ("a_b-c", "a_b_c"), ("größer", "größer"), ("", nil),
    ("a/b", nil), ("../x", nil), (" - ", nil),
  ])
  func `are named by words`(_ name: String, _ slug: String?) {
    #expect(MigrationName.slug(name) == slug)
  }
}
