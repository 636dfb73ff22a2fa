internal import Foundation

/// The `holt-check` command: its arguments and its output.
public struct CheckCommand {
  private let arguments: [String]

  static let checks: [any Check] = [
    FormatCheck(), ImportsCheck(), FilesCheck(), MutationsCheck(), ReachCheck(), LinksCheck(),
    SamplesCheck(),
    SystemsCheck(), OrderCheck(), ProseCheck(), LanguageCheck(), CommitsCheck(), VersionCheck(),
    ExamplesCheck(), ManifestCheck(), GraphsCheck(), ConsumerCheck(), PluginCheck(),
    TutorialCheck(),
  ]

  /// - Parameter arguments: The arguments after the command's name.
  public init(arguments: [String]) {
    self.arguments = arguments
  }

  /// Runs the requested checks in the current folder, the root of a working copy.
  ///
  /// - Returns: The exit code: 0 if every check passes, 1 if a check finds a violation, 2 if the arguments are invalid
  ///   or a check can't run.
  public func run() -> Int32 {
    do {
      let repository = Repository(
        root: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
      guard repository.exists("Packages") else {
        throw CheckError(
          "the current folder has no folder Packages; run holt-check at the root of the repository")
      }
      return try run(in: repository) ? 0 : 1
    } catch {
      Self.complain("holt-check: \(error)")
      return 2
    }
  }

  private func run(in repository: Repository) throws(CheckError) -> Bool {
    switch arguments {
    case [], ["help"], ["--help"]:
      print(Self.help)
      return true
    case ["manifest", "--write"]:
      print(try ManifestCheck().write(in: repository) ? "Package.swift: written" : "no change")
      return true
    case ["format", "--write"]:
      try FormatCheck().write(in: repository)
      return true
    case _ where arguments.first == "consumers":
      return try ConsumersCommand(arguments: arguments.dropFirst()).run(in: repository)
    case _ where arguments.first == "language":
      return try LanguageCommand(arguments: arguments.dropFirst()).run(in: repository)
    case _ where arguments.count == 2 && arguments[0] == "commits" && !Self.isName(arguments[1]):
      return try Self.make([CommitsCheck(range: arguments[1])], in: repository)
    default:
      var chosen: [any Check] = []
      for argument in arguments {
        guard let check = Self.checks.first(where: { $0.name == argument }) else {
          throw CheckError("no check is named \(argument)\n\(Self.help)")
        }
        chosen.append(check)
      }
      return try Self.make(chosen, in: repository)
    }
  }

  private static func isName(_ argument: String) -> Bool {
    checks.contains { $0.name == argument }
  }

  private static func make(
    _ checks: [any Check], in repository: Repository
  ) throws(CheckError) -> Bool {
    var isClean = true
    for check in checks {
      let findings = try check.findings(in: repository)
      for finding in findings { complain(finding.description) }
      isClean = isClean && findings.isEmpty
      let name = check.name.padding(toLength: 10, withPad: " ", startingAt: 0)
      print(name + (findings.isEmpty ? "ok" : "\(findings.count) rejected"))
    }
    return isClean
  }

  /// Prints a line immediately, even if the output is not a terminal.
  static func say(_ message: String) {
    FileHandle.standardOutput.write(Data((message + "\n").utf8))
  }

  static func complain(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
  }

  static var help: String {
    let lines = checks.map {
      "  " + $0.name.padding(toLength: 10, withPad: " ", startingAt: 0) + $0.summary
    }
    return """
      holt-check CHECK…           list violations of rules as file:line: error: …
      holt-check manifest --write generate the root Package.swift
      holt-check format --write   format every Swift file
      holt-check language [--counts] [PATH]…
                                  list passages that are not plain technical English, or count them
      holt-check commits RANGE    check the commits of a range of git
      holt-check consumers [--only PRODUCT]… [--write]
                                  build an app for each product, by URL and by path; --write updates
                                  \(ConsumersPage.path)

      \(lines.joined(separator: "\n"))
      """
  }
}
