import Foundation
import SQLiteCore
import Testing

@Suite struct `A serialized database` {
  private func filled() throws -> Connection {
    try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), ('zwei'), (x'03')")
  }

  @Test func `is unchanged after deserialization`() throws {
    let bytes = try filled().serialized()
    #expect(bytes.starts(with: Array("SQLite format 3\0".utf8)))
    let copy = try Connection(deserializing: bytes)
    #expect(try copy.rows("SELECT a FROM t") == [[1], ["zwei"], [.blob([3])]])
    try copy.run("INSERT INTO t VALUES (4)")
    #expect(try copy.count("t") == 4)
    #expect(try Connection(deserializing: copy.serialized()).count("t") == 4)
  }

  @Test func `of a file has the file's bytes`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.journalMode = .delete }
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let bytes = try db.serialized()
    try db.close()
    let file = try Data(contentsOf: URL(fileURLWithPath: directory.file()))
    #expect([UInt8](file) == bytes)
  }

  @Test func `of a file with a log contains the log's content, and is opened without a log`()
    throws
  {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let bytes = try db.serialized()
    #expect(bytes[18...19] == [2, 2])
    let copy = try Connection(deserializing: bytes)
    #expect(try copy.rows("SELECT a FROM t") == [[1]])
    #expect(try copy.value(String.self, "PRAGMA journal_mode") != "wal")
    try copy.run("INSERT INTO t VALUES (2)")
    #expect(try copy.serialized()[18...19] == [1, 1])
    // The source is unchanged.
    #expect(bytes[18...19] == [2, 2])
  }

  @Test func `that is empty has no bytes`() throws {
    // Since release 3.43, a database that was never written to receives its first page.
    let empty = try memory().serialized()
    #expect(empty.isEmpty || empty.starts(with: Array("SQLite format 3\0".utf8)))
    #expect(try memory().serialized("temp") == [])
    let db = try Connection(deserializing: [])
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try db.count("t") == 1)
    let full = try filled()
    try full.deserialize([])
    #expect(try full.tables().isEmpty)
  }

  @Test func `contains the changes of an open transaction`() throws {
    let db = try filled()
    try db.transaction {
      try db.run("DELETE FROM t")
      #expect(try Connection(deserializing: db.serialized()).count("t") == 0)
    }
  }

  @Test func `is refused if a transaction's changes would be missing`() throws {
    let db = try Connection(deserializing: filled().serialized())
    try db.transaction(.deferred) {
      #expect(try !db.serialized().isEmpty)
      try db.execute("CREATE TABLE more (a)")
      let error = #expect(throws: SQLiteError.self) { try db.serialized() }
      #expect(error?.code == .databaseInUse)
    }
    #expect(try Connection(deserializing: db.serialized()).count("more") == 0)
  }

  @Test func `replaces an attached database`() throws {
    let db = try memory("ATTACH ':memory:' AS a")
    try db.deserialize(filled().serialized(), into: "a")
    #expect(try db.value(Int.self, "SELECT count(*) FROM a.t") == 3)
    #expect(try Connection(deserializing: db.serialized("a")).count("t") == 3)
    for attempt in [
      { _ = try db.serialized("nothing") }, { try db.deserialize([], into: "nothing") },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .unknownSchema)
    }
    #expect(throws: SQLiteError.self) { try db.deserialize([], into: "temp") }
  }

  @Test func `replaces the file, which is unchanged`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE old (a)")
    try db.deserialize(filled().serialized())
    try db.run("DELETE FROM t")
    try db.close()
    #expect(try directory.connect().tables().map(\.name) == ["old"])
  }

  @Test func `is seen by statements that were compiled before`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES ('old')")
    let other = try memory("CREATE TABLE other (a); INSERT INTO other VALUES ('secret')")
    let statement = try db.prepare("SELECT a FROM t")
    #expect(try statement.step())
    statement.reset()
    #expect(try db.value(String.self, "SELECT a FROM t") == "old")
    // Both have changed their schema once, and their tables have the same root page.
    try db.deserialize(other.serialized())
    #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(throws: SQLiteError.self) { try db.value(String.self, "SELECT a FROM t") }
    #expect(try db.value(String.self, "SELECT a FROM other") == "secret")
  }

  @Test func `can be read-only, or limited in size`() throws {
    let bytes = try filled().serialized()
    for db in [
      try Connection(deserializing: bytes, isReadOnly: true),
      try Connection(
        deserializing: bytes,
        configuration: {
          var configuration = Configuration()
          configuration.isReadOnly = true
          return configuration
        }()),
    ] {
      #expect(try db.count("t") == 3)
      let error = #expect(throws: SQLiteError.self) { try db.run("DELETE FROM t") }
      #expect(error?.code == .readOnly)
    }
    let small = try Connection(deserializing: bytes, maximumSize: 20_000)
    let error = #expect(throws: SQLiteError.self) {
      try small.run("INSERT INTO t VALUES (zeroblob(100000))")
    }
    #expect(error?.code == .full)
    #expect(try small.count("t") == 3)
  }

  @Test func `that is invalid is refused, and replaces no database`() throws {
    let image = try filled().serialized()
    let db = try filled()
    for (bytes, code) in [
      ([1], .notADatabase), (Array("hello".utf8), .notADatabase),
      ([UInt8](repeating: 0x78, count: 4_096), .notADatabase),
      (Array(image.prefix(99)), .corrupt), (Array(image.prefix(4_096)), .corrupt),
    ] as [([UInt8], SQLiteError.Code)] {
      let error = #expect(throws: SQLiteError.self) { try db.deserialize(bytes) }
      #expect(error?.code.primary == code)
      #expect(try db.count("t") == 3)
      #expect(throws: SQLiteError.self) { try Connection(deserializing: bytes) }
    }
  }

  @Test func `with flipped bits is an error or a database, and never a crash`() throws {
    let image = try filled().serialized()
    var random = SeededGenerator(seed: 20_261_121)
    for _ in 0..<150 {
      var bytes = image
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[Bool.random(using: &random) ? place : place % 200] ^=
          1 << UInt8.random(in: 0...7, using: &random)
      }
      guard let db = try? Connection(deserializing: bytes) else { continue }
      _ = try? db.rows("SELECT * FROM t")
      _ = try? db.run("INSERT INTO t VALUES (1)")
      _ = try? db.value(String.self, "PRAGMA integrity_check")
    }
  }

  @Test(.needs(.sessions)) func `is refused if the database is in use`() throws {
    let bytes = try filled().serialized()
    let db = try filled()
    func refusal() -> SQLiteError.Code? {
      #expect(throws: SQLiteError.self) { try db.deserialize(bytes) }?.code
    }
    try db.transaction { #expect(refusal() == .databaseInUse) }
    try db.withStatement("SELECT a FROM t") { statement throws in
      #expect(try statement.step())
      #expect(refusal() == .databaseInUse)
    }
    try db.withBlob(in: "t", column: "a", row: 3) { _ in #expect(refusal() == .databaseInUse) }
    do {
      let session = try db.session()
      #expect(refusal() == .databaseInUse)
      #expect(session.isEmpty)
    }
    try db.backup(to: memory(), pagesPerStep: 1) { progress in
      if progress.remainingPages > 0 { #expect(refusal() == .databaseInUse) }
    }
    try db.deserialize(bytes)
    try db.close()
    #expect(refusal() == .closed)
    let error = #expect(throws: SQLiteError.self) { try db.serialized() }
    #expect(error?.code == .closed)
  }

  @Test(.needs(.preupdateHook)) func `notifies observers that everything has changed`() throws {
    let db = try filled()
    let recorder = Recorder()
    try db.hooks.add(recorder)
    try db.deserialize(filled().serialized())
    #expect(recorder.take() == ["schema", "didCommit"])
  }
}
