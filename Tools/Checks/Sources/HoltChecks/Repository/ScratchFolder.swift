internal import Foundation

/// A temporary folder outside of the repository.
enum ScratchFolder {
  /// Calls a closure with a new folder, and removes the folder afterwards.
  ///
  /// - Parameters:
  ///   - name: The purpose of the folder, a part of its name.
  ///   - failure: The action that failed, for the message of an error that is not a ``CheckError``.
  static func with<Result>(
    for name: String, or failure: String, _ body: (_ folder: URL) throws -> Result
  ) throws(CheckError) -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "holt-\(name)-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try body(folder)
    } catch let error as CheckError {
      throw error
    } catch {
      throw CheckError("\(failure): \(error)")
    }
  }
}
