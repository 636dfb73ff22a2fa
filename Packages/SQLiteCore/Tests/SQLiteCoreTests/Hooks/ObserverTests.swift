import SQLiteCore
import Testing

@Suite(.needs(.preupdateHook)) struct `Observers` {
  private func observed(_ script: String, showsValues: Bool = false) throws
    -> (Connection, Recorder)
  {
    let db = try memory(SQL(unsafe: script))
    let recorder = Recorder(showsValues: showsValues)
    try db.hooks.add(recorder)
    return (db, recorder)
  }

  @Test func `receive each row change, and then the commit`() throws {
    let (db, recorder) = try observed(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", showsValues: true)
    try db.run("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    #expect(
      recorder.take() == [
        "insert t 0→1 (-,-) (1,'x')", "insert t 0→2 (-,-) (2,NULL)", "willCommit", "didCommit",
      ])
    try db.transaction {
      try db.run("UPDATE t SET a = 5 WHERE id = 1")
      try db.run("DELETE FROM t WHERE id = 2")
      #expect(
        recorder.take() == ["update t 1→1 (1,'x') (1,5)", "delete t 2→0 (2,NULL) (-,-)"])
    }
    #expect(recorder.take() == ["willCommit", "didCommit"])
    _ = try db.rows("SELECT * FROM t")
    #expect(recorder.take() == [])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let schema: String
    let sql: String
    let events: [String]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "DELETE without WHERE",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2)",
      sql: "DELETE FROM t",
      events: ["delete t 1→0 (1,1) (-,-)", "delete t 2→0 (2,2) (-,-)"]),
    Case(
      name: "REPLACE",
      schema: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO t VALUES (1, 7), (2, 8)
        """,
      sql: "REPLACE INTO t VALUES (1, 8)",
      events: [
        "delete t 1→0 (1,7) (-,-)", "delete t 2→0 (2,8) (-,-)", "insert t 0→1 (-,-) (1,8)",
      ]),
    Case(
      name: "a table without rowids",
      schema: "CREATE TABLE t (k TEXT PRIMARY KEY, a) WITHOUT ROWID; INSERT INTO t VALUES ('x', 1)",
      sql: "UPDATE t SET a = 2",
      events: ["update t 0→0 ('x',1) ('x',2)"]),
    Case(
      name: "a key that changes",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 7)",
      sql: "UPDATE t SET id = 9",
      events: ["update t 1→9 (1,7) (9,7)"]),
    Case(
      name: "a cascade",
      schema: """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (p REFERENCES p ON DELETE CASCADE);
        INSERT INTO p VALUES (1); INSERT INTO c VALUES (1);
        """,
      sql: "DELETE FROM p",
      events: ["delete p 1→0 (1) (-)", "delete c 1→0 (1) (-) depth 1"]),
    Case(
      name: "a trigger",
      schema: """
        CREATE TABLE t (a); CREATE TABLE log (b);
        CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a + 1); END;
        """,
      sql: "INSERT INTO t VALUES (1)",
      events: ["insert t 0→1 (-) (1)", "insert log 0→1 (-) (2) depth 1"]),
    Case(
      name: "an upsert",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, 1)",
      sql: "INSERT INTO t VALUES (1, 0), (2, 0) ON CONFLICT DO UPDATE SET n = n + 1",
      events: ["update t 1→1 (1,1) (1,2)", "insert t 0→2 (-,-) (2,0)"]),
    Case(
      name: "generated columns",
      schema: "CREATE TABLE t (a, s AS (a + 1) STORED, b)",
      sql: "INSERT INTO t (a, b) VALUES (1, 3)",
      events: ["insert t 0→1 (-,-,-) (1,2,3)"]),
    Case(
      name: "virtual generated columns",
      schema: "CREATE TABLE t (a, v AS (a + 1), b)",
      sql: "INSERT INTO t (a, b) VALUES (1, 3)",
      events: ["insert t 0→1 (-,-,-) (1,3,-)"]),
    Case(
      name: "an update of a row with virtual generated columns",
      schema: "CREATE TABLE t (a, v AS (a + 1), b); INSERT INTO t (a, b) VALUES (1, 3)",
      sql: "UPDATE t SET b = 4",
      events: ["update t 1→1 (1,3,-) (1,4,-)"]),
    Case(
      name: "a delete of a row with virtual generated columns",
      schema: "CREATE TABLE t (a, v AS (a + 1), b); INSERT INTO t (a, b) VALUES (1, 3)",
      sql: "DELETE FROM t",
      events: ["delete t 1→0 (1,3,-) (-,-,-)"]),
    Case(
      name: "a key that is not the first column",
      schema: """
        CREATE TABLE t (a, k TEXT, b, j TEXT, PRIMARY KEY (j, k)) WITHOUT ROWID;
        INSERT INTO t VALUES (1, 'k', 2, 'j');
        """,
      sql: "UPDATE t SET b = 3",
      events: ["update t 0→0 (1,'k',2,'j') (1,'k',3,'j')"]),
    Case(
      name: "a real column that holds integers",
      schema: "CREATE TABLE t (r REAL); INSERT INTO t VALUES (1)",
      sql: "UPDATE t SET r = 2",
      events: ["update t 1→1 (1.0) (2.0)"]),
    Case(
      name: "nothing changed", schema: "CREATE TABLE t (a)", sql: "DELETE FROM t", events: []),
    Case(
      name: "an attached database",
      schema: "ATTACH ':memory:' AS other; CREATE TABLE other.t (a)",
      sql: "INSERT INTO t VALUES (1)", events: ["insert other.t 0→1 (-) (1)"]),
    Case(
      name: "a temporary table", schema: "CREATE TEMP TABLE t (a)",
      sql: "INSERT INTO t VALUES (1)", events: ["insert temp.t 0→1 (-) (1)"]),
  ]

  @Test(arguments: cases) func `receive every row change of`(_ expected: Case) throws {
    let (db, recorder) = try observed(expected.schema, showsValues: true)
    try db.run(SQL(unsafe: expected.sql))
    #expect(recorder.take().filter { !$0.contains("Commit") } == expected.events)
  }

  /// Older versions, such as 3.40, report NULL if the stored row lacks the column.
  @Test func `receive the old value of a column added later, if SQLite provides it`() throws {
    let (db, recorder) = try observed(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 7",
      showsValues: true)
    try db.run("UPDATE t SET a = 2")
    let old = try #require(recorder.take().first)
    #expect(["update t 1→1 (1,NULL) (2,7)", "update t 1→1 (1,7) (2,7)"].contains(old))
  }

  @Test func `receive row changes of statements compiled before they were added`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let statement = try db.prepare("DELETE FROM t WHERE 1")
    let truncate = try db.prepare("DELETE FROM t")
    try db.savepoint { try truncate.run() }
    try db.run("INSERT INTO t VALUES (1), (2)")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    try truncate.run()
    #expect(recorder.take() == ["delete t 1→0", "delete t 2→0", "willCommit", "didCommit"])
    try db.run("INSERT INTO t VALUES (3)")
    _ = recorder.take()
    try statement.run()
    #expect(recorder.take() == ["delete t 1→0", "willCommit", "didCommit"])
  }

  @Test func `are called in the order of their addition, and not after their removal`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let events = Recorder()
    let (a, b) = (Relay("a", to: events), Relay("b", to: events))
    let first = try db.hooks.add(a)
    let second = try db.hooks.add(b)
    try db.run("INSERT INTO t VALUES (1)")
    #expect(events.take() == ["a change", "b change", "a commit", "b commit"])
    db.hooks.remove(first)
    db.hooks.remove(first)
    try db.run("INSERT INTO t VALUES (2)")
    #expect(events.take() == ["b change", "b commit"])
    db.hooks.remove(second)
    try db.run("INSERT INTO t VALUES (3)")
    #expect(events.take() == [])
    try db.hooks.add(a)
    try db.run("DELETE FROM t")
    #expect(events.take() == ["a change", "a change", "a change", "a commit"])
  }

  @Test func `may be removed, be added and use the connection in didCommit`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a); CREATE TABLE log (n)")
    let late = Recorder("late ")
    let once = Recorder()
    let subscription = try db.hooks.add(once)
    var isFirst = true
    once.onCommit = {
      guard isFirst else { return }
      isFirst = false
      db.hooks.remove(subscription)
      _ = try? db.hooks.add(late)
      _ = try? db.run("INSERT INTO log SELECT count(*) FROM t")
    }
    try db.run("INSERT INTO t VALUES (1)")
    #expect(try db.rows("SELECT n FROM log") == [[1]])
    #expect(once.events == ["insert t 0→1", "willCommit", "didCommit"])
    #expect(late.events == ["late insert log 0→1", "late willCommit", "late didCommit"])
    #expect(recorder.events.filter { $0 == "didCommit" }.count == 2)
  }

  @Test func `are released when they are removed, also after closing`() throws {
    let db = try memory()
    weak var gone: Recorder?
    var subscription: Hooks.Subscription?
    do {
      let recorder = Recorder()
      gone = recorder
      subscription = try db.hooks.add(recorder)
    }
    #expect(gone != nil)
    try db.close()
    if let subscription { db.hooks.remove(subscription) }
    #expect(gone == nil)
  }

  /// Forwards events with its name.
  final class Relay: TransactionObserver {
    let name: String
    let target: Recorder

    init(_ name: String, to target: Recorder) { (self.name, self.target) = (name, target) }

    func willChange(_ change: borrowing Hooks.RowChange) { target.events.append("\(name) change") }
    func didCommit() { target.events.append("\(name) commit") }
  }
}
