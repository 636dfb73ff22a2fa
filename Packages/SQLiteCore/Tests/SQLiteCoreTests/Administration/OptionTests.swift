import SQLiteCore
import Testing

@Suite struct `An option of the connection` {
  @Test(arguments: Connection.Option.allCases)
  func `is set and read, or unsupported`(_ option: Connection.Option) throws {
    let db = try memory()
    let releases: [Connection.Option: Int] = [
      .reverseScanOrder: 3_042_000, .attachMayCreate: 3_049_000, .attachMayWrite: 3_049_000,
      .comments: 3_049_000,
    ]
    guard SQLiteLibrary.versionNumber >= releases[option] ?? 0 else {
      for attempt in [
        { _ = try db.isOn(option) }, { try db.setOption(option, on: true) },
      ] as [() throws -> Void] {
        let error = #expect(throws: SQLiteError.self) { try attempt() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(SQLiteLibrary.version) == true)
      }
      return
    }
    for isOn in [true, false, true] {
      try db.setOption(option, on: isOn)
      #expect(try db.isOn(option) == isOn)
    }
    try db.close()
    for attempt in [
      { _ = try db.isOn(option) }, { try db.setOption(option, on: true) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `has the configured value`() throws {
    let db = try memory()
    #expect(try db.isOn(.foreignKeys))
    #expect(try db.isOn(.defensive))
    #expect(try !db.isOn(.trustedSchema))
    #expect(try !db.isOn(.doubleQuotedStringsInQueries))
    #expect(try !db.isOn(.doubleQuotedStringsInSchema))
    #expect(try !db.isOn(.writableSchema))
  }

  @Test func `has its documented effect`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a); CREATE TABLE log (b); CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END
      """)
    try db.setOption(.triggers, on: false)
    try db.run("INSERT INTO t VALUES (1)")
    #expect(try db.count("log") == 0)
    try db.setOption(.triggers, on: true)
    try db.run("INSERT INTO t VALUES (1)")
    #expect(try db.count("log") == 1)
    #expect(try db.count("v") == 2)
    try db.setOption(.views, on: false)
    #expect(throws: SQLiteError.self) { try db.count("v") }
  }

  @Test func `keeps the log when the last connection closes`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.setOption(.noCheckpointOnClose, on: true)
    try db.execute("CREATE TABLE t (a)")
    try db.close()
    #expect(!(try `An option of the connection`.isMissing(directory.file() + "-wal")))
  }

  static func isMissing(_ path: String) throws -> Bool {
    do {
      // Any existing file can be opened, even if it is not a database.
      _ = try Connection(.uri(path: path, Database.URIParameters(mode: .readOnly)))
      return false
    } catch let error as SQLiteError {
      return error.code == .cannotOpen
    }
  }
}

@Suite struct `Resetting a database` {
  @Test func `deletes its content`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIRTUAL TABLE f USING fts5(b)")
    #expect(try db.count("t") == 1)
    try db.resetDatabase()
    #expect(try db.tables().isEmpty)
    try db.execute("CREATE TABLE u (a)")
    #expect(try directory.connect().tables().map(\.name) == ["u"])
    #expect(try db.integrityCheck() == [])
  }

  @Test func `is refused in a transaction, on a read-only connection, and on a closed one`()
    throws
  {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    try db.transaction {
      let error = #expect(throws: SQLiteError.self) { try db.resetDatabase() }
      #expect(error?.code == .insideTransaction)
    }
    let reader = try directory.connect { $0.isReadOnly = true }
    #expect(throws: SQLiteError.self) { try reader.resetDatabase() }
    #expect(try reader.count("t") == 0)
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.resetDatabase() }
    #expect(error?.code == .closed)
  }

  @Test func `works if the schema can't be read`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.isDefensive = false }
    try db.execute("CREATE TABLE t (a)")
    try db.setOption(.writableSchema, on: true)
    try db.run("UPDATE sqlite_master SET sql = 'nonsense'")
    try db.setPragma("writable_schema", to: "RESET")
    let error = #expect(throws: SQLiteError.self) { try db.count("t") }
    #expect(error?.code == .corrupt)
    try db.resetDatabase()
    try db.execute("CREATE TABLE u (a)")
    #expect(try directory.connect().tables().map(\.name) == ["u"])
  }
}
