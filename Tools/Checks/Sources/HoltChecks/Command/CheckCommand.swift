internal import Foundation

/// The `holt-check` command: its arguments, and what it prints.
public struct CheckCommand {
  private let arguments: [String]

  static let checks: [any Check] = [
    FormatCheck(), ImportsCheck(), FilesCheck(), MutationsCheck(), ReachCheck(), SamplesCheck(),
    SystemsCheck(), OrderCheck(), ExamplesCheck(), ManifestCheck(), GraphsCheck(), ConsumerCheck(),
    PluginCheck(), TutorialCheck(),
  ]

  /// - Parameter arguments: What follows the command's name.
  public init(arguments: [String]) {
    self.arguments = arguments
  }

  /// Does what the arguments ask, in the working copy that holds the current folder.
  ///
  /// - Returns: The exit code: 0 when all is well, 1 when something is refused, 2 when the
  ///   arguments are wrong or a check can't be made.
  public func run() -> Int32 {
    do {
      let repository = Repository(
        root: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
      guard repository.exists("Packages") else {
        throw CheckError("run holt-check at the root of the repository")
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

  private static func make(
    _ checks: [any Check], in repository: Repository
  ) throws(CheckError) -> Bool {
    var isClean = true
    for check in checks {
      let findings = try check.findings(in: repository)
      for finding in findings { complain(finding.description) }
      isClean = isClean && findings.isEmpty
      let name = check.name.padding(toLength: 10, withPad: " ", startingAt: 0)
      print(name + (findings.isEmpty ? "ok" : "\(findings.count) refused"))
    }
    return isClean
  }

  /// Prints a line at once, also where the output is no terminal.
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
      holt-check CHECK…           refuse what breaks a rule, as file:line: error: …
      holt-check manifest --write make the root Package.swift
      holt-check format --write   format every Swift file
      holt-check consumers [--only PRODUCT]… [--write]
                                  build an app for each product, by URL and by path; --write: into
                                  \(ConsumersPage.path)

      \(lines.joined(separator: "\n"))
      """
  }
}
