import ProviderTesting
import Providers
import SQLiteCore
import Testing

@Suite struct `The contract of providers` {
  /// `make test` tries each rule with one or another of them, `make reliability` with all.
  @Test(arguments: Candidates.all.indices)
  func `holds of each`(_ index: Int) async {
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
    // A file that holds whatever a database does has nothing to skip but what databases do at once.
    if candidate.capabilities.isSuperset(of: .file) {
      #expect(skipped.allSatisfy { $0.hasSuffix("(writesAtOnce)") }, "\(skipped)")
    }
  }

  @Test func `has a rule of its own name for each rule, and for each topic some`() {
    let names = Conformance.cases.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(names.count > 400)
    for topic in Conformance.Topic.allCases {
      #expect(Conformance.cases.contains { $0.topic == topic }, "\(topic)")
    }
  }

  @Test func `says which rules it skips, and for want of what`() async throws {
    var candidate = Candidates.dump
    candidate.capabilities = []
    let rules = Conformance.cases.filter { !$0.needs.isEmpty }
    #expect(rules.count > 200)
    for rule in rules {
      #expect(try await rule.run(on: candidate) == .skipped(rule.needs), "\(rule)")
    }
    #expect("\([.blobs, .files] as Conformance.Capabilities)" == "files, blobs")
  }

  @Test func `says what it expected, and what came instead`() async throws {
    let rule = try #require(Conformance.cases.first { $0.needs.contains(.writesAtOnce) })
    var candidate = Candidates.dump
    candidate.capabilities.formUnion(.writesAtOnce)
    let failure = await #expect(throws: Conformance.Failure.self) {
      try await rule.run(on: candidate)
    }
    #expect(failure?.rule == rule.description)
    #expect(failure.map { "\($0)" }?.contains("expected") == true)
  }

  @Test func `leaves nothing behind`() async throws {
    let directory = try TemporaryFolder()
    var candidate = Candidates.dump
    candidate.folder = directory.path
    for rule in Conformance.cases where [.deleting, .fileSystem].contains(rule.topic) {
      _ = try? await rule.run(on: candidate)
    }
    #expect(try directory.names().isEmpty)
  }
}
