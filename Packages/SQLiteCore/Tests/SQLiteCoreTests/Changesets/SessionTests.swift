@testable import SQLiteCore
import Testing

/// A textual description of a changeset, with an entry for each change.
func described(_ changeset: Changeset) -> [String] { changeset.changes.map { described($0) } }

func described(_ change: Changeset.Change) -> String {
  let values = zip(change.oldValues, change.newValues).map { old, new in
    "\(old?.description ?? "-")→\(new?.description ?? "-")"
  }
  let mark = change.isIndirect ? " indirect" : ""
  return "\(change.operation) \(change.table) (\(values.joined(separator: ", ")))\(mark)"
}

let pairs =
  "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one'), (2, 'two')"

@Suite(.needs(.sessions)) struct `A session` {
  @Test func `records inserts, updates and deletes`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll()
    #expect(session.isEmpty)
    try db.run("INSERT INTO t VALUES (3, 'three')")
    try db.run("UPDATE t SET a = 'eins' WHERE id = 1")
    try db.run("DELETE FROM t WHERE id = 2")
    #expect(!session.isEmpty)
    #expect((session.memoryUsed ?? 1) > 0)
    let changeset = try session.changeset()
    #expect(
      described(changeset).sorted() == [
        "delete t (2→-, 'two'→-)", "insert t (-→3, -→'three')", "update t (1→-, 'one'→'eins')",
      ])
    #expect(changeset.changes.allSatisfy { $0.primaryKey == [true, false] })
    #expect(Set(changeset.changes.map(\.key)) == [[1], [2], [3]])
    #expect(!changeset.isPatchset)
    let patchset = try session.patchset()
    #expect(patchset.isPatchset)
    #expect(
      described(patchset).sorted() == [
        "delete t (2→-, -→-)", "insert t (-→3, -→'three')", "update t (1→-, -→'eins')",
      ])
  }

  @Test(arguments: [false, true])
  func `can be released by its own filter`(_ isObserved: Bool) throws {
    let db = try memory(SQL(unsafe: pairs))
    if isObserved { try db.hooks.add(Recorder()) }
    var after: Changeset.Session? = try db.session()
    try after?.attachAll()
    var session: Changeset.Session? = try db.session()
    var before: Changeset.Session? = try db.session()
    try before?.attachAll()
    try session?.attachAll { _ in
      session = nil
      return true
    }
    try db.run("UPDATE t SET a = 'x'")
    #expect(session == nil)
    for other in [before, after] {
      let changes = try #require(try other?.changeset().changes)
      #expect(Array(changes).count == 2)
    }
    before = nil
    after = nil
    try db.run("DELETE FROM t")
    try db.close()
  }

  @Test func `records no table whose name contains a NUL`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    let error = #expect(throws: SQLiteError.self) { try session.attach("t\0able") }
    #expect(error?.code == .misuse)
    try db.run("DELETE FROM t")
    #expect(session.isEmpty)
  }

  @Test func `combines several changes, and omits rolled back ones`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll()
    try db.run("UPDATE t SET a = 'x' WHERE id = 1")
    try db.run("UPDATE t SET a = 'y' WHERE id = 1")
    try db.run("INSERT INTO t VALUES (9, 9)")
    try db.run("DELETE FROM t WHERE id = 9")
    #expect(throws: Failure()) {
      try db.transaction {
        try db.run("DELETE FROM t")
        throw Failure()
      }
    }
    #expect(described(try session.changeset()) == ["update t (1→-, 'one'→'y')"])
  }

  @Test func `records a DELETE without WHERE that was compiled before the session`() throws {
    let db = try memory(SQL(unsafe: pairs))
    try db.execute("CREATE TABLE u (id INTEGER PRIMARY KEY)")
    let delete = try db.prepare("DELETE FROM t")
    try db.savepoint {
      try delete.run()
      try db.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')")
    }
    let session = try db.session()
    try session.attachAll()
    try delete.run()
    #expect(described(try session.changeset()).count == 2)
  }

  @Test func `records writes through a blob`() throws {
    let db = try memory(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, x'0000')")
    let session = try db.session()
    try session.attachAll()
    try db.withBlob(in: "t", column: "a", row: 1, mode: .readWrite) { try $0.write([7], at: 1) }
    #expect(described(try session.changeset()) == ["update t (1→-, x'0000'→x'0007')"])
  }

  @Test func `records the attached tables that have a key`() throws {
    let db = try memory(
      "\(unsafe: pairs); CREATE TABLE u (id TEXT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE nokey (a)"
    )
    let (one, some, none, all) = (
      try db.session(), try db.session(), try db.session(), try db.session()
    )
    try one.attach("t")
    try one.attach("later")
    var asked: [String] = []
    try some.attachAll {
      asked.append($0)
      return $0 != "t"
    }
    try all.attachAll()
    try db.run("INSERT INTO t VALUES (3, 3)")
    try db.run("INSERT INTO u VALUES ('u')")
    try db.run("INSERT INTO nokey VALUES (1)")
    try db.execute("CREATE TABLE later (id PRIMARY KEY); INSERT INTO later VALUES (1), (NULL)")
    #expect(described(try one.changeset()) == ["insert t (-→3, -→3)", "insert later (-→1)"])
    #expect(described(try some.changeset()) == ["insert u (-→'u')", "insert later (-→1)"])
    #expect(asked.contains("t") && asked.contains("u"))
    #expect(try none.changeset() == .empty)
    #expect(
      described(try all.changeset())
        == ["insert t (-→3, -→3)", "insert u (-→'u')", "insert later (-→1)"])
  }

  @Test func `records every table again on request`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll { _ in false }
    try session.attachAll()
    try db.run("DELETE FROM t WHERE id = 1")
    #expect(described(try session.changeset()) == ["delete t (1→-, 'one'→-)"])
  }

  @Test func `can be disabled, and mark its changes as indirect`() throws {
    let db = try memory(
      "\(unsafe: pairs); CREATE TABLE log (id INTEGER PRIMARY KEY); "
        + "CREATE TRIGGER tr AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.id); END")
    let session = try db.session()
    try session.attachAll()
    #expect(session.isEnabled && !session.isIndirect)
    session.isEnabled = false
    try db.run("INSERT INTO t VALUES (3, 3)")
    session.isEnabled = true
    try db.run("DELETE FROM t WHERE id = 2")
    session.isIndirect = true
    try db.run("INSERT INTO t VALUES (4, 4)")
    #expect(
      described(try session.changeset()).sorted() == [
        "delete t (2→-, 'two'→-)", "insert log (-→2) indirect", "insert t (-→4, -→4) indirect",
      ])
  }

  @Test func `writes its bytes in chunks`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll()
    for id in 10..<300 { try db.run("INSERT INTO t VALUES (?, 'some text or other')", id) }
    var (bytes, count): ([UInt8], Int) = ([], 0)
    try session.writeChangeset { piece in
      bytes += piece
      count += 1
    }
    #expect(count > 1)
    #expect(try Changeset(bytes: bytes) == session.changeset())
    bytes = []
    try session.writePatchset { bytes += $0 }
    #expect(try Changeset(bytes: bytes) == session.patchset())
    #expect(throws: Failure()) { try session.writeChangeset { _ in throw Failure() } }
    #expect(try session.changeset().changes.map(\.table).count == 290)
  }

  @Test func `records the differences of two tables`() throws {
    let db = try memory(
      """
      \(unsafe: pairs); ATTACH ':memory:' AS before;
      CREATE TABLE before.t (id INTEGER PRIMARY KEY, a); INSERT INTO before.t VALUES (1, 'one'), (5, 5);
      CREATE TABLE before.u (id INTEGER PRIMARY KEY); CREATE TABLE u (id INTEGER PRIMARY KEY, more);
      """)
    let session = try db.session()
    try session.diff(from: "before", table: "t")
    #expect(
      described(try session.changeset()).sorted()
        == ["delete t (5→-, 5→-)", "insert t (-→2, -→'two')"])
    let mismatch = #expect(throws: SQLiteError.self) {
      try session.diff(from: "before", table: "u")
    }
    #expect(mismatch?.code == .schema)
    let missing = #expect(throws: SQLiteError.self) {
      try session.diff(from: "nothing", table: "t")
    }
    #expect(missing?.code == .unknownSchema)
  }

  @Test func `fails if the columns of a recorded table have changed`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll()
    try db.run("DELETE FROM t WHERE id = 1")
    // Releases since 3.44 support added columns.
    try db.execute("ALTER TABLE t DROP COLUMN a")
    try db.run("DELETE FROM t WHERE id = 2")
    let error = #expect(throws: SQLiteError.self) { try session.changeset() }
    #expect(error?.code == .schema)
  }

  @Test func `keeps the connection open, and ends when it is released`() throws {
    let db = try memory(SQL(unsafe: pairs))
    var session: Changeset.Session? = try db.session()
    try session?.attachAll()
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.code == .busy)
    try db.run("DELETE FROM t")
    #expect(try session?.changeset().isEmpty == false)
    session = nil
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.session() }
    #expect(closed?.code == .closed)
  }

  @Test func `outlives its connection object`() throws {
    var db: Connection? = try memory(SQL(unsafe: pairs))
    let session = try #require(try db?.session())
    try session.attachAll()
    try db?.run("DELETE FROM t")
    db = nil
    #expect(try session.changeset().changes.map(\.operation) == [.delete, .delete])
  }

  @Test func `requires an existing database`() throws {
    let db = try memory("ATTACH ':memory:' AS a; CREATE TABLE a.t (id INTEGER PRIMARY KEY)")
    let error = #expect(throws: SQLiteError.self) { try db.session(of: "nothing") }
    #expect(error?.code == .unknownSchema)
    let session = try db.session(of: "a")
    try session.attachAll()
    try db.execute(
      "INSERT INTO a.t VALUES (1); CREATE TABLE t (id PRIMARY KEY); INSERT INTO t VALUES (2)")
    #expect(described(try session.changeset()) == ["insert t (-→1)"])
  }
}

