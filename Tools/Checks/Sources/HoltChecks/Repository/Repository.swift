public import Foundation

/// A working copy of Holt, or a folder with the same layout.
public struct Repository: Sendable {
  /// The folder that contains `Packages`, `Tools` and `Tests`.
  public let root: URL

  public init(root: URL) {
    self.root = root.standardizedFileURL
  }

  /// Folders with build products or fetched files, without sources.
  static let ignoredFolders: Set<String> = [".build", ".git", ".swiftpm", "DerivedData"]

  /// Returns the URL of a file or folder. The path is relative to the root.
  public func url(_ path: String) -> URL {
    root.appending(path: path)
  }

  /// Returns an absolute path, for commands and for the file system.
  func fullPath(_ path: String = "") -> String {
    (path.isEmpty ? root : url(path)).path(percentEncoded: false)
  }

  /// Returns whether there is a file or folder at `path`.
  public func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: fullPath(path))
  }

  /// Returns the text of a file.
  ///
  /// - Throws: ``CheckError`` if the file can't be read or is not UTF-8.
  public func text(of path: String) throws(CheckError) -> String {
    guard let data = FileManager.default.contents(atPath: fullPath(path))
    else { throw CheckError("cannot read \(path)") }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CheckError("\(path) is not UTF-8")
    }
    return text
  }

  /// Returns the sorted names inside a folder, or an empty array if there is no such folder.
  public func names(in folder: String) -> [String] {
    let path = fullPath(folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Returns the files in `folder` and its subfolders, as sorted paths from the root.
  public func files(under folder: String = "") -> [String] {
    var found: [String] = []
    for name in names(in: folder) where !Self.ignoredFolders.contains(name) {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      let type = try? FileManager.default.attributesOfItem(atPath: fullPath(path))[.type]
      if type as? FileAttributeType == .typeDirectory {
        found += files(under: path)
      } else {
        found.append(path)
      }
    }
    return found
  }
}
