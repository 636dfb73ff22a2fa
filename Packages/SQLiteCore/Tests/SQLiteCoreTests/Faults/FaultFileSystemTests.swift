import SQLiteCore
import Testing

/// Tests the file system that the other tests in this folder use.
@Suite struct `A file system for faults` {
  private static func connect(
    _ files: FaultFileSystem, _ journal: Configuration.JournalMode = .wal,
    _ synchronous: Configuration.Synchronous = .full
  ) throws -> Connection {
    var configuration = Configuration()
    configuration.virtualFileSystem = files.name
    configuration.journalMode = journal
    configuration.synchronous = synchronous
    configuration.busyTimeout = .zero
    return try Connection(path: "/a.sqlite", configuration: configuration)
  }

  struct Loss: CustomTestStringConvertible, Sendable {
    let journal: Configuration.JournalMode
    let synchronous: Configuration.Synchronous
    let survival: FaultFileSystem.Survival
    let rows: ClosedRange<Int>
    var testDescription: String { "\(journal), \(synchronous), \(survival)" }
  }

  @Test(arguments: [
    Loss(journal: .wal, synchronous: .full, survival: .none, rows: 9...9),
    Loss(journal: .wal, synchronous: .normal, survival: .none, rows: 0...0),
    Loss(journal: .wal, synchronous: .normal, survival: .all, rows: 9...9),
    Loss(journal: .delete, synchronous: .extra, survival: .none, rows: 9...9),
    Loss(journal: .delete, synchronous: .full, survival: .none, rows: 8...8),
    Loss(journal: .delete, synchronous: .full, survival: .all, rows: 9...9),
    Loss(journal: .delete, synchronous: .off, survival: .none, rows: 0...0),
  ])
  func `loses unsynced data at a power loss`(_ loss: Loss) throws {
    let files = FaultFileSystem()
    var db: Connection? = try Self.connect(files, loss.journal, .extra)
    try db?.execute("CREATE TABLE t (a)")
    try db?.close()
    db = try Self.connect(files, loss.journal, loss.synchronous)
    for number in 1...9 { try db?.run("INSERT INTO t VALUES (?)", number) }
    files.reboot(loss.survival, seed: 1)
    // A connection that was open before the power loss can no longer read the file.
    #expect(throws: SQLiteError.self) { try db?.count("t") }
    db = nil
    #expect(files.openFiles == 0)
    let again = try Self.connect(files, loss.journal)
    #expect(loss.rows.contains(try again.count("t") ?? -1))
    #expect(try again.value(String.self, "PRAGMA integrity_check") == "ok")
  }

  @Test func `fails the planned calls and no others`() throws {
    let files = FaultFileSystem()
    let db = try Self.connect(files)
    try db.execute("CREATE TABLE t (a)")
    for (fault, code) in [
      (.error, .ioError), (.shortWrite, .ioError), (.fullDisk, .full),
    ] as [(FaultFileSystem.Fault, SQLiteError.Code)] {
      files.plan(fault, at: 1, of: .write)
      let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
      #expect(error?.code.primary == code)
      #expect(error?.sql == "INSERT INTO t VALUES (1)")
      #expect(files.strikes == 1)
      #expect(try db.count("t") == 0)
    }
    files.plan(.fullDisk, at: 1, lasts: true)
    for _ in 0..<3 { #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") } }
    files.planNothing()
    try db.run("INSERT INTO t VALUES (1)")
    #expect(try db.count("t") == 1)
  }

  @Test func `enforces locks between connections`() throws {
    let files = FaultFileSystem()
    for journal in [Configuration.JournalMode.delete, .wal] {
      files.clear()
      let (a, b) = (try Self.connect(files, journal), try Self.connect(files, journal))
      try a.execute("CREATE TABLE t (a)")
      try a.transaction {
        try a.run("INSERT INTO t VALUES (1)")
        #expect(try b.count("t") == 0)
        let error = #expect(throws: SQLiteError.self) { try b.run("INSERT INTO t VALUES (2)") }
        #expect(error?.code.primary == .busy)
      }
      try b.transaction(.deferred) {
        #expect(try b.count("t") == 1)
        if journal == .wal {
          try a.run("INSERT INTO t VALUES (3)")
        } else {
          #expect(throws: SQLiteError.self) { try a.run("INSERT INTO t VALUES (3)") }
        }
        #expect(try b.count("t") == 1)
      }
      #expect(try b.count("t") == (journal == .wal ? 2 : 1))
    }
  }
}
