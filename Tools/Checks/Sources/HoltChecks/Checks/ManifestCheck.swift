internal import Foundation

/// Rejects a root manifest that differs from the packages' own manifests.
public struct ManifestCheck: Check {
  public let name = "manifest"
  public let summary = "the root Package.swift agrees with the packages' manifests"

  /// The generated file.
  static let path = "Package.swift"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let expected = try Self.expected(in: repository)
    let found = repository.exists(Self.path) ? try repository.text(of: Self.path) : ""
    return Self.differences(from: found, to: expected)
  }

  /// Generates the root manifest.
  ///
  /// - Returns: `true` if the file changed.
  public func write(in repository: Repository) throws(CheckError) -> Bool {
    let expected = try Self.expected(in: repository)
    if repository.exists(Self.path), try repository.text(of: Self.path) == expected { return false }
    do {
      try Data(expected.utf8).write(to: repository.url(Self.path), options: .atomic)
    } catch {
      throw CheckError("cannot write \(Self.path): \(error)")
    }
    return true
  }

  private static func expected(in repository: Repository) throws(CheckError) -> String {
    var packages: [PackageDump] = []
    for folder in PackageDump.members(of: repository) {
      packages.append(try PackageDump.load(folder, in: repository))
    }
    return try RootManifestBuilder.manifest(from: packages).rendered()
  }

  /// Returns each superfluous and each missing line, by its position in the file.
  static func differences(from found: String, to expected: String) -> [Finding] {
    let old = found.split(separator: "\n", omittingEmptySubsequences: false)
    let new = expected.split(separator: "\n", omittingEmptySubsequences: false)
    return new.difference(from: old).map { change in
      switch change {
      case .remove(let offset, let line, _):
        Finding(path: path, line: offset + 1, message: "drifted (make manifest): - \(line)")
      case .insert(let offset, let line, _):
        Finding(path: path, line: offset + 1, message: "drifted (make manifest): + \(line)")
      }
    }
  }
}
