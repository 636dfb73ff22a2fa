import Foundation
@testable import Providers
import SQLiteCore
import Testing

@Suite struct `A file that is open` {
  private func open(_ text: String) throws -> (LineProvider, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "file.lines")
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: path)
    return (provider, folder)
  }

  @Test func `is replaced when it is persisted`() throws {
    let (provider, folder) = try open("t a=1\n")
    #expect(!provider.hasUnsavedChanges)
    try provider.execute("INSERT INTO t VALUES (2)")
    #expect(provider.hasUnsavedChanges)
    #expect(try folder.text(of: "file.lines") == "t a=1\n")
    try provider.persist()
    #expect(!provider.hasUnsavedChanges)
    #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\n")
    #expect(try folder.names() == ["file.lines"])
  }

  @Test func `that was not changed is not written`() throws {
    let (provider, folder) = try open("t   a=1\n")
    let before = try FileStamp(path: "\(folder.path)/file.lines")
    _ = try provider.query("SELECT * FROM t")
    try provider.write { try $0.run("DELETE FROM t WHERE a = 9") }
    try provider.persist()
    try provider.closeSource()
    #expect(try FileStamp(path: "\(folder.path)/file.lines") == before)
    #expect(try folder.text(of: "file.lines") == "t   a=1\n")
  }

  @Test func `that others have changed is only overwritten on request`() throws {
    for change in ["t a=7\n", nil] {
      let (provider, folder) = try open("t a=1\n")
      try provider.execute("INSERT INTO t VALUES (2)")
      if let change {
        try folder.write(change, to: "file.lines")
      } else {
        try FileManager.default.removeItem(atPath: "\(folder.path)/file.lines")
      }
      for attempt in [{ try provider.persist() }, { try provider.closeSource() }] {
        let error = #expect(throws: ProviderError.self) { try attempt() }
        #expect(error?.code == .fileChanged)
        #expect(error?.file == "\(folder.path)/file.lines")
      }
      #expect(try folder.names() == (change == nil ? [] : ["file.lines"]))
      #expect(provider.isOpen)
      #expect(provider.hasUnsavedChanges)
      try provider.persist(overwritingChanges: true)
      #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\n")
      try provider.execute("INSERT INTO t VALUES (3)")
      try provider.closeSource()
      #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\nt a=3\n")
    }
  }

  @Test func `that was created by another process is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: "\(folder.path)/new.lines")
    try provider.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try folder.write("t a=7\n", to: "new.lines")
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .fileChanged)
    #expect(try folder.text(of: "new.lines") == "t a=7\n")
  }

  @Test func `is unchanged if the content can't be represented`() throws {
    let (provider, folder) = try open("t a=1\n")
    try provider.execute("INSERT INTO t VALUES (2), (x'00')")
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "a")
    #expect(error?.file == "\(folder.path)/file.lines")
    #expect(try folder.text(of: "file.lines") == "t a=1\n")
    #expect(try folder.names() == ["file.lines"])
    #expect(provider.hasUnsavedChanges)
    try provider.execute("DELETE FROM t WHERE typeof(a) = 'blob'")
    try provider.closeSource()
    #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\n")
  }

  @Test func `that can't be read is not opened and unchanged`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("t a=1\n!\n", to: "file.lines")
    let provider = LineProvider(LineFormat(), folder.directories)
    let error = #expect(throws: ProviderError.self) { try provider.openSource(atPath: path) }
    #expect(error?.description.hasPrefix("\(path):2: malformed") == true)
    #expect(!provider.isOpen)
    #expect(try folder.text(of: "file.lines") == "t a=1\n!\n")
  }

  @Test func `is not written while another process writes it`() throws {
    let (provider, folder) = try open("t a=1\n")
    try provider.execute("INSERT INTO t VALUES (2)")
    let other = try FileReplacement(path: "\(folder.path)/file.lines")
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .busy)
    withExtendedLifetime(other) {}
  }

  @Test func `is written over the remains of a crash`() throws {
    let (provider, folder) = try open("t a=1\n")
    try folder.write("half of a fi", to: ".file.lines.holt-new")
    try provider.execute("INSERT INTO t VALUES (2)")
    try provider.persist()
    #expect(try folder.names() == ["file.lines"])
    #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\n")
  }

  @Test func `keeps its links and permissions`() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write("t a=1\n", to: "inner/file.lines")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
    let link = "\(folder.path)/link.lines"
    try files.createSymbolicLink(atPath: link, withDestinationPath: target)
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: link)
    try provider.execute("INSERT INTO t VALUES (2)")
    try provider.closeSource()
    #expect(try files.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try folder.text(of: "inner/file.lines") == "t a=1\nt a=2\n")
    let mode = try files.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try folder.names(in: "inner") == ["file.lines"])
  }

  @Test func `continues with another name after saving`() throws {
    let (provider, folder) = try open("t a=1\n")
    try provider.execute("INSERT INTO t VALUES (2)")
    try provider.saveSource("other.lines")
    #expect(provider.path == "\(folder.path)/documents/other.lines")
    #expect(try folder.text(of: "file.lines") == "t a=1\n")
    #expect(try folder.text(of: "documents/other.lines") == "t a=1\nt a=2\n")
    try provider.execute("INSERT INTO t VALUES (3)")
    try provider.closeSource()
    #expect(try folder.text(of: "documents/other.lines") == "t a=1\nt a=2\nt a=3\n")
  }

  @Test func `can have a very long name`() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 250)
    let path = try folder.write("t a=1\n", to: name)
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: path)
    try provider.execute("DELETE FROM t")
    try provider.closeSource()
    #expect(try folder.text(of: name) == "")
    #expect(try folder.names() == [name])
  }

  @Test func `that is a read-only database stays read-only when saved to itself`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a.db"
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.createSource(atPath: path)
    try provider.execute("CREATE TABLE t (a)")
    try provider.openSource(atPath: path, readOnly: true)
    try provider.saveSource(atPath: path)
    let error = #expect(throws: ProviderError.self) { try provider.execute("DELETE FROM t") }
    #expect(error?.code == .readOnly)
  }

  @Test func `rethrows the errors of a body unchanged`() throws {
    let other = try Database.inMemory()
    let ended = try other.beginTransaction()
    ended.rollBack()
    let (provider, folder) = try open("t a=1\n")
    try provider.beginTransaction()
    var count = 0
    let error = #expect(throws: SQLiteError.self) {
      try provider.read { _ in
        count += 1
        if count < 5 { try ended.read { _ in } }
      }
    }
    #expect(error?.code == .transactionClosed)
    #expect(count == 1)
    try provider.rollbackTransaction()
    withExtendedLifetime(folder) {}
  }
}
