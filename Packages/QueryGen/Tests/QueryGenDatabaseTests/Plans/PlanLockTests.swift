import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@Suite struct `The lock of plans` {
  private func project() throws -> Workspace {
    try Workspace.planned(
      "b: SELECT * FROM author WHERE id = :id;\na: SELECT * FROM book WHERE title = :title;")
  }

  @Test func `contains a line for each plan, sorted by query`() throws {
    let workspace = try project()
    let outcome = workspace.checkPlans(locks: true)
    #expect(outcome.written.map(workspace.short) == ["plans.lock"])
    let expected = """
      # Plans of queries, to review their changes. Written by querygen check --plans --lock.
      SQLite \(SQLiteLibrary.version)
      a: SCAN book
      b: SEARCH author USING INTEGER PRIMARY KEY (rowid=?)

      """
    #expect(try workspace.read("plans.lock") == expected)
    #expect(workspace.planIdentities() == [])
    _ = workspace.checkPlans(locks: true)
    #expect(try workspace.read("plans.lock") == expected)
  }

  @Test func `reports a changed plan with both trees`() throws {
    let workspace = try project()
    _ = workspace.checkPlans(locks: true)
    try workspace.write("CREATE INDEX book_title ON book (title);", to: "Migrations/002.sql")
    let outcome = workspace.checkPlans()
    let diagnostic = try #require(outcome.diagnostics.first)
    #expect(outcome.diagnostics.map(\.identity) == ["changed-plan"])
    #expect(diagnostic.message == "the plan differs from the one in plans.lock")
    #expect(
      diagnostic.notes.map(\.message) == [
        "the plan in plans.lock:\n`--SCAN book",
        "the plan now:\n`--SEARCH book USING INDEX book_title (title=?)",
      ])
    #expect(outcome.exitCode == 0)
    _ = workspace.checkPlans(locks: true)
    #expect(workspace.planIdentities() == [])
  }

  @Test func `ignores new and removed queries`() throws {
    let workspace = try project()
    _ = workspace.checkPlans(locks: true)
    try workspace.write("c: SELECT * FROM book WHERE id = :id;", to: "Queries/Q.sql")
    #expect(workspace.planIdentities() == [])
  }

  @Test func `is only noted under another release of SQLite`() throws {
    let workspace = try project()
    _ = workspace.checkPlans(locks: true)
    let lock = try workspace.read("plans.lock")
      .replacing("SQLite \(SQLiteLibrary.version)", with: "SQLite 3.1.2")
      .replacing("a: SCAN book", with: "a: SCAN TABLE book")
    try workspace.write(lock, to: "plans.lock")
    let outcome = workspace.checkPlans()
    #expect(outcome.diagnostics.isEmpty)
    #expect(
      outcome.planNotes == [
        "plans.lock was written with SQLite 3.1.2, but this is SQLite \(SQLiteLibrary.version): "
          + "1 plan differs"
      ])
  }

  @Test func `reports malformed lines`() throws {
    let workspace = try project()
    try workspace.write("SQLite 3.40.1\nnothing\na: SCAN b {\n", to: "plans.lock")
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == ["malformed-lock", "malformed-lock"])
    #expect(diagnostics.map { $0.place?.line } == [2, 3])
  }
}
