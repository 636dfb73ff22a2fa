/// Rejects a version in a command, an editor's extension or a requirement that is not the newest one of `CHANGELOG.md`.
public struct VersionCheck: Check {
  public let name = "version"
  public let summary = "commands, extensions and requirements have the version of CHANGELOG.md"

  static let page = "CHANGELOG.md"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    guard let version = Self.newest(in: try repository.text(of: Self.page)) else {
      return [Finding(path: Self.page, line: 1, message: "no heading names a version: ## 1.2.3")]
    }
    var findings: [Finding] = []
    for path in repository.files() {
      let isSource = path.hasSuffix(".swift") && !path.contains("/Tests/")
      let isExtension = path.hasPrefix("Tools/Editors/")
      guard isSource || isExtension || path.hasSuffix(".md") else { continue }
      for (offset, line) in try repository.text(of: path).split(
        separator: "\n", omittingEmptySubsequences: false
      ).enumerated() {
        var found = line.matches(of: /holt\.git", from: "([0-9.]+)"/).map(\.1)
        if isSource { found += line.matches(of: /^ *version: "([0-9.]+)",?$/).map(\.1) }
        if isExtension {
          found += line.matches(of: /^ *"?version"?(?:: | = )"([0-9.]+)",?$/).map(\.1)
        }
        findings += found.filter { $0 != version }.map {
          Finding(
            path: path, line: offset + 1, message: "version \($0), but \(Self.page) has \(version)")
        }
      }
    }
    return findings
  }

  /// Returns the version of the first heading that names one.
  static func newest(in changelog: String) -> Substring? {
    changelog.split(separator: "\n").lazy
      .compactMap { $0.firstMatch(of: /^## ([0-9]+\.[0-9]+\.[0-9]+)\b/)?.1 }.first
  }
}
