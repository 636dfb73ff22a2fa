import CommandTesting
import Foundation
import Testing

@Suite struct `The holt documentation page` {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../Docs/holt.md").standardized

  @Test func `shows the output of its commands`() throws {
    let steps = try Transcript(page: Self.page).steps
    #expect(steps.count > 30)
    let run = try HoltRun()
    for step in steps { #expect(try run.output(of: step) == step.output, "\(step.command)") }
  }
}
