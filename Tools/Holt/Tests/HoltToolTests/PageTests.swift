import Foundation
import Testing

@testable import HoltTool

@Suite struct `The page on holt` {
  /// A command of a page, and what it gives.
  struct Step {
    var command: String
    var output: String
  }

  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../Docs/holt.md").standardized

  /// What stands behind `$`, and behind `>` in the lines after it, and the lines that follow.
  static func steps(of text: String) -> [Step] {
    var steps: [Step] = []
    var isInside = false
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
    return steps
  }

  @Test func `shows what its commands give`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let steps = Self.steps(of: text)
    #expect(steps.count > 30)
    let run = try HoltRun()
    for step in steps {
      let result = try run.shell("exec 2>&1; \(step.command)")
      #expect(result.output == step.output, "\(step.command)")
    }
  }
}
