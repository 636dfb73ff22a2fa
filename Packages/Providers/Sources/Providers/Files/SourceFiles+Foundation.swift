internal import Foundation

extension SourceFiles {
  /// Makes the folder that a file is to be in, where there is none.
  static func makeFolder(of path: String) throws(ProviderError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ProviderError(
        .fileSystem, "the folder can't be made: \(error.localizedDescription)", file: folder)
    }
  }
}
