import ProviderTesting
import Testing

@Suite struct `A fault of a provider` {
  /// `make test` tries some of them, `make reliability` all.
  @Test(
    arguments: Fault.all.enumerated().filter { number, _ in
      Reliability.isFull || number.isMultiple(of: 9)
    }.map(\.element))
  func `is detected by a rule of its topic`(_ fault: Fault) async throws {
    let failure = try await Self.firstFailure(fault)
    #expect(failure != nil, "no rule of \(fault.topics) fails if a provider \(fault)")
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
