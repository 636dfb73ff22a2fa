import ProviderTesting
import Testing

@Suite struct `What is wrong with a provider` {
  @Test(arguments: Fault.all)
  func `is found out by a rule of its topic`(_ fault: Fault) async throws {
    let failure = try await Self.firstFailure(fault)
    #expect(failure != nil, "no rule of \(fault.topics) fails where a provider \(fault)")
  }

  private static func firstFailure(_ fault: Fault) async throws -> Conformance.Failure? {
    for rule in Conformance.cases where fault.topics.contains(rule.topic) {
      do {
        try await rule.run(on: fault.candidate)
      } catch let failure as Conformance.Failure {
        return failure
      }
    }
    return nil
  }
}
