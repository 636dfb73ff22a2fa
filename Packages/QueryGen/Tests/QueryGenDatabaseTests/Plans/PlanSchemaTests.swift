import QueryGenDatabase
import QueryGenDriver
import QueryGenTestSupport
import Testing

@Suite struct `Plans of several databases` {
  private func workspace(_ queries: String) throws -> Workspace {
    try Workspace(
      [
        "Shelf/querygen.yaml": "database: Shelf\nattach: { attic: ../Attic }\n",
        "Shelf/Migrations/1.sql": """
        CREATE TABLE tape (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE loan (id INTEGER PRIMARY KEY, tape INTEGER REFERENCES tape (id));
        CREATE INDEX loan_tape ON loan (tape);
        """,
        "Shelf/Temporary/1.sql": """
        CREATE TEMP TABLE mark (tape INTEGER PRIMARY KEY);
        CREATE TEMP TABLE tape (mark INTEGER);
        """,
        "Shelf/Queries/Q.sql": queries,
        "Attic/querygen.yaml": "database: Attic\n",
        "Attic/Migrations/1.sql": "CREATE TABLE box (id INTEGER PRIMARY KEY, room TEXT);",
        "Attic/Migrations/2.sql": "CREATE INDEX box_room ON box (room);",
        "Attic/Queries/Q.sql": "boxes: SELECT id FROM box WHERE room = :room;",
      ], folders: false)
  }

  @Test func `are determined and locked for each`() throws {
    let workspace = try workspace(
      """
      inRoom: SELECT id FROM attic.box WHERE room = :room;
      marked: SELECT title FROM main.tape JOIN mark ON mark.tape = main.tape.id;
      loans: SELECT id FROM loan WHERE tape = :tape;
      """)
    let outcome = workspace.checkPlans(locks: true)
    #expect(workspace.short(outcome.report) == "")
    #expect(outcome.planCount == 4)
    #expect(
      outcome.written.map(workspace.short) == ["Attic/plans.lock", "Shelf/plans.lock"])
    let lock = try workspace.read("Shelf/plans.lock")
    #expect(lock.contains("inRoom: SEARCH attic.box USING COVERING INDEX box_room (room=?)"))
    #expect(workspace.checkPlans().diagnostics == [])
    try workspace.write("", to: "Attic/Migrations/2.sql")
    #expect(
      workspace.checkPlans().diagnostics.map { "\(workspace.short($0.file)) \($0.identity)" } == [
        "Attic/Queries/Q.sql changed-plan", "Shelf/Queries/Q.sql changed-plan",
      ])
  }

  @Test func `propose no index of an attached or temporary table`() throws {
    let workspace = try workspace(
      """
      inRoom: SELECT attic.box.id FROM loan JOIN attic.box ON box.room = loan.id || :room;
      loans: SELECT id FROM loan WHERE tape = :tape;
      hidden: SELECT mark FROM tape ORDER BY mark;
      """)
    #expect(workspace.checkPlans().diagnostics.allSatisfy { $0.proposedIndex == nil })
  }
}
