internal import Foundation

extension SourceFiles {
  /// Creates the folder of a file if it does not exist.
  static func createParentFolder(of path: String) throws(ProviderError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ProviderError(
        .fileSystem, "the folder can't be created: \(error.localizedDescription)", file: folder)
    }
  }
}
