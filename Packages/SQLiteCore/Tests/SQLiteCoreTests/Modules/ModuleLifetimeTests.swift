import SQLiteCore
import Testing

@Suite struct `Modules` {
  /// Registers a module that no other object retains.
  private func register(
    _ db: Connection, as name: String = "store", kind: VirtualTable.ModuleKind = .created,
    onEvent: @escaping (String) -> Void = { _ in }
  ) throws -> () -> Store? {
    let store = Store(kind: kind)
    store.onEvent = onEvent
    try db.register(module: store, as: name)
    return { [weak store] in store }
  }

  @Test func `are freed when the connection is closed`() throws {
    let db = try memory()
    let created = try register(db)
    let eponymous = try register(db, as: "other", kind: .eponymousOnly)
    try db.execute("CREATE VIRTUAL TABLE t USING store; INSERT INTO t VALUES ('a', 1)")
    #expect(try db.rows("SELECT * FROM other") == [])
    #expect(created() != nil)
    #expect(eponymous() != nil)
    try db.close()
    #expect(created() == nil)
    #expect(eponymous() == nil)
  }

  @Test func `are freed with a connection that is released without closing`() throws {
    var db: Connection? = try memory()
    let store = try register(try #require(db))
    try db?.execute("CREATE VIRTUAL TABLE t USING store")
    #expect(store() != nil)
    db = nil
    #expect(store() == nil)
  }

  @Test func `are freed when they are replaced or unregistered`() throws {
    let db = try memory()
    let first = try register(db, kind: .eponymousOnly)
    #expect(try db.rows("SELECT * FROM store") == [])
    let second = try register(db, as: "STORE", kind: .eponymousOnly)
    second()?.tables["STORE"] = [1: Store.Entry(key: "a", value: 1)]
    // SQLite frees unused modules when it compiles the next statement.
    #expect(try db.rows("SELECT * FROM store") == [["a", 1]])
    #expect(first() == nil)
    try db.unregister(module: "store")
    #expect(throws: SQLiteError.self) { try db.rows("SELECT * FROM store") }
    #expect(second() == nil)
    try db.unregister(module: "never_was")
  }

  @Test func `that are replaced are no longer used by compiled statements`() throws {
    let db = try memory()
    let (first, second) = (Probe(), Probe())
    try db.register(module: first, as: "probe")
    let statement = try db.prepare("SELECT a FROM probe")
    #expect(try statement.step())
    statement.reset()
    second.rows = [[7, 8, 9]]
    try db.register(module: second, as: "probe")
    #expect(try statement.step())
    #expect(try statement.row.read(Int.self, at: 0) == 7)
  }

  @Test func `are retained by a connected table until it is dropped`() throws {
    let db = try memory()
    var events: [String] = []
    let first = try register(db) { events.append($0) }
    try db.execute("CREATE VIRTUAL TABLE t USING store; INSERT INTO t VALUES ('a', 1)")
    try db.unregister(module: "store")
    try db.execute("UPDATE t SET value = 2")
    #expect(first()?.tables["t"] == [1: Store.Entry(key: "a", value: 2)])
    try db.execute("DROP TABLE t")
    #expect(events == ["create t ", "destroy t", "free t"])
    #expect(first() == nil)
  }

  @Test func `connect a stored table once for each connection`() throws {
    let directory = try TemporaryDirectory()
    var events: [String] = []
    do {
      let db = try directory.connect()
      let store = try register(db) { events.append($0) }
      try db.execute("CREATE VIRTUAL TABLE t USING store(x)")
      try db.close()
      #expect(store() == nil)
    }
    #expect(events == ["create t x", "free t"])
    events = []
    let db = try directory.connect()
    _ = try register(db) { events.append($0) }
    for _ in 1...2 { #expect(try db.rows("SELECT * FROM t") == []) }
    #expect(events == ["connect t x"])
    try db.execute("DROP TABLE t")
    #expect(events == ["connect t x", "destroy t", "free t"])
  }

  @Test func `can't be replaced while a statement runs`() throws {
    let db = try memory()
    let store = try register(db, kind: .eponymous)
    store()?.tables["store"] = [1: Store.Entry(key: "a", value: 1)]
    try db.forEach("SELECT * FROM store") { _ in
      let refused = [
        #expect(throws: SQLiteError.self) { try db.register(module: Series(), as: "store") },
        #expect(throws: SQLiteError.self) { try db.unregister(module: "store") },
      ]
      #expect(refused.allSatisfy { $0?.code == .busy })
    }
    #expect(store() != nil)
  }

  @Test func `can't be registered on a closed connection`() throws {
    let db = try memory()
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.register(module: Series(), as: "s") }
    #expect(error?.code == .closed)
  }

  @Test func `are removed from a reader after the access that registers them`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    try await database.read { try $0.register(module: Series(), as: "series") }
    await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.rows("SELECT value FROM series(1, 1)") }
    }
  }
}
