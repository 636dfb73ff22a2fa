internal import Foundation

/// A package's manifest as loaded by SwiftPM.
struct PackageDump {
  /// The package's folder, relative to the repository's root.
  let folder: String
  let json: JSON

  /// The identity for path dependencies: the folder's name in lower case.
  var identity: String { folder.split(separator: "/").last.map { $0.lowercased() } ?? folder }

  /// Loads the manifest with `swift package dump-package`.
  static func load(_ folder: String, in repository: Repository) throws(CheckError) -> PackageDump {
    let output = try Command.output([
      "swift", "package",
      "--package-path", repository.fullPath(folder),
      "--scratch-path", repository.fullPath(".build/tools/dump"),
      "dump-package",
    ])
    do {
      return PackageDump(
        folder: folder, json: try JSONDecoder().decode(JSON.self, from: Data(output.utf8)))
    } catch {
      throw CheckError("\(folder): dump-package did not print JSON: \(error)")
    }
  }

  /// Returns the folders of the packages that the root package contains, in order.
  ///
  /// The benchmarks are excluded, because their release build must not depend on test support.
  static func members(of repository: Repository) -> [String] {
    let packages = repository.names(in: "Packages").map { "Packages/\($0)" }
    return (packages + ["Tools/Checks", "Tools/Terminal", "Tools/Holt", "Tools", "Tests"]).filter {
      repository.exists("\($0)/Package.swift")
    }
  }
}
