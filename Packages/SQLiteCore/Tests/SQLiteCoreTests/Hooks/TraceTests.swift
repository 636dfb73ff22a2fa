import SQLiteCore
import Testing

@Suite struct `Tracing` {
  @Test func `reports statements when they begin, without their values`() throws {
    let db = try memory("CREATE TABLE t (a)")
    var events: [Hooks.TraceEvent] = []
    let subscription = try db.hooks.trace { events.append($0) }
    try db.run("INSERT INTO t VALUES (?)", "secret")
    _ = try db.rows("SELECT a FROM t")
    db.hooks.remove(subscription)
    try db.run("DELETE FROM t")
    #expect(
      events == [
        .statement(sql: "INSERT INTO t VALUES (?)", expandedSQL: nil),
        .statement(sql: "SELECT a FROM t", expandedSQL: nil),
      ])
  }

  @Test func `shows values only to subscribers that request them`() throws {
    let db = try memory("CREATE TABLE t (a)")
    var open: [Hooks.TraceEvent] = []
    var closed: [Hooks.TraceEvent] = []
    try db.hooks.trace(showsValues: true) { open.append($0) }
    try db.hooks.trace { closed.append($0) }
    try db.run("INSERT INTO t VALUES (?)", "it's")
    let sql = "INSERT INTO t VALUES (?)"
    #expect(open == [.statement(sql: sql, expandedSQL: "INSERT INTO t VALUES ('it''s')")])
    #expect(closed == [.statement(sql: sql, expandedSQL: nil)])
  }

  @Test func `reports rows, triggers and the close to their subscribers`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a); CREATE TABLE log (a);
      CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      """)
    var all: [Hooks.TraceEvent] = []
    var rows = 0
    var profiles = 0
    try db.hooks.trace([.statements, .rows, .close]) { all.append($0) }
    let counting = try db.hooks.trace(.rows) { _ in rows += 1 }
    let profiling = try db.hooks.profile { _ in profiles += 1 }
    try db.run("INSERT INTO t VALUES (1)")
    #expect(
      all == [
        .statement(sql: "INSERT INTO t VALUES (1)", expandedSQL: nil),
        .trigger("TRIGGER noted"), .trigger("INSERT INTO log VALUES (new.a)"),
      ])
    all = []
    _ = try db.rows("SELECT 1 UNION ALL SELECT 2")
    #expect(rows == 2)
    #expect(all.count == 3)
    #expect(all.last == .row(sql: "SELECT 1 UNION ALL SELECT 2"))
    #expect(profiles == 2)
    db.hooks.remove(profiling)
    db.hooks.remove(counting)
    _ = try db.rows("SELECT 1")
    #expect(rows == 2)
    #expect(profiles == 2)
    all = []
    try db.close()
    #expect(all == [.close])
    let error = #expect(throws: SQLiteError.self) { try db.hooks.trace { _ in } }
    #expect(error?.code == .closed)
  }
}
