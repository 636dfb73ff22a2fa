import Foundation
import SQLiteCore
import Testing

@Suite struct `Vacuuming` {
  private func spacious() throws -> (Connection, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    for _ in 0..<10 { try db.run("INSERT INTO t VALUES (zeroblob(10000))") }
    try db.run("DELETE FROM t WHERE rowid > 1")
    return (db, directory)
  }

  @Test func `frees space`() throws {
    let (db, directory) = try spacious()
    #expect(try db.freePageCount() > 10)
    let before = try db.byteCount()
    try db.vacuum()
    #expect(try db.freePageCount() == 0)
    #expect(try db.byteCount() < before)
    #expect(try db.byteCount() == db.pageCount() * db.pageSize())
    #expect(try db.count("t") == 1)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: ["copy.sqlite", "file:copy?mode=memory", "quo'te \" é"])
  func `into another file makes a copy`(_ name: String) throws {
    let (db, directory) = try spacious()
    let reader = try directory.connect { $0.isReadOnly = true }
    try reader.vacuum(into: directory.file(name))
    let copy = try Connection(path: directory.file(name))
    #expect(try copy.count("t") == 1)
    #expect(try copy.freePageCount() == 0)
    let error = #expect(throws: SQLiteError.self) { try db.vacuum(into: directory.file(name)) }
    #expect(error?.code == .error)
    #expect(try copy.integrityCheck() == [])
  }

  @Test func `is refused in a transaction, for an unknown database, and after closing`() throws {
    let (db, directory) = try spacious()
    try db.transaction {
      for attempt in [
        { try db.vacuum() }, { try db.vacuum(into: directory.file("copy")) },
      ] as [() throws -> Void] {
        let error = #expect(throws: SQLiteError.self) { try attempt() }
        #expect(error?.code == .insideTransaction)
      }
    }
    let schema = #expect(throws: SQLiteError.self) { try db.vacuum("nope") }
    #expect(schema?.code == .unknownSchema)
    for path in ["", "a\0b", "/no such directory/copy"] {
      let error = #expect(throws: SQLiteError.self) { try db.vacuum(into: path) }
      #expect(error?.code == .cannotOpen)
    }
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.vacuum() }
    #expect(error?.code == .closed)
  }

  @Test func `is incremental if the file is configured for it`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    #expect(try db.autoVacuum() == .off)
    try db.setAutoVacuum(.incremental)
    try db.vacuum()
    #expect(try db.autoVacuum() == .incremental)
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(200000)); DELETE FROM t")
    let free = try db.freePageCount()
    #expect(free > 20)
    try db.incrementalVacuum(pages: 5)
    #expect(try db.freePageCount() == free - 5)
    try db.incrementalVacuum(pages: 0)
    #expect(try db.freePageCount() == free - 5)
    try db.incrementalVacuum()
    #expect(try db.freePageCount() == 0)
    try db.setAutoVacuum(.full)
    try db.execute("INSERT INTO t VALUES (zeroblob(200000)); DELETE FROM t")
    #expect(try db.freePageCount() == 0)
  }
}

@Suite struct `File maintenance` {
  @Test func `collects statistics for the query planner`() throws {
    let db = try memory("CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1)")
    try db.analyze("t")
    #expect(try db.count("sqlite_stat1") == 1)
    try db.run("DELETE FROM sqlite_stat1")
    try db.analyze()
    #expect(try db.count("sqlite_stat1") == 1)
    try db.optimize()
    try db.optimize("main")
    let error = #expect(throws: SQLiteError.self) { try db.analyze("nope") }
    #expect(error?.code == .error)
    let schema = #expect(throws: SQLiteError.self) { try db.analyze(in: "nope") }
    #expect(schema?.code == .unknownSchema)
  }

