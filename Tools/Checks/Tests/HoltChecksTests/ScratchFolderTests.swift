import Foundation
import Testing

@testable import HoltChecks

@Suite struct `A scratch folder` {
  private func exists(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
  }

  @Test func `is removed afterwards, with its contents`() throws {
    let folder = try ScratchFolder.with(for: "test", or: "cannot write") { folder in
      try Data("a".utf8).write(to: folder.appending(path: "a"))
      #expect(exists(folder))
      return folder
    }
    #expect(!exists(folder))
  }

  @Test func `is removed after an error, which names the failed action`() throws {
    var made: URL?
    let error = #expect(throws: CheckError.self) {
      try ScratchFolder.with(for: "test", or: "cannot read") { folder in
        made = folder
        _ = try Data(contentsOf: folder.appending(path: "none"))
      }
    }
    #expect(error?.description.hasPrefix("cannot read: ") == true)
    #expect(!exists(try #require(made)))
  }

  @Test func `rethrows an error of a check`() {
    let error = #expect(throws: CheckError.self) {
      try ScratchFolder.with(for: "test", or: "cannot read") { _ in throw CheckError("found it") }
    }
    #expect(error?.description == "found it")
  }
}
