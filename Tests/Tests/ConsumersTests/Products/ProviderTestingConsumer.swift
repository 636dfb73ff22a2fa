// Prints: the rules of parameters hold
import ProviderTesting
import Providers

/// Tests of an app that use ProviderTesting.
enum ProviderTestingConsumer {
  static func run() async throws -> String {
    let candidate = ProviderConformance.Candidate(
      "SQLiteProvider", fileExtension: "sqlite", supporting: .database
    ) { SQLiteProvider(directories: $0) }
    let rules = ProviderConformance.cases.filter { $0.topic == .parameters }
    for rule in rules { try await rule.run(on: candidate) }
    return rules.isEmpty ? "there are none" : "the rules of parameters hold"
  }
}
