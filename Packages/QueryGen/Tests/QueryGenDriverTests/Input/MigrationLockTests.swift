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

  @Test func `may be reformatted`() throws {
    let workspace = try workspace()
    try workspace.write("-- why\ncreate  table 'a B'(C);\n", to: "Migrations/002_more.sql")
    #expect(errors(workspace) == [])
  }

  @Test func `must not be changed, not even in quotes`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE TABLE 'a b' (c);", to: "Migrations/002_more.sql")
    #expect(
      errors(workspace) == [
        "Migrations/002_more.sql:1:1: error: this migration was released, so databases may have "
          + "applied it, but it was edited; revert the edit, and make the change in a new migration"
      ])
    #expect(workspace.driver.generate().exitCode == 1)
  }

  @Test func `must not be deleted or renamed`() throws {
    let workspace = try workspace()
    try workspace.remove("Migrations/002_more.sql")
    #expect(
      errors(workspace) == [
        "Migrations/migrations.lock:3:1: error: the file of the released migration '002_more' "
          + "is missing"
      ])
  }

  @Test func `must precede new migrations`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE TABLE x (a);", to: "Migrations/0_early.sql")
    #expect(
      errors(workspace) == [
        "Migrations/0_early.sql:1:1: warning: this migration precedes the released migration "
          + "'002_more'; give it a higher number"
      ])
  }

  @Test func `are not changed by fix-its`() throws {
    let workspace = try workspace()
    try workspace.write("CREATE VIEW v AS SELECT nmae FROM todo;", to: "Migrations/002_more.sql")
    #expect(workspace.driver.fix().fixCount == 0)
  }

  @Test func `are listed in a lock that is parsed strictly`() throws {
    let workspace = try workspace()
    try workspace.write("# so\n\nabc 1\n", to: "Migrations/migrations.lock")
    #expect(
      errors(workspace) == [
        "Migrations/migrations.lock:3:1: error: expected a checksum of 16 digits, and a "
          + "migration's name"
      ])
  }

  @Test func `are followed by a new one, which is not locked`() throws {
    let workspace = try Workspace.todo()
    let added = workspace.driver.addMigration(named: "Add due-dates")
    #expect(added.report == "")
    #expect(added.locked == ["1"])
    #expect(added.written == [workspace.path + "/Migrations/2_add_due_dates.sql"])
    #expect(try workspace.read("Migrations/2_add_due_dates.sql") == "-- Add due-dates\n")
    try workspace.write("ALTER TABLE todo ADD due TEXT;", to: "Migrations/2_add_due_dates.sql")
    #expect(errors(workspace) == [])
  }

  @Test func `are not locked if they have errors`() throws {
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE (a);"])
    #expect(workspace.driver.addMigration(named: "x").errorCount == 1)
    #expect(workspace.driver.lockMigrations().locked == [])
    #expect(throws: (any Error).self) { try workspace.read("Migrations/migrations.lock") }
  }

  @Test(arguments: [
    (["1"], "2"), ([], "001"), (["001_a", "002_b"], "003"), (["099"], "100"), (["999"], "1000"),
    (["20240131_a"], "20261122"), (["20240131120000"], "20261122143005"),
    (["20990131"], "20990132"), (["x"], "001"),
  ])
  func `are numbered consecutively`(_ names: [String], _ next: String) throws {
    let now = Date(timeIntervalSince1970: 1_795_357_805)
    #expect(MigrationName.number(after: names, at: now) == next)
  }

  @Test(arguments: [
    ("Add due dates", "add_due_dates"), ("a_b-c", "a_b_c"), ("größer", "größer"), ("", nil),
    ("a/b", nil), ("../x", nil), (" - ", nil),
  ])
  func `have names that consist of words`(_ name: String, _ slug: String?) {
    #expect(MigrationName.slug(name) == slug)
  }
}
