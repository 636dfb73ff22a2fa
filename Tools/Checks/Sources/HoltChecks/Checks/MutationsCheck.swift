/// Rejects patches of `Tools/Mutations` that `make mutate` could not use.
///
/// The check does not run any tests. It applies each patch to the working tree with `git apply --check`,
/// which changes no file.
public struct MutationsCheck: Check {
  public let name = "mutations"
  public let summary = "each patch of Tools/Mutations applies, and has its header"

  /// The folder with a folder of patches for each package.
  static let folder = "Tools/Mutations"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    for path in repository.files(under: Self.folder) {
      let parts = path.dropFirst(Self.folder.count + 1).split(separator: "/")
      guard parts.count == 2, path.hasSuffix(".patch") else {
        findings.append(
          Finding(path: path, line: 1, message: "expected \(Self.folder)/PACKAGE/NAME.patch"))
        continue
      }
      let text = try repository.text(of: path)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      findings += Self.headerFindings(lines, at: path)
      findings += Self.fileFindings(lines, at: path)
      if let fault = try Self.faultOfApplying(path, in: repository) {
        findings.append(Finding(path: path, line: 1, message: fault))
      }
    }
    return findings
  }

  private static func headerFindings(_ lines: [Substring], at path: String) -> [Finding] {
    let header = lines.prefix { $0.hasPrefix("#") }
    let keys = ["# tests: ", "# equivalent: "]
    var messages: [String] = []
    let isDescribed =
      header.first.map { line in
        line.hasPrefix("# ") && line.hasSuffix(".") && !keys.contains(where: line.hasPrefix)
      } ?? false
    if !isDescribed {
      messages.append("the first line must describe the bug's effect on a user: # ….")
    }
    let found = header.filter { line in
      keys.contains { line.hasPrefix($0) && line.count > $0.count }
    }
    if found.count != 1 {
      messages.append("the header must have one line # tests: REGEX or # equivalent: REASON")
    }
    return messages.map { Finding(path: path, line: 1, message: $0) }
  }

  /// Rejects changes to files other than the packages' sources. A package's tests may detect a bug
  /// of another package.
  private static func fileFindings(_ lines: [Substring], at path: String) -> [Finding] {
    let start = lines.firstIndex { !$0.hasPrefix("#") } ?? lines.endIndex
    var findings: [Finding] = []
    for (offset, line) in lines.enumerated().dropFirst(start) {
      guard line.hasPrefix("diff --git ") else { continue }
      let names = line.split(separator: " ").dropFirst(2)
      // The names are prefixed by a/ and b/.
      if names.count == 2, names.allSatisfy({ isSource($0.dropFirst(2)) }) { continue }
      findings.append(
        Finding(
          path: path, line: offset + 1, message: "a mutant changes files of Packages/*/Sources only"
        ))
    }
    return findings
  }

  private static func isSource(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", maxSplits: 3)
    return parts.count == 4 && parts[0] == "Packages" && parts[2] == "Sources"
  }

  private static func faultOfApplying(
    _ path: String, in repository: Repository
  ) throws(CheckError) -> String? {
    // Without --unsafe-paths, and from the root: git ignores files outside of the current folder.
    let command = try Command.run(
      ["git", "apply", "--check", repository.fullPath(path)], in: repository.root)
    if command.status == 0 { return nil }
    let reason = command.errors.split(separator: "\n").first ?? "git apply failed"
    return "the patch does not apply: \(reason)"
  }
}
