import Providers
import SQLiteCore
import Testing

@testable import struct Providers.FileStamp

/// The changes that are written.
@Suite struct `A staging database` {
  private let folder: TemporaryFolder
  private let provider: LineProvider

  init() throws {
    folder = try TemporaryFolder()
    provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: folder.write("t   a=abc\n", to: "file.lines"))
  }

  private enum Trouble: Error { case some }

  private func writeBlob(_ connection: Connection) throws {
    try connection.withBlob(in: "t", column: "a", row: RowID(1), mode: .readWrite) { blob in
      try blob.write([UInt8]("xyz".utf8), at: 0)
    }
  }

  @Test(arguments: ["in a transaction", "by itself", "in an open transaction"])
  func `is written after writing bytes of a blob`(_ place: String) throws {
    switch place {
    case "in a transaction": try provider.write { try writeBlob($0) }
    case "by itself": try provider.database().writeWithoutTransaction { try writeBlob($0) }
    default:
      try provider.beginTransaction()
      try provider.write { try writeBlob($0) }
      try provider.endTransaction()
    }
    #expect(provider.hasUnsavedChanges)
    try provider.closeSource()
    #expect(try folder.text(of: "file.lines") == "t a=xyz\n")
  }

  @Test func `is written after a backup was copied over it`() throws {
    let other = try Database.inMemory()
    try other.write { try $0.execute("CREATE TABLE u (b); INSERT INTO u VALUES (5)") }
    try provider.createSource(atPath: "\(folder.path)/new.lines")
    try other.backup(to: provider.database())
    try provider.closeSource()
    #expect(try folder.text(of: "new.lines") == "u b=5\n")
  }

  @Test func `is written after a backup with the same history`() throws {
    let bytes = try provider.database().writeWithoutTransaction { connection in
      let bytes = try connection.serialized()
      let other = try Connection.inMemory()
      try other.deserialize(bytes)
      try other.run("UPDATE t SET a = 'new'")
      return try other.serialized()
    }
    try provider.database().writeWithoutTransaction { try $0.deserialize(bytes) }
    try provider.write { _ in }
    try provider.closeSource()
    #expect(try folder.text(of: "file.lines") == "t a=new\n")
  }

  /// The file contains spaces that are not written, which shows whether it was written.
  @Test(arguments: [
    "an insert", "bytes of a blob", "an open transaction", "SQLite's own rollback", "a table",
  ])
  func `is not written after a rollback`(_ change: String) throws {
    switch change {
    case "an insert":
      #expect(throws: Trouble.self) {
        try provider.write { connection in
          try connection.run("INSERT INTO t VALUES ('b')")
          throw Trouble.some
        }
      }
    case "bytes of a blob":
      #expect(throws: Trouble.self) {
        try provider.write { connection in
          try writeBlob(connection)
          throw Trouble.some
        }
      }
    case "an open transaction":
      try provider.beginTransaction()
      try provider.execute("INSERT INTO t VALUES ('b')")
      try provider.rollbackTransaction()
    case "a table":
      #expect(throws: Trouble.self) {
        try provider.write { connection in
          try connection.execute("CREATE TABLE u (a); PRAGMA user_version = 3")
          throw Trouble.some
        }
      }
    default:
      #expect(throws: SQLiteError.self) {
        try provider.execute(
          "INSERT INTO t VALUES ('b'); INSERT OR ROLLBACK INTO t (rowid) VALUES (1)")
      }
    }
    try expectUntouched()
  }

  @Test(arguments: [
    "UPDATE t SET a = 1 WHERE a = 9", "CREATE TABLE IF NOT EXISTS t (a)", "DROP TABLE IF EXISTS u",
    "INSERT OR IGNORE INTO t (rowid) VALUES (1)", "PRAGMA user_version = 0", "SELECT 1",
  ])
  func `is not written after statements without effect`(_ sql: String) throws {
    try provider.execute(SQL(unsafe: sql))
    try expectUntouched()
  }

  private func expectUntouched() throws {
    // A commit after which the database may have changed.
    try provider.write { _ in }
    let before = try FileStamp(path: "\(folder.path)/file.lines")
    try provider.persist()
    #expect(!provider.hasUnsavedChanges)
    try provider.closeSource()
    #expect(try FileStamp(path: "\(folder.path)/file.lines") == before)
    #expect(try folder.text(of: "file.lines") == "t   a=abc\n")
  }

  @Test func `that can't represent the content is reported with the file`() throws {
    let columns = (0..<2_100).map { "c\($0)=1" }.joined(separator: " ")
    let path = try folder.write("t \(columns)\n", to: "wide.lines")
    let error = #expect(throws: ProviderError.self) { try provider.openSource(atPath: path) }
    #expect(error?.code == .limitExceeded && error?.file == path && error?.table == "t")
    #expect(!provider.isOpen)
    let pairs = (0..<2_100).map { "c\($0)!=`1`" }.joined(separator: " ")
    let other = try folder.write("@array[@obj<\(pairs)>]", to: "wide.spon")
    let spon = SPONProvider()
    let refusal = #expect(throws: SQLiteError.self) { try spon.openSource(atPath: other) }
    #expect(refusal?.message.contains(other) == true)
    #expect(!spon.isOpen)
  }
}
