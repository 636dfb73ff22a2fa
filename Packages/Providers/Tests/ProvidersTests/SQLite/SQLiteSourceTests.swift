import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `A database as a source` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func inMemory() throws -> SQLiteProvider {
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.createSourceInMemory()
    try provider.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    return provider
  }

  @Test(arguments: ["a text file, not a database", "", "x"])
  func `can be saved over any file`(_ text: String) throws {
    let path = try folder.write(text, to: "x.db")
    try folder.write("left behind", to: "x.db-journal")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let provider = try inMemory()
    try provider.saveSource(atPath: path)
    try provider.execute("INSERT INTO t VALUES (2)")
    try provider.closeSource()
    #expect(try folder.names() == ["x.db"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    try provider.openSource(atPath: path, readOnly: true)
    #expect(try provider.countRows(inTable: "t") == 2)
  }

  @Test func `can be saved over another one with any page size`() throws {
    let other = SQLiteProvider(directories: folder.directories)
    let path = "\(folder.path)/x.db"
    let large = try Connection(
      path: path,
      configuration: {
        var configuration = Configuration()
        configuration.journalMode = .delete
        return configuration
      }())
    try large.execute(
      "PRAGMA page_size = 8192; VACUUM; CREATE TABLE old (a); PRAGMA journal_mode = WAL")
    try large.close()
    let provider = try inMemory()
    try provider.saveSource(atPath: path)
    #expect(try provider.tableNames() == ["t"])
    try provider.execute("INSERT INTO t VALUES (2)")
    try provider.closeSource()
    try other.openSource(atPath: path)
    #expect(try other.countRows(inTable: "t") == 2)
    try other.closeSource()
  }

  @Test func `leaves no file if it can't be saved`() throws {
    let provider = try inMemory()
    #expect(throws: (any Error).self) {
      try provider.saveSource(atPath: "\(folder.path)/missing/x.db")
    }
    #expect(try folder.names() == [])
    #expect(try provider.countRows(inTable: "t") == 1)
  }

  @Test func `is copied from the bundle with its own WAL only`() throws {
    let bundle = "\(folder.path)/bundle"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let template = try Connection(path: "\(bundle)/x.db")
    try template.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    #expect(folder.exists("bundle/x.db-wal"))
    // The remains of another database with this name.
    let old = try Connection(path: "\(folder.path)/old.db")
    try old.execute("CREATE TABLE old (a); INSERT INTO old VALUES (7)")
    try folder.write("", to: "documents/x.db-shm")
    try FileManager.default.copyItem(
      atPath: "\(folder.path)/old.db-wal", toPath: "\(folder.path)/documents/x.db-wal")
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.openSource("x.db", fromBundle: true)
    #expect(try provider.tableNames() == ["t"])
    #expect(try provider.countRows(inTable: "t") == 2)
    try provider.closeSource()
    try template.close()
    try old.close()
  }

  // MARK: Deleting

  @Test func `is kept when a link to it is deleted`() throws {
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.openSource(atPath: "\(folder.path)/x.db")
    try provider.execute("CREATE TABLE t (a)")
    try provider.closeSource()
    let link = "\(folder.path)/link.db"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(folder.path)/x.db")
    try provider.openSource(atPath: "\(folder.path)/x.db")
    try provider.deleteSource(atPath: link)
    #expect(provider.isOpen)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(folder.path)/x.db")
    try provider.openSource(atPath: link)
    try provider.execute("INSERT INTO t VALUES (1)")
    try provider.deleteSource(atPath: link)
    #expect(!provider.isOpen)
    #expect(try folder.names() == ["x.db"])
    try provider.openSource(atPath: "\(folder.path)/x.db")
    #expect(try provider.countRows(inTable: "t") == 1)
  }

  @Test func `that was never written is removed when it is deleted`() throws {
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource("new.lines")
    try provider.execute("CREATE TABLE t (a)")
    try provider.deleteSource("new.lines")
    #expect(!provider.isOpen)
    let error = #expect(throws: ProviderError.self) { try provider.deleteSource("new.lines") }
    #expect(error?.code == .notFound)
    #expect(!folder.exists("documents/new.lines"))
  }
}
