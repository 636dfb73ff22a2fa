internal import Foundation

/// Rejects a build plugin that an app outside of the repository can't use by path, or by URL and version.
///
/// The check changes, adds and removes SQL files of the app, and builds it incrementally after each step.
public struct PluginCheck: Check {
  public let name = "plugin"
  public let summary =
    "an app uses the plugin by path and by URL, and rebuilds when its SQL changes"

  /// The targets that may be compiled for an app that uses the library and the plugin.
  static let compiled = Consumer.closure(of: ["QueryGen", "QueryGenPlugin"]).union(["app"])

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    try ReleasedCopy.with(repository, for: "plugin", or: "cannot write the app") {
      folder, library in
      let requirements = [
        ("path", ".package(path: \(library.path(percentEncoded: false).quoted))"),
        ("URL", ".package(url: \(library.absoluteString.quoted), from: \"1.0.0\")"),
      ]
      for (kind, requirement) in requirements {
        // A path may contain a space.
        let app = PluginApp(
          root: folder.appending(path: "by \(kind)", directoryHint: .isDirectory))
        try app.write(requiring: requirement)
        for step in PluginApp.steps {
          if let message = try step.run(in: app) {
            return [Self.finding("an app that requires the plugin by \(kind): \(message)")]
          }
        }
        let findings = Self.findings(afterBuilding: app.root)
        guard findings.isEmpty else { return findings }
      }
      return []
    }
  }

  private static func finding(_ message: String) -> Finding {
    Finding(path: "Packages/QueryGen/Package.swift", line: 1, message: message)
  }

  /// Returns the targets that were compiled unnecessarily, determined by their object files.
  static func findings(afterBuilding app: URL) -> [Finding] {
    let tree = Repository(root: app.appending(path: ".build", directoryHint: .isDirectory))
    return tree.names(in: "debug").filter { $0.hasSuffix(".build") }.compactMap { folder in
      let target = BuildPlan.targetName(ofFolder: folder[...])
      let objects = tree.files(under: "debug/\(folder)").filter { $0.hasSuffix(".o") }
      guard !compiled.contains(target), !objects.isEmpty else { return nil }
      return finding("an app that uses the plugin also compiles \(target)")
    }
  }
}
