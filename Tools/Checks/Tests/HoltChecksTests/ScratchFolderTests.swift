import Foundation
import Testing

@testable import HoltChecks

@Suite struct `A folder for the time of a check` {
  private func exists(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
  }

  @Test func `is gone afterwards, with what is in it`() throws {
    let folder = try ScratchFolder.with(for: "test", or: "cannot write") { folder in
      try Data("a".utf8).write(to: folder.appending(path: "a"))
      #expect(exists(folder))
      return folder
    }
    #expect(!exists(folder))
  }

  @Test func `is gone after a failure, which says what could not be done`() throws {
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

  @Test func `lets a check's own error through`() {
    let error = #expect(throws: CheckError.self) {
      try ScratchFolder.with(for: "test", or: "cannot read") { _ in throw CheckError("found it") }
    }
    #expect(error?.description == "found it")
  }
}