@Suite(.needs(.sessions)) struct `Sessions and observers` {
  private let changes = [
    "INSERT INTO t VALUES (3, 3)", "UPDATE t SET a = 4 WHERE id = 1", "DELETE FROM t WHERE id = 2",
  ]
  private let events = [
    "insert t 0→3", "willCommit", "didCommit", "update t 1→1", "willCommit", "didCommit",
    "delete t 2→0", "willCommit", "didCommit",
  ]

  @Test(arguments: [true, false])
  func `receive every change, in either order of creation`(_ sessionComesFirst: Bool) throws {
    let db = try memory(SQL(unsafe: pairs))
    let recorder = Recorder()
    var sessions: [Changeset.Session] = []
    if !sessionComesFirst { try db.hooks.add(recorder) }
    for _ in 0..<3 { sessions.append(try db.session()) }
    if sessionComesFirst { try db.hooks.add(recorder) }
    for session in sessions { try session.attachAll() }
    for sql in changes { try db.run(SQL(unsafe: sql)) }
    #expect(recorder.take() == events)
    for session in sessions { #expect(described(try session.changeset()).count == 3) }
    #expect(recorder.take() == [])
  }

  @Test func `begin and end in any order`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let recorder = Recorder()
    var random = SeededGenerator(seed: 11)
    var sessions: [(session: Changeset.Session, since: Int)] = []
    var subscription: Hooks.Subscription?
    var expected = 0
    for step in 1...300 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let session = try db.session()
        try session.attachAll()
        sessions.append((session, step))
      case 1:
        if let index = sessions.indices.randomElement(using: &random) { sessions.remove(at: index) }
      case 2:
        if let old = subscription { db.hooks.remove(old) }
        subscription = subscription == nil ? try db.hooks.add(recorder) : nil
      default:
        try db.run("INSERT INTO t VALUES (?, 0)", step)
        if subscription != nil { expected += 3 }
      }
      #expect(recorder.events.count == expected)
    }
    let ids = try db.values(Int64.self, "SELECT id FROM t")
    for (session, since) in sessions {
      let found = Set(try session.changeset().changes.map(\.key))
      #expect(found == Set(ids.filter { $0 > since }.map { [.integer($0)] }))
    }
    sessions = []
    try db.run("INSERT INTO t VALUES (1000, 0)")
    try db.close()
  }

  @Test func `receive a change during which the observer is removed`() throws {
    let db = try memory(SQL(unsafe: pairs))
    let session = try db.session()
    try session.attachAll()
    let recorder = Recorder()
    let subscription = try db.hooks.add(recorder)
    recorder.onChange = { db.hooks.remove(subscription) }
    for id in [1, 2] { try db.run("DELETE FROM t WHERE id = ?", id) }
    #expect(recorder.events == ["delete t 1→0"])
    #expect(try session.changeset().changes.map(\.key) == [[1], [2]])
  }

  @Test func `are refused as the second kind if the hook can't be shared`() throws {
    let (first, second) = (try memory(SQL(unsafe: pairs)), try memory(SQL(unsafe: pairs)))
    for db in [first, second] { db.hooks.sessions.isUnshareable = true }
    let recorder = Recorder()
    let subscription = try first.hooks.add(recorder)
    let refused = #expect(throws: SQLiteError.self) { try first.session() }
    #expect(refused?.code == .unsupported)
    try first.run("DELETE FROM t WHERE id = 1")
    #expect(recorder.take().first == "delete t 1→0")
    first.hooks.remove(subscription)
    _ = try first.session()

    var session: Changeset.Session? = try second.session()
    try session?.attachAll()
    let error = #expect(throws: SQLiteError.self) { try second.hooks.add(recorder) }
    #expect(error?.code == .unsupported)
    try second.run("DELETE FROM t WHERE id = 1")
    #expect(try session?.changeset().changes.map(\.key) == [[1]])
    session = nil
    try second.hooks.add(recorder)
    try second.run("DELETE FROM t WHERE id = 2")
    #expect(recorder.take().first == "delete t 2→0")
  }

  @Test func `both receive the changes of a changeset`() throws {
    let source = try memory(SQL(unsafe: pairs))
    let recording = try source.session()
    try recording.attachAll()
    for sql in changes { try source.run(SQL(unsafe: sql)) }
    let db = try memory(SQL(unsafe: pairs))
    let recorder = Recorder()
    try db.hooks.add(recorder)
    let session = try db.session()
    try session.attachAll()
    let changeset = try recording.changeset()
    try db.apply(changeset) { _ in .abort }
    #expect(
      Set(recorder.take())
        == ["insert t 0→3", "update t 1→1", "delete t 2→0", "willCommit", "didCommit"])
    #expect(Set(described(try session.changeset())) == Set(described(changeset)))
  }
}
