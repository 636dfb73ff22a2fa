import Foundation

/// The identities that the package's sources declare, in any of its targets.
enum DeclaredIdentities {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources", directoryHint: .isDirectory).standardized

  /// Returns the identities in extensions of `Diagnostic.Identity`, and in `EmitterDiagnostic`.
  static func all() throws -> Set<String> {
    let folder = sources.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var identities: Set<String> = []
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for block in text.matches(of: /extension Diagnostic\.Identity \{(?s:.*?)\n\}/) {
        identities.formUnion(
          block.0.matches(of: /static let \w+\s*=\s*Self\(\s*rawValue:\s*"([^"]+)"/)
            .map { String($0.1) })
      }
      for block in text.matches(of: /struct EmitterDiagnostic(?s:.*?)\n  \}/) {
        identities.formUnion(block.0.matches(of: /case \w+ = "([^"]+)"/).map { String($0.1) })
      }
    }
    return identities
  }
}
