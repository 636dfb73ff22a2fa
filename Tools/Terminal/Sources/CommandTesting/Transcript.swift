public import Foundation

/// What a page in Markdown shows of a command: what is typed, and what that gives.
public struct Transcript {
  /// A command of a page, and what it gives.
  public struct Step: Sendable {
    public fileprivate(set) var command: String
    public fileprivate(set) var output: String
  }

  public private(set) var steps: [Step] = []

  /// Reads the blocks `console` of a page: what stands behind `$`, and behind `>` in the lines after it, and the lines that follow.
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
  /// Runs a step of a page, and gives what is written to both outputs.
  public func output(
    of step: Transcript.Step, environment: [String: String] = [:]
  ) throws -> String {
    try shell("exec 2>&1; \(step.command)", environment: environment).output
  }
}
