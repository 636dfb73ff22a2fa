import Foundation
import SQLiteCore
import Testing

@Suite struct `A checkpoint` {
  @Test(arguments: Connection.CheckpointMode.allCases)
  func `transfers the log to the file`(_ mode: Connection.CheckpointMode) throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(50000))")
    let result = try db.checkpoint(mode)
    #expect(result.isComplete)
    #expect(!result.isBusy)
    if mode == .truncate {
      #expect(result.logPages == 0)
      #expect(size(directory.file() + "-wal") == 0)
    } else {
      #expect(result.logPages ?? 0 > 12)
      #expect(result.logPages == result.checkpointedPages)
    }
    #expect(try db.count("t") == 1)
  }

  @Test func `reports the pages that a reader blocks`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.busyPolicy = .failImmediately }
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try directory.connect()
    try reader.execute("BEGIN; SELECT a FROM t")
    try db.run("INSERT INTO t VALUES (2)")
    let passive = try db.checkpoint()
    #expect(passive.isComplete)
    #expect((passive.checkpointedPages ?? 0) < (passive.logPages ?? 0))
    let full = try db.checkpoint(.truncate)
    #expect(full.isBusy)
    try reader.execute("COMMIT")
    #expect(try db.checkpoint(.truncate).isComplete)
  }

  @Test func `does nothing without a log`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let result = try db.checkpoint(.truncate)
    #expect(result.isComplete)
    #expect(result.logPages == nil)
    #expect(result.checkpointedPages == nil)
    #expect(try db.checkpoint(schema: nil).logPages == nil)
  }

  @Test func `is refused inside a transaction that writes, and for an unknown database`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    try db.transaction {
      try db.run("INSERT INTO t VALUES (1)")
      let error = #expect(throws: SQLiteError.self) { try db.checkpoint() }
      #expect(error?.code.primary == .locked)
    }
    for name in ["nope", ""] {
      let error = #expect(throws: SQLiteError.self) { try db.checkpoint(schema: name) }
      #expect(error?.code == .unknownSchema)
    }
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.checkpoint(schema: nil) }
    #expect(error?.code == .closed)
  }

  @Test(arguments: [false, true])
  func `runs automatically at the configured length, with and without subscribers`(
    _ isListened: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    let subscription = isListened ? try db.hooks.walCommit { _, _ in } : nil
    #expect(try db.automaticCheckpointPages == 1_000)
    try db.setAutomaticCheckpoint(pages: 10)
    #expect(try db.automaticCheckpointPages == 10)
    for _ in 0..<5 { try db.run("INSERT INTO t VALUES (zeroblob(60000))") }
    #expect(size(directory.file()) > 200_000)
    try db.setAutomaticCheckpoint(pages: 0)
    #expect(try db.automaticCheckpointPages == 0)
    let before = size(directory.file())
    for _ in 0..<80 { try db.run("INSERT INTO t VALUES (zeroblob(60000))") }
    #expect(size(directory.file()) <= before + 100_000)
    try db.setAutomaticCheckpoint(pages: 77)
    if let subscription { db.hooks.remove(subscription) }
    #expect(try db.automaticCheckpointPages == 77)
    #expect(try db.value(Int.self, "PRAGMA wal_autocheckpoint") == 77)
    #expect(try db.setPragma("wal_autocheckpoint", to: 78) == 78)
    _ = try db.hooks.walCommit { _, _ in }
    #expect(try db.automaticCheckpointPages == 78)
  }

  @Test func `runs automatically by the configuration`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.automaticCheckpointPages = 3 }
    #expect(try db.automaticCheckpointPages == 3)
    try db.close()
    for attempt in [
      { _ = try db.automaticCheckpointPages }, { try db.setAutomaticCheckpoint(pages: 1) },
      { _ = try db.journalSizeLimit() },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `truncates the log to its limit`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    #expect(try db.journalSizeLimit() == nil)
    try db.setJournalSizeLimit(0)
    #expect(try db.journalSizeLimit() == 0)
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))")
    try db.checkpoint(.restart)
    try db.run("INSERT INTO t VALUES (1)")
    #expect(size(directory.file() + "-wal") < 50_000)
    try db.setJournalSizeLimit(nil)
    #expect(try db.journalSizeLimit() == nil)
  }

  private func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? -1
  }
}
