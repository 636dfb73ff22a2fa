public import Foundation

/// The commands in a Markdown page and their expected output.
public struct Transcript {
  /// A command and its expected output.
  public struct Step: Sendable {
    public fileprivate(set) var command: String
    public fileprivate(set) var output: String
  }

  public private(set) var steps: [Step] = []

  /// Reads the `console` code blocks of a page. A command starts after `$` and continues on lines that
  /// start with `>`; the other lines are its output.
  public init(page: URL) throws {
    var isInside = false
    let text = try String(contentsOf: page, encoding: .utf8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if isInside, !steps.isEmpty {
        if line.hasPrefix("> "), steps[steps.count - 1].output.isEmpty {
          steps[steps.count - 1].command += "\n" + line.dropFirst(2)
        } else {
          steps[steps.count - 1].output += line + "\n"
        }
      }
    }
  }
}

extension CommandRun {
  /// Runs a step and returns its standard output and standard error.
  public func output(
    of step: Transcript.Step, environment: [String: String] = [:]
  ) throws -> String {
    try shell("exec 2>&1; \(step.command)", environment: environment).output
  }
}
