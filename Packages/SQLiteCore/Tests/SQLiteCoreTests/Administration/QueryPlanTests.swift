import SQLiteCore
import Testing

@Suite struct `A query plan` {
  @Test func `distinguishes a scan from a search`() throws {
    let db = try memory("CREATE TABLE t (a, b); CREATE INDEX i ON t (a)")
    #expect(try db.queryPlan(for: "SELECT b FROM t").details == ["SCAN t"])
    #expect(
      try db.queryPlan(for: "SELECT b FROM t WHERE a = ?", 1).details
        == ["SEARCH t USING INDEX i (a=?)"])
    let list: [any SQLiteBindable] = [1]
    #expect(try db.queryPlan(for: "DELETE FROM t WHERE a = ?", values: list).details.count == 1)
    #expect(try db.queryPlan(for: "SELECT b FROM t WHERE a = ?").details.count == 1)
    #expect(try db.queryPlan(for: "CREATE TABLE u (a)").steps.isEmpty)
    #expect(try db.tables().map(\.name) == ["t"])
  }

  @Test func `is a tree in the format of SQLite's shell`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let plan = try db.queryPlan(
      for: "SELECT a FROM t UNION SELECT a + 1 FROM t ORDER BY 1")
    #expect(plan.steps.count == 1)
    let top = try #require(plan.steps.first)
    #expect(top.detail == "MERGE (UNION)")
    #expect(top.children.map(\.detail) == ["LEFT", "RIGHT"])
    #expect(
      plan.description == """
        QUERY PLAN
        `--MERGE (UNION)
           |--LEFT
           |  |--SCAN t
           |  `--USE TEMP B-TREE FOR ORDER BY
           `--RIGHT
              |--SCAN t
              `--USE TEMP B-TREE FOR ORDER BY
        """)
    #expect(plan.details.count == 7)
  }

  @Test func `is accompanied by the virtual machine's program`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let program = try db.bytecode(for: "DELETE FROM t WHERE a = ?", values: [1])
    #expect(program.first?.opcode == "Init")
    #expect(program.map(\.address) == Array(program.indices))
    #expect(program.contains { $0.opcode == "OpenWrite" && $0.p4 != nil })
    #expect(try db.count("t") == 1)
  }

  @Test func `fails like its statement, with the offset in it`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let sql = "SELECT nope FROM t"
    for attempt in [
      { _ = try db.queryPlan(for: SQL(unsafe: sql)) },
      { _ = try db.bytecode(for: SQL(unsafe: sql)) },
      { _ = try db.prepare(SQL(unsafe: sql)) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .error)
      #expect(error?.sql == sql)
      #expect(error?.offset == SQLiteError.ByteOffset(rawValue: 7))
    }
    let count = #expect(throws: SQLiteError.self) { try db.queryPlan(for: "SELECT ?, ?", 1) }
    #expect(count?.code == .parameterCount)
    let trailing = #expect(throws: SQLiteError.self) {
      try db.queryPlan(for: "SELECT 1; DELETE FROM t")
    }
    #expect(trailing?.code == .trailingSQL)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.queryPlan(for: SQL(unsafe: sql)) }
    #expect(closed?.code == .closed)
  }
}
