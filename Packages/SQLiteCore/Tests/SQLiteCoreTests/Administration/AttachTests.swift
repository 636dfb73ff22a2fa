import SQLiteCore
import Testing

@Suite struct `Attaching` {
  @Test func `makes a second database usable together with the first`() throws {
    let directory = try TemporaryDirectory()
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try db.attach(.file(directory.file()), as: "other")
    try db.execute("CREATE TABLE other.t (a); INSERT INTO other.t SELECT a + 1 FROM main.t")
    #expect(try db.values(Int.self, "SELECT a FROM other.t") == [2])
    let attached = try db.attachedDatabases
    #expect(attached.map(\.name) == ["other"])
    #expect(attached.first?.path?.hasSuffix("/test.sqlite") == true)
    #expect(attached.first?.isReadOnly == false)
    #expect(try db.path(of: "other") == attached.first?.path)
    #expect(try db.path() == nil)
    try db.detach("OTHER")
    #expect(try db.attachedDatabases == [])
    #expect(throws: SQLiteError.self) { try db.rows("SELECT a FROM other.t") }
  }

  @Test(arguments: ["a b", "quo\"te", "quo\"\u{301}te", "SELECT", "é", "'; DROP TABLE t; --"])
  func `accepts any name literally`(_ name: String) throws {
    let db = try memory("CREATE TABLE t (a)")
    try db.attach(.memory, as: name)
    try db.execute("CREATE TABLE \(identifier: name).u (b)")
    let attached = try #require(try db.attachedDatabases.first)
    #expect(Array(attached.name.utf8) == Array(name.utf8))
    #expect(attached.path == nil)
    #expect(try db.tables(in: name).map(\.name.name) == ["u"])
    try db.detach(name)
    #expect(try db.count("t") == 0)
  }

  @Test(arguments: ["main", "TEMP", "other", "Other"])
  func `refuses a name that is in use`(_ name: String) throws {
    let db = try memory()
    try db.attach(.memory, as: "other")
    let error = #expect(throws: SQLiteError.self) { try db.attach(.memory, as: name) }
    #expect(error?.code == .schemaNameTaken)
    #expect(error?.code.primary == .error)
  }

  @Test(arguments: ["", "a\0b"]) func `refuses invalid names`(_ name: String) throws {
    let db = try memory()
    #expect(throws: SQLiteError.self) { try db.attach(.memory, as: name) }
    #expect(throws: SQLiteError.self) { try db.detach(name) }
  }

  @Test func `can be read-only`() throws {
    let directory = try TemporaryDirectory()
    try directory.connect().execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    let db = try memory()
    try db.attach(.file(directory.file()), as: "other", isReadOnly: true)
    #expect(try db.attachedDatabases.first?.isReadOnly == true)
    #expect(try db.isReadOnly("other"))
    #expect(try !db.isReadOnly())
    #expect(try db.values(Int.self, "SELECT a FROM other.t") == [7])
    let error = #expect(throws: SQLiteError.self) { try db.run("DELETE FROM other.t") }
    #expect(error?.code == .readOnly)
    let writable = Database.Location.uri(
      path: directory.file(), Database.URIParameters(mode: .readWriteCreate))
    try db.attach(writable, as: "narrowed", isReadOnly: true)
    #expect(try db.isReadOnly("narrowed"))
    let volatile = #expect(throws: SQLiteError.self) {
      try db.attach(.memory, as: "m", isReadOnly: true)
    }
    #expect(volatile?.code == .misuse)
  }

  @Test func `can be restricted to existing files`() throws {
    let directory = try TemporaryDirectory()
    let db = try memory()
    let missing = Database.Location.uri(
      path: directory.file("none"), Database.URIParameters(mode: .readWriteCreate))
    for isReadOnly in [true, false] {
      let error = #expect(throws: SQLiteError.self) {
        try db.attach(missing, as: "other", isReadOnly: isReadOnly, createsFile: false)
      }
      #expect(error?.code == .cannotOpen)
    }
    #expect(try db.attachedDatabases == [])
    try db.attach(missing, as: "other")
  }

  @Test func `leaves no attachment if the file is not a database`() throws {
    let directory = try TemporaryDirectory()
    try writeGarbage(to: directory.file())
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.attach(.file(directory.file()), as: "other")
    }
    #expect(error?.code == .notADatabase)
    #expect(try db.attachedDatabases == [])
  }

  @Test func `interprets no URI except the location's`() throws {
    let directory = try TemporaryDirectory()
    let db = try memory()
    let path = directory.file("odd?mode=memory%20#é")
    try db.attach(.file(path), as: "odd")
    try db.execute("CREATE TABLE odd.t (a)")
    #expect(try db.path(of: "odd")?.hasSuffix("/odd?mode=memory%20#é") == true)
    try db.detach("odd")
    try db.attach(.uri(path: path, Database.URIParameters(mode: .readOnly)), as: "odd")
    #expect(try db.tables(in: "odd").map(\.name.name) == ["t"])
    #expect(try db.isReadOnly("odd"))
  }

  @Test func `by a read-only connection is read-only`() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      try Connection(path: directory.file(name)).execute("CREATE TABLE t (a)")
    }
    var reading = Configuration()
    reading.isReadOnly = true
    let db = try Connection(path: directory.file("a"), configuration: reading)
    try db.attach(.file(directory.file("b")), as: "b", createsFile: false)
    #expect(try db.isReadOnly("b"))
    #expect(throws: SQLiteError.self) { try db.attach(.file(directory.file("none")), as: "c") }
  }

  @Test func `stops at the limit`() throws {
    let db = try memory()
    try db.setLimit(.attachedCount, to: 1)
    try db.attach(.memory, as: "a")
    let error = #expect(throws: SQLiteError.self) { try db.attach(.memory, as: "b") }
    #expect(error?.code == .error)
  }

  @Test func `ends only if the database is not in use`() throws {
    let db = try memory()
    try db.attach(.memory, as: "other")
    try db.execute("CREATE TABLE other.t (a); INSERT INTO other.t VALUES (1), (2)")
    let statement = try db.prepare("SELECT a FROM other.t")
    #expect(try statement.step())
    let read = #expect(throws: SQLiteError.self) { try db.detach("other") }
    #expect(read?.code == .schemaInUse)
    statement.reset()
    try db.execute("BEGIN; DELETE FROM other.t")
    let written = #expect(throws: SQLiteError.self) { try db.detach("other") }
    #expect(written?.code == .schemaInUse)
    #expect(written?.code.primary == .locked)
    try db.execute("ROLLBACK")
    try db.detach("other")
    let missing = #expect(throws: SQLiteError.self) { try db.detach("other") }
    #expect(missing?.code == .unknownSchema)
    let own = #expect(throws: SQLiteError.self) { try db.detach("main") }
    #expect(own?.code == .misuse)
  }

  @Test func `is refused on a closed connection`() throws {
    let db = try memory()
    try db.close()
    for attempt in [
      { try db.attach(.memory, as: "a") }, { try db.detach("a") },
      { _ = try db.attachedDatabases }, { _ = try db.path() }, { _ = try db.isReadOnly() },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
  }
}
