/// Rejects packages that don't load from their own manifest.
public struct GraphsCheck: Check {
  public let name = "graphs"
  public let summary = "each package loads from its own manifest, with all dependencies"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    for folder in PackageDump.members(of: repository) {
      let command = try Command.run([
        "swift", "package",
        "--package-path", repository.fullPath(folder),
        "--scratch-path", repository.fullPath(".build/tools/graph"),
        "show-dependencies",
      ])
      guard command.status != 0 else { continue }
      let reason =
        command.errors.split(separator: "\n").first { $0.contains("error:") } ?? "does not load"
      findings.append(
        Finding(path: "\(folder)/Package.swift", line: 1, message: String(reason)))
    }
    return findings
  }
}
