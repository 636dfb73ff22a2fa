internal import Foundation

/// A package's manifest as SwiftPM itself reads it.
struct PackageDump {
  /// The package's folder, relative to the repository's root.
  let folder: String
  let json: JSON

  /// What path dependencies call it: the folder's name, in lower case.
  var identity: String { folder.split(separator: "/").last.map { $0.lowercased() } ?? folder }

  /// Asks `swift package dump-package`.
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
      throw CheckError("\(folder): dump-package printed something else: \(error)")
    }
  }

  /// The folders whose packages make up the root package, in the order in which they appear there.
  ///
  /// Benchmarks stay outside: their release build must never reach what is only for tests.
  static func members(of repository: Repository) -> [String] {
    let packages = repository.names(in: "Packages").map { "Packages/\($0)" }
    return (packages + ["Tools/Checks", "Tools/Terminal", "Tools/Holt", "Tools", "Tests"]).filter {
      repository.exists("\($0)/Package.swift")
    }
  }
}
