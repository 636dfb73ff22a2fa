import Foundation
import Testing

@testable import SwiftEmitter

/// Files that tests compare with. `HOLT_REWRITE_GOLDENS=1` writes them instead.
enum Goldens {
  /// Expects the folder to contain exactly `files`.
  static func expect(
    _ files: [GeneratedFile], in folder: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Goldens/\(folder)", directoryHint: .isDirectory)
    let manager = FileManager.default
    if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
      try? manager.removeItem(at: directory)
      try manager.createDirectory(at: directory, withIntermediateDirectories: true)
      for file in files {
        try Data(file.text.utf8).write(to: directory.appending(path: file.name))
      }
      return
    }
    let path = directory.path(percentEncoded: false)
    let names = try manager.contentsOfDirectory(atPath: path).sorted()
    #expect(names == files.map(\.name).sorted(), sourceLocation: sourceLocation)
    for file in files {
      let text = try String(contentsOf: directory.appending(path: file.name), encoding: .utf8)
      #expect(file.text == text, "\(file.name)", sourceLocation: sourceLocation)
    }
  }
}
