import Foundation
import Testing

@_spi(Observing) @testable import SQLiteCore

@Suite(.timeLimit(.minutes(10))) struct `A file shared by processes` {
  @Test func `has a log whose state changes only with each commit`() throws {
    let folder = try TemporaryDirectory()
    let writer = try Connection(path: folder.file("test.sqlite"))
    let other = try Connection(path: folder.file("test.sqlite"))
    try writer.execute("CREATE TABLE t (x)")
    let first = try #require(try writer.walState())
    #expect(try other.value(Int.self, "SELECT count(*) FROM t") == 0)
    #expect(try other.walState() == first)
    try other.execute("BEGIN; INSERT INTO t VALUES (1); ROLLBACK; BEGIN IMMEDIATE; COMMIT")
    #expect(try writer.walState() == first)
    try other.run("INSERT INTO t VALUES (1)")
    let second = try #require(try writer.walState())
    #expect(second.number == first.number + 1)
    #expect(second.checksum != first.checksum)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try other.walState() == second)
  }

  @Test(arguments: ["MEMORY", "DELETE", "EXCLUSIVE"])
  func `has no such state without a shared log`(_ kind: String) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("test.sqlite")
    let connection = try Connection(path: kind == "MEMORY" ? ":memory:" : path)
    if kind == "DELETE" { try connection.execute("PRAGMA journal_mode = DELETE") }
    if kind == "EXCLUSIVE" {
      // Leaves WAL mode and enters it again with an exclusive lock, so that the log's index is in memory.
      try connection.execute(
        "PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL")
    }
    try connection.execute("CREATE TABLE t (x)")
    #expect(try connection.walState() == nil)
    #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
  }

  @Test func `returns the new lines to each reader`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lines")
    let first = try AppendOnlyFile(path: path, like: path)
    first.append("before")
    let second = try AppendOnlyFile(path: path, like: path)
    #expect(second.readNewLines() == [])
    first.append("one")
    second.append("two")
    #expect(second.readNewLines() == ["one", "two"])
    #expect(second.readNewLines() == [])
    #expect(first.readNewLines() == ["before", "one", "two"])
  }

  @Test func `is truncated if it is too long`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lines")
    let text = try AppendOnlyFile(path: path, like: path, limit: 100)
    let reader = try AppendOnlyFile(path: path, like: path)
    for number in 0..<50 { text.append("line \(number)") }
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size <= 120)
    #expect(reader.readNewLines().last == "line 49")
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o666])
  func `has the permissions of its model with any umask`(_ mode: Int) throws {
    let folder = try TemporaryDirectory()
    let model = folder.file("model")
    try Data().write(to: URL(fileURLWithPath: model))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: model)
    _ = try AppendOnlyFile(path: folder.file("lines"), like: model)
    #expect(try permissions(folder.file("lines")) == mode)
  }

  @Test func `adopts its model's permissions when it is reopened`() throws {
    let folder = try TemporaryDirectory()
    let model = folder.file("model")
    try Data().write(to: URL(fileURLWithPath: model))
    for mode in [0o666, 0o600, 0o644] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: model)
      let text = try AppendOnlyFile(path: folder.file("lines"), like: model)
      #expect(text.append("line"))
      #expect(try permissions(folder.file("lines")) == mode)
    }
  }

  @Test func `must be a regular file`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lines")
    let pipe = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: ["mkfifo", path])
    pipe.waitUntilExit()
    try #require(pipe.terminationStatus == 0)
    let error = #expect(throws: SQLiteError.self) {
      try AppendOnlyFile(path: path, like: folder.file("model"))
    }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `is not opened through a symbolic link`() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lines"), withDestinationPath: folder.file("elsewhere"))
    let error = #expect(throws: SQLiteError.self) {
      try AppendOnlyFile(path: folder.file("lines"), like: folder.file("model"))
    }
    #expect(error?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere")))
  }

  @Test(arguments: ["", "-wal", "-journal", "-more"])
  func `reports writes to it and to a file in its directory`(_ suffix: String) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("test.sqlite")
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = try FileWatcher(path: path, suffix: "-more") { continuation.yield() }
    // Ignored.
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("other")))
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + suffix))
    for await _ in changes { break }
    withExtendedLifetime(watch) {}
  }

  @Test func `can't be watched in a missing directory`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try FileWatcher(path: "/nowhere/at/all.sqlite", suffix: "") {}
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("/nowhere/at") == true)
  }

  @Test func `lists the databases that have it open`() throws {
    let folder = try TemporaryDirectory()
    let first = try Database(path: folder.file("test.sqlite"))
    let second = try Database(path: folder.file("test.sqlite"))
    let other = try Database(path: folder.file("other.sqlite"))
    #expect(first.file === second.file)
    #expect(first.file !== other.file)
    #expect(first.file?.openDatabases.count == 2)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("other.sqlite"))
    #expect(try Database(path: folder.file("link")).file === other.file)
    other.close()
    try FileManager.default.moveItem(
      atPath: folder.file("other.sqlite"), toPath: folder.file("moved.sqlite"))
    let anew = try Database(path: folder.file("other.sqlite"))
    #expect(anew.file !== other.file, "another file has the name")
    #expect(try Database.inMemory().file == nil)
    let shared = Database.Location.sharedMemory(named: "known")
    let (third, fourth) = (try Database(shared), try Database(shared))
    #expect(third.file === fourth.file)
    #expect(third.file != nil)
  }
}
