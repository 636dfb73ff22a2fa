import QueryGenDriver
import QueryGenTestSupport
import Testing

@Suite struct `Explanations of plans` {
  static let shown = DiagnosticExplanation.Family.plans.explanations.filter { $0.example != nil }
    .map(\.identity)

  @Test(arguments: shown)
  func `have an example with only this diagnostic`(_ identity: String) throws {
    let explanation = try #require(DiagnosticExplanation.find(identity))
    let workspace = try Workspace(SampleFiles(#require(explanation.example)))
    let outcome = workspace.checkPlans()
    #expect(outcome.diagnostics.map(\.identity) == [identity], "\(outcome.report)")
    #expect(outcome.diagnostics.first?.severity == explanation.severity)
  }

  @Test(arguments: shown)
  func `have a correction without diagnostics`(_ identity: String) throws {
    let explanation = try #require(DiagnosticExplanation.find(identity))
    let example = try SampleFiles(#require(explanation.example))
    let correction = try SampleFiles(#require(explanation.correction))
    let workspace = try Workspace(example.replacing(correction))
    #expect(workspace.checkPlans().report == "")
  }
}
