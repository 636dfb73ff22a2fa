import ProviderTesting
import Providers
import SQLiteCore
import Testing

@Suite struct `The contract of providers` {
  /// `make test` tries each rule with one or another of them, `make reliability` with all.
  @Test(arguments: Candidates.all.indices)
  func `is fulfilled by each provider`(_ index: Int) async {
    let candidate = Candidates.all[index]
    let rules = Conformance.cases.enumerated().filter { number, _ in
      Reliability.isFull || (number + index).isMultiple(of: 14)
    }.map(\.element)
    var skipped: [String] = []
    for rule in rules {
      do {
        if case .skipped(let missing) = try await rule.run(on: candidate) {
          skipped.append("\(rule) (\(missing))")
        }
      } catch {
        Issue.record("\(candidate): \(error)")
      }
    }
    print("\(candidate): \(rules.count - skipped.count) rules hold, \(skipped.count) are skipped")
    // A file that represents a whole database skips only rules for immediate writes.
    if candidate.capabilities.isSuperset(of: .file) {
      #expect(skipped.allSatisfy { $0.hasSuffix("(writesImmediately)") }, "\(skipped)")
    }
  }

  @Test func `has unique rule names, and rules for each topic`() {
    let names = Conformance.cases.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(names.count > 400)
    for topic in Conformance.Topic.allCases {
      #expect(Conformance.cases.contains { $0.topic == topic }, "\(topic)")
    }
  }

  @Test func `reports skipped rules and missing capabilities`() async throws {
    var candidate = Candidates.dump
    candidate.capabilities = []
    let rules = Conformance.cases.filter { !$0.needs.isEmpty }
    #expect(rules.count > 200)
    for rule in rules {
      #expect(try await rule.run(on: candidate) == .skipped(rule.needs), "\(rule)")
    }
    #expect("\([.blobs, .files] as Conformance.Capabilities)" == "files, blobs")
  }

  @Test func `reports the expected and the actual result`() async throws {
    let rule = try #require(Conformance.cases.first { $0.needs.contains(.writesImmediately) })
    var candidate = Candidates.dump
    candidate.capabilities.formUnion(.writesImmediately)
    let failure = await #expect(throws: Conformance.Failure.self) {
      try await rule.run(on: candidate)
    }
    #expect(failure?.rule == rule.description)
    #expect(failure.map { "\($0)" }?.contains("expected") == true)
  }

  @Test func `leaves no files behind`() async throws {
    let directory = try TemporaryFolder()
    var candidate = Candidates.dump
    candidate.folder = directory.path
    for rule in Conformance.cases where [.deleting, .fileSystem].contains(rule.topic) {
      _ = try? await rule.run(on: candidate)
    }
    #expect(try directory.names().isEmpty)
  }
}
