import Foundation
import Terminal

/// Paths for temporary files, in a folder that only the current user can read.
///
/// The folder is created on first use. It is removed with its content when the object is
/// deinitialized, or when a signal ends the process.
final class TemporaryFiles {
  private var folder: (url: URL, interrupt: Int)?
  private var count = 0

  func newPath() throws -> String {
    let url = try folder?.url ?? makeFolder()
    count += 1
    return url.appending(path: "\(count)").path(percentEncoded: false)
  }

  /// Creates an empty folder.
  func newFolder() throws -> String {
    let path = try newPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  private func makeFolder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "holt-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let interrupt = InterruptHandlers.shared.handle {
      // Another thread may be creating a file in the folder.
      let path = url.path(percentEncoded: false)
      for _ in 1...3 where FileManager.default.fileExists(atPath: path) {
        try? FileManager.default.removeItem(at: url)
      }
      return false
    }
    folder = (url, interrupt)
    return url
  }

  deinit {
    guard let folder else { return }
    try? FileManager.default.removeItem(at: folder.url)
    InterruptHandlers.shared.remove(folder.interrupt)
  }
}
