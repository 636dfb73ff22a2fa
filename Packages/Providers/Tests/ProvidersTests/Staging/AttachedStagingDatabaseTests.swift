import Foundation
import Providers
import SQLiteCore
import Testing

@testable import class Providers.FileReplacement

@Suite struct `A staging database in a file` {
  @Test func `can be attached by others, whose commits are persisted`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("name,age\nAda,36\n", to: "people.csv")
    let mirror = folder.path + "/mirror"
    let provider = CSVProvider(options: CSVProvider.Options(), place: .file(mirror))
    try provider.openSource(atPath: file)
    let connection = try Connection.inMemory()
    try connection.attach(.file(mirror), as: "people")
    #expect(try connection.value(Int.self, "SELECT age FROM people.people") == 36)
    let version = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    try provider.persist()
    #expect(
      try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == version)
    try connection.run("INSERT INTO people VALUES ('Alan', 41)")
    try provider.persist()
    #expect(try folder.text(of: "people.csv") == "name,age\nAda,36\nAlan,41\n")
  }
}

@Suite struct `A file that is written as a whole` {
  @Test func `replaces an existing file only on request`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.txt"
    try SourceSession.FileWriting.write(toPath: path, replacing: false) { try $0.write([65]) }
    let error = #expect(throws: ProviderError.self) {
      try SourceSession.FileWriting.write(toPath: path, replacing: false) { try $0.write([66]) }
    }
    #expect(error?.code == .fileExists)
    #expect(try folder.text(of: "a.txt") == "A")
    try SourceSession.FileWriting.write(toPath: path, replacing: true) { try $0.write([66]) }
    #expect(try folder.text(of: "a.txt") == "B")
    #expect(throws: CancellationError.self) {
      try SourceSession.FileWriting.write(toPath: path, replacing: true) {
        try $0.write([67])
        throw CancellationError()
      }
    }
    #expect(try folder.text(of: "a.txt") == "B")
    #expect(try folder.names() == ["a.txt"])
  }

  @Test(.enabled(if: CachedFile.showsSync, "the file system does not report synced data"))
  func `is durable before it replaces another`() throws {
    let folder = try TemporaryFolder()
    let replacement = try FileReplacement(path: folder.write("old", to: "a.txt"))
    try replacement.write([UInt8](repeating: 65, count: 20_000))
    // The last step before replacing the file fails: afterwards the file system can sync the file.
    let error = #expect(throws: ProviderError.self) {
      try replacement.commit(expecting: .some(nil))
    }
    #expect(error?.code == .fileChanged)
    #expect(try CachedFile.unsyncedKilobytes(atPath: replacement.temporaryPath) == 0)
    #expect(try folder.text(of: "a.txt") == "old")
  }
}
