internal import Foundation

/// Files that are read and written as a whole.
enum TextFile {
  static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw FileFailure(.unreadableFile, path: path, message: "can't be read: \(reason(error))")
    }
  }

  /// Writes a file beside its place and moves it there.
  static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw FileFailure(
        .unwritableFile, path: path, message: "can't be written: \(reason(error))")
    }
  }
}
