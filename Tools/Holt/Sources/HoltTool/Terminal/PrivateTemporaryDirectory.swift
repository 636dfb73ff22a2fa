import Foundation
import Terminal

/// A temporary folder that only the current user can read.
///
/// The folder and its content are removed when the object is deinitialized, or when an interrupt
/// ends the process.
final class PrivateTemporaryDirectory: Sendable {
  let path: String
  private let interrupt: Int

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "holt-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = url.path(percentEncoded: false)
    self.path = path
    interrupt = InterruptHandlers.shared.handle {
      try? FileManager.default.removeItem(atPath: path)
      return false
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    InterruptHandlers.shared.remove(interrupt)
  }
}
