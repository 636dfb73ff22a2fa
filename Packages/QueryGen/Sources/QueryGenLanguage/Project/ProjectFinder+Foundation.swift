internal import Foundation
internal import QueryGenDriver

/// Finds projects: folders with a `querygen.yaml` or a `Migrations` folder.
enum ProjectFinder {
  /// Folders that contain no projects, only output and dependencies.
  private static let skipped: Set<String> = ["node_modules", "Pods", "DerivedData", "Carthage"]
  /// The maximum depth of a project below a folder of the workspace.
  private static let maximumDepth = 8

  static func isProject(_ folder: String) -> Bool {
    exists(Paths.join(folder, ProjectConfiguration.fileName))
      || isFolder(Paths.join(folder, "Migrations"))
  }

  /// Returns the projects in folders, including the folders themselves.
  static func projects(in folders: [String]) -> Set<String> {
    var found: Set<String> = []
    var pending = folders.map { ($0, 0) }
    while let (folder, depth) = pending.popLast() {
      if isProject(folder) { found.insert(folder) }
      guard depth < maximumDepth,
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
      else { continue }
      for name in names where !name.hasPrefix(".") && !skipped.contains(name) {
        // Most names with an extension are files, which need not be looked up.
        if name.contains(".") { continue }
        let path = Paths.join(folder, name)
        if isFolder(path) { pending.append((path, depth + 1)) }
      }
    }
    return found
  }

  /// Returns the innermost project around a file.
  static func project(above path: String) -> String? {
    var folder = Paths.folder(of: path)
    while folder != "/", folder != "." {
      if isProject(folder) { return folder }
      folder = Paths.folder(of: folder)
    }
    return nil
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private static func isFolder(_ path: String) -> Bool {
    guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] else {
      return false
    }
    return type as? FileAttributeType == .typeDirectory
  }
}
