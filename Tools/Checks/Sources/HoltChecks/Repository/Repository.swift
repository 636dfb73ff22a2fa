public import Foundation

/// A working copy of Holt, or a tree in its shape.
public struct Repository: Sendable {
  /// The folder that holds `Packages`, `Tools` and `Tests`.
  public let root: URL

  public init(root: URL) {
    self.root = root.standardizedFileURL
  }

  /// Folders that hold what was built or fetched, never what was written.
  static let ignoredFolders: Set<String> = [".build", ".git", ".swiftpm", "DerivedData"]

  /// The file or folder at `path`, which is relative to the root.
  public func url(_ path: String) -> URL {
    root.appending(path: path)
  }

  /// The same as a path for commands and for the system.
  func fullPath(_ path: String = "") -> String {
    (path.isEmpty ? root : url(path)).path(percentEncoded: false)
  }

  /// Whether there is a file or folder at `path`.
  public func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: fullPath(path))
  }

  /// The text of one file.
  ///
  /// - Throws: ``CheckError`` when the file can't be read or is not UTF-8.
  public func text(of path: String) throws(CheckError) -> String {
    guard let data = FileManager.default.contents(atPath: fullPath(path))
    else { throw CheckError("cannot read \(path)") }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CheckError("\(path) is not UTF-8")
    }
    return text
  }

  /// The names inside one folder, sorted; none when there is no such folder.
  public func names(in folder: String) -> [String] {
    let path = fullPath(folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The files at and below `folder`, as sorted paths from the root.
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
