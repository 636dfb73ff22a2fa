internal import Foundation

/// A folder outside of the repository, for the time of a check.
enum ScratchFolder {
  /// Makes a folder, gives it, and removes it with all that is in it.
  ///
  /// - Parameters:
  ///   - name: What the folder is for, which is a part of its name.
  ///   - failure: What could not be done, where an error is none of a check's own.
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
