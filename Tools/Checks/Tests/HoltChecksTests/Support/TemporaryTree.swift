import Foundation

@testable import HoltChecks

/// A throwaway folder in the shape of the repository, gone when it is let go.
final class TemporaryTree {
  let repository: Repository

  /// - Parameters:
  ///   - files: Each file's path from the root, and its text.
  ///   - name: Where given, the folder is of this name in every run, so that SwiftPM knows the
  ///     manifests in it from the last one; the name is then no other test's.
  init(_ files: [String: String], named name: String? = nil) throws {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "holt-checks-\(name.map { "\($0)-\(Self.checkout)" } ?? UUID().uuidString)",
      directoryHint: .isDirectory)
    repository = Repository(root: root)
    try? FileManager.default.removeItem(at: root)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try write(text, to: path) }
  }

  /// Tells this checkout from others, whose tests may run at the same time: FNV-1a of its path.
  private static let checkout = String(
    #filePath.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }, radix: 16)

  func write(_ text: String, to path: String) throws {
    let file = repository.url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: repository.root) }
}
