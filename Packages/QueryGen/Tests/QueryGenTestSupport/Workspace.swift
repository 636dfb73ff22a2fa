internal import Foundation

/// A project in a temporary folder, which is deleted with this object.
public final class Workspace: Sendable {
  public let path: String

  /// Creates the folder and its files.
  ///
  /// - Parameter folders: Whether to create `Migrations` and `Queries` even without files.
  public init(_ files: [String: String] = [:], folders: Bool = true) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "querygen \(UUID())")
    path = folder.path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in folders ? ["Migrations", "Queries"] : [] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func write(_ text: String, to name: String) throws {
    try write([UInt8](text.utf8), to: name)
  }

  public func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  public func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  public func read(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
  }

  /// Returns the sorted names in a folder; empty if it does not exist.
  public func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
  }

  /// Returns a text without this folder's path.
  public func short(_ text: String) -> String { text.replacing(path + "/", with: "") }
}
