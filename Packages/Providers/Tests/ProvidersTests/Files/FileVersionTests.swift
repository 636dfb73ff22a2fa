import Foundation
import Testing

@testable import Providers

/// Modifications of an open file by another program.
@Suite struct `A file that another program` {
  private let folder: TemporaryFolder
  private let provider: LineProvider
  private var path: String { "\(folder.path)/file.lines" }

  init() throws {
    folder = try TemporaryFolder()
    provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: folder.write("t a=1\n", to: "file.lines"))
    try provider.execute("INSERT INTO t VALUES (2)")
  }

  /// Writes into the existing file and restores its modification time.
  private func write(_ text: String) throws {
    let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(time)], ofItemAtPath: path)
  }

  @Test(arguments: [false, true])
  func `has changed with the same length and a reset time is not overwritten`(
    _ hasPersisted: Bool
  ) throws {
    if hasPersisted {
      try provider.persist()
      try provider.execute("DELETE FROM t WHERE a = 1")
    }
    let other = hasPersisted ? "t a=8\nt a=9\n" : "t a=9\n"
    try write(other)
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .fileChanged)
    #expect(try folder.text(of: "file.lines") == other)
  }

  @Test func `has changed with the same length and time is not overwritten`()
    throws
  {
    let path = try folder.write("t a=1\n", to: "same.lines")
    // Setting a time loses its nanoseconds, unless they are zero.
    func setTime() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: path)
    }
    try setTime()
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: path)
    try provider.execute("INSERT INTO t VALUES (2)")
    let before = try FileStamp(path: path)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("t a=9\n".utf8))
    try file.close()
    try setTime()
    let after = try #require(try FileStamp(path: path))
    #expect(before?.hasSameContent(as: after) == true)
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .fileChanged)
    #expect(try folder.text(of: "same.lines") == "t a=9\n")
  }

  @Test(arguments: ["touched", "given permissions", "copied"])
  func `has not changed is overwritten, even if it was touched or copied`(_ deed: String) throws {
    let files = FileManager.default
    switch deed {
    case "touched":
      try files.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: path)
    case "given permissions":
      try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    default:
      try files.moveItem(atPath: path, toPath: path + "~")
      try files.copyItem(atPath: path + "~", toPath: path)
    }
    try provider.persist()
    #expect(try folder.text(of: "file.lines") == "t a=1\nt a=2\n")
  }

  @Test func `left behind in a crash does not affect the next one`() throws {
    let files = FileManager.default
    let left = try folder.write("half of a fi", to: ".new.lines.holt-new")
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: left)
    let fresh = try folder.write("", to: "fresh")
    try provider.saveSource(atPath: "\(folder.path)/new.lines")
    func permissions(_ path: String) throws -> Int? {
      try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions("\(folder.path)/new.lines") == permissions(fresh))
    #expect(try folder.names() == ["file.lines", "fresh", "new.lines"])
  }

  @Test func `has a checksum that does not depend on the pieces`() {
    var bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var whole = FileChecksum()
    whole.add(bytes)
    for size in [1, 3, 31, 32, 33, 64, 999] {
      var cut = FileChecksum()
      for start in stride(from: 0, to: bytes.count, by: size) {
        cut.add(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(cut.value == whole.value)
      #expect(cut.count == 1_000)
    }
    for place in bytes.indices {
      bytes[place] ^= 1
      var other = FileChecksum()
      other.add(bytes)
      #expect(other.value != whole.value)
      bytes[place] ^= 1
    }
    var longer = FileChecksum()
    longer.add(bytes + [0])
    #expect(longer.value != whole.value)
  }
}
