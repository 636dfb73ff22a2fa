import SQLiteCore
import Testing

@Suite struct `The update hook` {
  private func database() throws -> Connection {
    try memory(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO t VALUES (1, 1), (2, 2);
      CREATE TABLE w (id PRIMARY KEY) WITHOUT ROWID;
      """)
  }

  @Test func `reports the kind, table and key of each row to every subscriber`() throws {
    let db = try database()
    var (events, count): ([String], Int) = ([], 0)
    let subscription = try db.hooks.update { events.append("\($0) \($1) \($2.rawValue)") }
    try db.hooks.update { _, _, _ in count += 1 }
    try db.run("INSERT INTO t VALUES (3, 3)")
    try db.run("UPDATE t SET id = 9 WHERE id = 3")
    try db.run("DELETE FROM t WHERE id = 9")
    #expect(events == ["insert t 3", "update t 9", "delete t 9"])
    db.hooks.remove(subscription)
    db.hooks.remove(subscription)
    try db.run("DELETE FROM t WHERE id = 1")
    #expect(events.count == 3)
    #expect(count == 4)
  }

  @Test func `omits WITHOUT ROWID tables, replaced rows and truncations`() throws {
    let db = try database()
    var events: [String] = []
    try db.hooks.update { events.append("\($0) \($1) \($2.rawValue)") }
    try db.run("INSERT INTO w VALUES (1)")
    try db.run("REPLACE INTO t VALUES (5, 1)")
    #expect(events == ["insert t 5"])
    try db.run("DELETE FROM t")
    #expect(events == ["insert t 5"])
  }

  @Test(.needs(.preupdateHook)) func `coexists with observers`() throws {
    let db = try database()
    var events: [String] = []
    let recorder = Recorder()
    let observing = try db.hooks.add(recorder)
    let subscription = try db.hooks.update { events.append("\($0) \($1) \($2.rawValue)") }
    try db.run("DELETE FROM t")
    #expect(events == ["delete t 1", "delete t 2"])
    #expect(recorder.events.prefix(2) == ["delete t 1→0", "delete t 2→0"])
    db.hooks.remove(subscription)
    db.hooks.remove(observing)
    try db.run("INSERT INTO t VALUES (1, 1)")
    #expect(events.count == 2)
  }

  @Test func `can't be added to a closed connection`() throws {
    let db = try database()
    try db.hooks.update { _, _, _ in }
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.hooks.update { _, _, _ in } }
    #expect(error?.code == .closed)
  }
}
