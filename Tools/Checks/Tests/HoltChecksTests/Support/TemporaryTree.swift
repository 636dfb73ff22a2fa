import Foundation

@testable import HoltChecks

/// A throwaway folder in the shape of the repository, gone when it is let go.
final class TemporaryTree {
  let repository: Repository

  /// - Parameter files: Each file's path from the root, and its text.
  init(_ files: [String: String]) throws {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "holt-checks-\(UUID().uuidString)", directoryHint: .isDirectory)
    repository = Repository(root: root)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try write(text, to: path) }
  }

  func write(_ text: String, to path: String) throws {
    let file = repository.url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: repository.root) }
}
