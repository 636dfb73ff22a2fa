/// Rejects Swift files that `swift format` would change, or that violate its rules.
public struct FormatCheck: Check {
  public let name = "format"
  public let summary = "every Swift file is formatted (make format)"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let files = Self.files(in: repository)
    guard !files.isEmpty else { return [] }
    let command = try Command.run(
      ["swift", "format", "lint", "--strict", "--parallel"] + files, in: repository.root)
    let findings = command.errors.split(separator: "\n").compactMap {
      Self.finding(from: $0, in: repository)
    }
    guard command.status == 0 || !findings.isEmpty else {
      throw CheckError("swift format failed:\n\(command.errors)")
    }
    return findings
  }

  /// Formats every Swift file in place.
  public func write(in repository: Repository) throws(CheckError) {
    let files = Self.files(in: repository)
    guard !files.isEmpty else { return }
    _ = try Command.output(
      ["swift", "format", "--in-place", "--parallel"] + files, in: repository.root)
  }

  /// Returns all Swift files except generated ones, recognized by their names, and the expected output of the
  /// generator's tests.
  static func files(in repository: Repository) -> [String] {
    repository.files().filter {
      $0.hasSuffix(".swift") && !$0.hasSuffix("/expected.swift") && !$0.contains("/Goldens/")
        && !$0.hasSuffix(".generated.swift") && !$0.hasSuffix(".queries.swift")
    }
  }

  /// Parses `path:line:column: error: [Rule] message`.
  static func finding(from line: Substring, in repository: Repository) -> Finding? {
    let parts = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[1]), Int(parts[2]) != nil else { return nil }
    var path = String(parts[0])
    let root = repository.fullPath()
    if path.hasPrefix(root) { path = String(path.dropFirst(root.count)) }
    var message = parts[3].drop { $0 == " " }
    for level in ["error: ", "warning: "] where message.hasPrefix(level) {
      message = message.dropFirst(level.count)
    }
    return Finding(path: path, line: number, message: String(message))
  }
}
