import Foundation
import SQLiteCore
import Testing

@Suite struct `A location` {
  @Test(arguments: ["file:x?mode=memory", ":memory:", "a b%41?#é'\"", "file:"])
  func `of a file is never interpreted`(_ name: String) throws {
    let directory = try TemporaryDirectory()
    for location in [
      Database.Location.file(directory.file(name)),
      .uri(path: directory.file(name), Database.URIParameters(cache: .private)),
    ] {
      let db = try Connection(location)
      try db.execute("CREATE TABLE IF NOT EXISTS t (a)")
      #expect(try db.path()?.hasSuffix("/\(name)") == true)
    }
    #expect(FileManager.default.fileExists(atPath: directory.file(name)))
  }

  @Test(arguments: [
    "file:holt-location-test?mode=memory", "file::memory:",
    "file:\u{301}holt-location-test?mode=memory",
  ])
  func `that looks like a URI is also a file`(_ name: String) throws {
    // Such a name could only be mistaken for a URI at the start of a path, so the file is in the
    // working directory.
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: name + end) }
    }
    for connection in [try Connection(path: name), try Connection(.file(name))] {
      #expect(try connection.path()?.hasSuffix("/\(name)") == true)
    }
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test func `in memory or temporary is private to the connection`() throws {
    for location in [Database.Location.memory, .temporary] {
      let (a, b) = (try Connection(location), try Connection(location))
      try a.execute("CREATE TABLE t (a)")
      #expect(try a.path() == nil)
      #expect(try b.tables().isEmpty)
    }
    #expect(Database.Location(path: ":memory:") == .memory)
    #expect(Database.Location(path: "") == .temporary)
    #expect(Database.Location(path: "a") == .file("a"))
  }

  @Test(arguments: ["plain", "a/b?c=d&mode=rwc#e %é"])
  func `in shared memory is shared by name`(_ name: String) throws {
    let a = try Connection(.sharedMemory(named: name + "1"))
    let b = try Connection(.sharedMemory(named: name + "1"))
    let other = try Connection(.sharedMemory(named: name + "2"))
    try a.execute("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
    #expect(try b.values(Int.self, "SELECT a FROM t") == [5])
    #expect(try other.tables().isEmpty)
    try a.close()
    #expect(try b.count("t") == 1)
    try b.close()
    #expect(try Connection(.sharedMemory(named: name + "1")).tables().isEmpty)
  }

  @Test func `can restrict the access to a file`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file()
    let missing = #expect(throws: SQLiteError.self) {
      try Connection(.uri(path: path, Database.URIParameters(mode: .readWrite)))
    }
    #expect(missing?.code == .cannotOpen)
    try directory.connect().execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    for parameters in [
      Database.URIParameters(mode: .readOnly), Database.URIParameters(isImmutable: true),
      Database.URIParameters(mode: .readOnly, cache: .shared, isPowersafe: false),
    ] {
      let db = try Connection(.uri(path: path, parameters))
      #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
      let error = #expect(throws: SQLiteError.self) { try db.run("DELETE FROM t") }
      #expect(error?.code.primary == .readOnly)
    }
    var reading = Configuration()
    reading.isReadOnly = true
    let wider = #expect(throws: SQLiteError.self) {
      try Connection(
        .uri(path: path, Database.URIParameters(mode: .readWrite)), configuration: reading)
    }
    #expect(wider?.code == .permission)
  }

  @Test func `can disable locking, and the write-ahead log with it`() throws {
    let directory = try TemporaryDirectory()
    let location = Database.Location.uri(
      path: directory.file(), Database.URIParameters(disablesLocking: true, others: ["x": "y"]))
    var plain = Configuration()
    plain.journalMode = .delete
    let (a, b) = (
      try Connection(location, configuration: plain), try Connection(location, configuration: plain)
    )
    try a.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE")
    try b.execute("BEGIN EXCLUSIVE; COMMIT")
  }

  @Test func `specifies its virtual file system`() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: SQLiteError.self) {
      try Connection(
        .uri(path: directory.file(), Database.URIParameters(virtualFileSystem: "no such system")))
    }
    #expect(error?.message.contains("no such vfs") == true)
    _ = try Connection(
      .uri(path: directory.file(), Database.URIParameters(virtualFileSystem: "unix-dotfile")),
      configuration: { () -> Configuration in
        var configuration = Configuration()
        configuration.journalMode = .delete
        return configuration
      }())
  }

  @Test func `is refused if it is empty or contains a NUL character`() throws {
    for location in [
      Database.Location.file(""), .file("a\0b"), .uri(path: "", Database.URIParameters()),
      .uri(path: "a\0b", Database.URIParameters()), .sharedMemory(named: ""),
      .uri(path: "a", Database.URIParameters(others: ["": "b"])),
      .uri(path: "a", Database.URIParameters(virtualFileSystem: "a\0b")),
      .sharedMemory(named: "a\0"),
    ] {
      let error = #expect(throws: SQLiteError.self) { try Connection(location) }
      #expect(error?.code == .cannotOpen)
    }
  }

  @Test func `must exist if the configuration does not create a file`() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: SQLiteError.self) {
      try directory.connect { $0.createsFile = false }
    }
    #expect(error?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: directory.file()))
    try directory.connect().execute("CREATE TABLE t (a)")
    try directory.connect { $0.createsFile = false }.run("INSERT INTO t VALUES (1)")
  }
}