  @Test func `rebuilds indexes`() throws {
    let db = try memory()
    var sign = 1
    try db.registerCollation("mine") { a, b in a == b ? 0 : a < b ? -sign : sign }
    try db.execute("CREATE TABLE t (a COLLATE mine); CREATE INDEX i ON t (a)")
    try db.execute("INSERT INTO t VALUES ('a'), ('b'), ('c')")
    sign = -1
    #expect(try db.integrityCheck() != [])
    try db.reindex("t")
    #expect(try db.integrityCheck() == [])
    sign = 1
    try db.reindexAll()
    #expect(try db.integrityCheck() == [])
    let error = #expect(throws: SQLiteError.self) { try db.reindex("nope") }
    #expect(error?.code == .error)
  }

  @Test func `stores the application ID and the user version`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    #expect(try db.userVersion() == 0)
    #expect(try db.applicationID() == 0)
    for number in [7, Int32.max, Int32.min, -1] {
      try db.setUserVersion(number)
      try db.setApplicationID(number)
      #expect(try db.userVersion() == number)
      #expect(try db.applicationID() == number)
    }
    try db.attach(.memory, as: "other")
    try db.setUserVersion(3, of: "other")
    #expect(try db.userVersion(of: "other") == 3)
    #expect(try db.userVersion() == -1)
    let version = try db.dataVersion()
    #expect(try db.dataVersion() == version)
    try directory.connect().execute("CREATE TABLE t (a)")
    #expect(try db.dataVersion() != version)
    try db.close()
    for attempt in [
      { _ = try db.userVersion() }, { try db.setUserVersion(1) }, { _ = try db.pageCount() },
      { try db.analyze() }, { try db.optimize() }, { try db.reindexAll() },
      { _ = try db.autoVacuum() }, { try db.incrementalVacuum() },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
  }
}

@Suite struct `A PRAGMA` {
  @Test func `is read with a type, and set to a value`() throws {
    let db = try memory("CREATE TABLE t (a, b)")
    #expect(try db.pragma("encoding", as: String.self) == "UTF-8")
    #expect(try db.setPragma("cache_size", to: 123) == nil)
    #expect(try db.pragma("cache_size", as: Int.self) == 123)
    #expect(try db.pragma("cache_size", as: Int.self, schema: "main") == 123)
    #expect(try db.setPragma("journal_mode", to: "memory") == "memory")
    #expect(try db.pragmaRows("table_info", argument: "t").count == 2)
    #expect(try db.pragma("table_info", as: Int.self) == nil)
    let mismatch = #expect(throws: SQLiteError.self) {
      try db.pragma("encoding", as: Int.self)
    }
    #expect(mismatch?.code == .columnTypeMismatch)
  }

  @Test(arguments: ["nope", "user_version = 1; --", "\"", ""])
  func `that is unknown to SQLite is refused`(_ name: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.pragma(name, as: Int.self) }
    #expect(error?.code == .unknownPragma)
    #expect(try db.userVersion() == 0)
  }

  @Test func `takes its database and its value quoted`() throws {
    let db = try memory()
    try db.attach(.memory, as: "a\"b")
    try db.setPragma("user_version", to: 4, schema: "a\"b")
    #expect(try db.pragma("user_version", as: Int.self, schema: "a\"b") == 4)
    let schema = #expect(throws: SQLiteError.self) {
      try db.pragma("user_version", as: Int.self, schema: "x; --")
    }
    #expect(schema?.code == .unknownSchema)
    try db.execute("CREATE TABLE \"it's\" (a)")
    #expect(try db.pragmaRows("table_info", argument: "it's").count == 1)
    for value in [SQLiteValue.null, .blob([1])] {
      let error = #expect(throws: SQLiteError.self) { try db.setPragma("user_version", to: value) }
      #expect(error?.code == .mismatch)
    }
  }

  @Test func `is evaluated each time that it is run`() throws {
    let db = try memory()
    for pages in [5, 6, 5, 6] {
      try db.run("PRAGMA wal_autocheckpoint = \(unsafe: "\(pages)")")
      #expect(try db.value(Int.self, "PRAGMA wal_autocheckpoint") == pages)
      try db.run("PRAGMA recursive_triggers = \(unsafe: "\(pages % 2)")")
      #expect(try db.value(Int.self, "PRAGMA recursive_triggers") == pages % 2)
    }
  }
}
