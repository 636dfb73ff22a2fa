import SQLiteCore
import Testing

@Suite struct `The authorizer` {
  @Test func `denies an action, and the strictest answer wins`() throws {
    let db = try memory("CREATE TABLE t (a, secret); INSERT INTO t VALUES (1, 2)")
    try db.hooks.authorize { _ in .allow }
    let subscription = try db.hooks.authorize { $0.second == "secret" ? .deny : .allow }
    try db.hooks.authorize { $0.second == "secret" ? .ignore : .allow }
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT secret FROM t") }
    #expect(error?.code == .authorization)
    #expect(try db.rows("SELECT a FROM t") == [[1]])
    db.hooks.remove(subscription)
    #expect(try db.rows("SELECT secret FROM t") == [[nil]])
  }

  @Test func `applies to statements compiled before its addition, not after its removal`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let sql = "SELECT a FROM t"
    #expect(try db.rows(SQL(unsafe: sql)) == [[1]])
    let subscription = try db.hooks.authorize { $0.second == "a" ? .ignore : .allow }
    #expect(try db.rows(SQL(unsafe: sql)) == [[nil]])
    db.hooks.remove(subscription)
    #expect(try db.rows(SQL(unsafe: sql)) == [[1]])
  }

  @Test func `receives the action with its table, column, schema and cause`() throws {
    let db = try memory("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t")
    var requests: [Hooks.AuthorizationRequest] = []
    try db.hooks.authorize {
      requests.append($0)
      return .allow
    }
    _ = try db.prepare("SELECT a FROM v")
    let read = requests.first { $0.action == 20 && $0.first == "t" }
    #expect(read?.second == "a")
    #expect(read?.schema == "main")
    #expect(read?.cause == "v")
  }
}

@Suite struct `Profiling` {
  @Test func `reports each statement that ran to every subscriber`() throws {
    let db = try memory("CREATE TABLE t (a)")
    var first: [String] = []
    var second: [Statement.Profile] = []
    let subscription = try db.hooks.profile { first.append($0.sql) }
    try db.hooks.profile { second.append($0) }
    try db.run("INSERT INTO t VALUES (?)", 1)
    _ = try db.rows("SELECT a FROM t")
    db.hooks.remove(subscription)
    try db.run("DELETE FROM t")
    #expect(first == ["INSERT INTO t VALUES (?)", "SELECT a FROM t"])
    #expect(second.map(\.sql) == first + ["DELETE FROM t"])
    #expect(second.allSatisfy { $0.duration >= .zero })
  }
}

@Suite struct `The progress hook` {
  @Test func `interrupts if one subscriber requests it`() throws {
    let db = try memory()
    var calls = 0
    try db.hooks.progress { true }
    let subscription = try db.hooks.progress {
      calls += 1
      return calls < 10
    }
    let error = #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: endlessQuery)) }
    #expect(error?.code == .interrupt)
    #expect(calls == 10)
    db.hooks.remove(subscription)
    try db.run("SELECT 1")
  }
}

@Suite struct `The write-ahead log hook` {
  @Test func `reports commits, and automatic checkpoints continue`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    var pages: [Int] = []
    let subscription = try db.hooks.walCommit { schema, count in
      #expect(schema == "main")
      pages.append(count)
    }
    for _ in 0..<30 { try db.run("INSERT INTO t VALUES (zeroblob(400000))") }
    #expect(pages.count == 30)
    #expect((pages.max() ?? 0) < 2_000)
    #expect(pages.contains { $0 < (pages.max() ?? 0) / 2 })
    db.hooks.remove(subscription)
    try db.run("INSERT INTO t VALUES (1)")
    #expect(pages.count == 30)
    #expect(try db.value(Int.self, "PRAGMA wal_autocheckpoint") == 1_000)
  }

  @Test func `reports nothing for an in-memory database`() throws {
    let db = try memory("CREATE TABLE t (a)")
    var count = 0
    try db.hooks.walCommit { _, _ in count += 1 }
    try db.run("INSERT INTO t VALUES (1)")
    #expect(count == 0)
  }
}
