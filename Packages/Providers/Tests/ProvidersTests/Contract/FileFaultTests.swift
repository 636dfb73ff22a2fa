import Foundation
import ProviderTesting
import Providers
import SQLiteCore
import Testing

/// Errors of the file system while persisting.
@Suite struct `A file system that fails` {
  /// A provider with an open and changed file, in its own folder.
  private func changed(
    _ candidate: Candidate, in folder: String, rows: Int = 2
  ) throws -> (any DataProvider, file: String, before: Data) {
    let provider = candidate.make(
      SourceSession.Directories(documents: folder, bundle: "\(folder)/bundle"))
    let file = "t.\(candidate.fileExtension)"
    try provider.openSource(file)
    try provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)")
    try provider.execute("INSERT INTO t VALUES (1, 'first'), (2, 'second')")
    try provider.persist()
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
    try provider.execute(
      """
      WITH RECURSIVE i (id) AS (SELECT 3 UNION ALL SELECT id + 1 FROM i WHERE id < \(rows))
      INSERT INTO t SELECT id, 'a text of some length that fills the disk soon' FROM i
      """)
    return (provider, "\(folder)/\(file)", before)
  }

  private func expectUnwritten(
    _ provider: any DataProvider, _ file: String, _ before: Data, codes: [ProviderError.Code]
  ) throws {
    let count = try provider.countRows(inTable: "t")
    for overwrites in [false, true] {
      let error = #expect(throws: ProviderError.self) {
        try provider.persist(overwritingChanges: overwrites)
      }
      #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
      #expect(error?.file != nil)
    }
    #expect(throws: ProviderError.self) { try provider.closeSource() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder)
        == [URL(fileURLWithPath: file).lastPathComponent])
    #expect(provider.isOpen)
    #expect(provider.hasUnsavedChanges)
    #expect(try provider.countRows(inTable: "t") == count)
  }

  @Test(arguments: Candidates.files)
  func `without space leaves the file unchanged until there is space`(
    _ candidate: Candidate
  ) throws {
    let folder = try TemporaryFolder()
    guard let disk = SmallDisk(at: "\(folder.path)/disk", kilobytes: 128) else { return }
    let (provider, file, before) = try changed(candidate, in: disk.path, rows: 20_000)
    try expectUnwritten(provider, file, before, codes: [.fileSystem])
    try provider.execute("DELETE FROM t WHERE id > 3")
    try provider.closeSource()
    try provider.openSource("t.\(candidate.fileExtension)", readOnly: true)
    #expect(try provider.countRows(inTable: "t") == 3)
    try provider.closeSource()
  }

  @Test(arguments: Candidates.files)
  func `that is read-only leaves the file unchanged`(_ candidate: Candidate) throws {
    let folder = try TemporaryFolder()
    guard let disk = SmallDisk(at: "\(folder.path)/disk", kilobytes: 128) else { return }
    let (provider, file, before) = try changed(candidate, in: disk.path, rows: 3)
    disk.setReadOnly(true)
    try expectUnwritten(provider, file, before, codes: [.accessDenied, .fileSystem])
    let other = candidate.make(
      SourceSession.Directories(documents: disk.path, bundle: "\(disk.path)/bundle"))
    try other.openSource("t.\(candidate.fileExtension)")
    #expect(try other.countRows(inTable: "t") == 2)
    try other.closeSource()
    disk.setReadOnly(false)
    try provider.closeSource()
  }

  /// Skipped for users who can write everywhere.
  @Test(.enabled(if: getuid() != 0), arguments: Candidates.files)
  func `with a read-only folder leaves the file unchanged`(_ candidate: Candidate) throws {
    let folder = try TemporaryFolder()
    let documents = "\(folder.path)/documents"
    try FileManager.default.createDirectory(
      atPath: documents, withIntermediateDirectories: true)
    let (provider, file, before) = try changed(candidate, in: documents, rows: 3)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: documents)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: documents)
    }
    try expectUnwritten(provider, file, before, codes: [.accessDenied])
  }
}

/// A small file system in memory. Mounting it requires a privilege.
private final class SmallDisk {
  let path: String

  init?(at path: String, kilobytes: Int) {
    self.path = path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", path) else {
      print("skipped: no permission to mount a file system")
      return nil
    }
  }

  deinit { _ = Self.run("umount", "-l", path) }

  /// A child process of another test has the files of this process open until it executes another program. As long as
  /// one of them is open for writing, or has no name, the file system can't become read-only.
  func setReadOnly(_ isReadOnly: Bool) {
    let option = "remount,\(isReadOnly ? "ro" : "rw")"
    let isDone = (0..<200).contains { _ in
      if Self.run("mount", "-o", option, path) { return true }
      usleep(10_000)
      return false
    }
    #expect(isDone, "\(option) \(path)")
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    } catch {
      return false
    }
  }
}
