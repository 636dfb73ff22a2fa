import Foundation

@testable import HoltChecks

/// A temporary folder with the layout of the repository, removed when the instance is released.
final class TemporaryTree {
  let repository: Repository

  /// - Parameters:
  ///   - files: Each file's path from the root, and its text.
  ///   - name: A name for the folder, the same in every run, so that SwiftPM can use its cache of manifests. Each test
  ///     needs a different name. By default, the name is random.
  init(_ files: [String: String], named name: String? = nil) throws {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "holt-checks-\(name.map { "\($0)-\(Self.checkout)" } ?? UUID().uuidString)",
      directoryHint: .isDirectory)
    repository = Repository(root: root)
    try? FileManager.default.removeItem(at: root)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try write(text, to: path) }
  }

  /// An identifier of this checkout: the FNV-1a hash of its path. Tests of another checkout may run
  /// at the same time.
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
