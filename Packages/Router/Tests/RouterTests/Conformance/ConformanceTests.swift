import Router
@testable import RouterTesting
import SQLiteCore
import Testing

@Suite struct `The conformance suite` {
  /// The rules of a topic.
  static func cases(_ topic: Conformance.Topic) -> [Conformance.Case] {
    Conformance.cases.filter { $0.topic == topic }
  }

  /// One database for all rules, so that its statements are compiled once.
  @Test(arguments: TestedExecutor.allCases)
  func `passes for each executor`(_ tested: TestedExecutor) async throws {
    try await tested.withDatabase { database in
      for rule in Conformance.cases {
        let executor = tested.executor(over: try await database.executor(for: rule))
        await Self.expectPassed(rule, on: executor)
      }
    }
  }

  @Test func `passes for a recorder, and for the replay of its file`() async throws {
    try await TestedExecutor.memory.withDatabase { database in
      for rule in Conformance.cases {
        let recorder = RouteRecording.RecordingExecutor(try await database.executor(for: rule))
        await Self.expectPassed(rule, on: recorder)
        let recording = try RouteRecording(json: recorder.recording.json())
        #expect(recording == recorder.recording)
        for order in RouteRecording.ReplayingExecutor.Order.allCases {
          let replay = RouteRecording.ReplayingExecutor(recording, order: order)
          await Self.expectPassed(rule, on: replay)
          #expect(replay.unusedCalls.isEmpty, "\(rule), \(order)")
        }
      }
    }
  }

  @Test func `has unique rule names, and rules for each topic`() {
    let names = Conformance.cases.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(names.count > 300)
    for topic in Conformance.Topic.allCases { #expect(!Self.cases(topic).isEmpty, "\(topic)") }
  }

  @Test func `reports which rules it skips, and which feature is missing`() async throws {
    let skipped = try await Conformance.cases.filter { !$0.needs.isEmpty }.asyncMap { rule in
      try await rule.run(on: UnimplementedExecutor(), supporting: []) == .skipped(rule.needs)
    }
    #expect(skipped.count > 50)
    #expect(skipped.allSatisfy { $0 })
    #expect("\([.json, .upserts] as Conformance.Capabilities)" == "upserts, json")
  }

  @Test func `reports the rules that passed, and why others do not apply`() async throws {
    var database = try await ConformingDatabase()
    let lacking: Conformance.Capabilities = [.untypedColumns, .numericTruth]
    let report = await Conformance.report(supporting: .all.subtracting(lacking)) { rule in
      try await database.executor(for: rule)
    }
    #expect(report.failures.isEmpty)
    #expect(report.passed.count + report.notApplicable.count == Conformance.cases.count)
    let rules = Conformance.cases.filter { !$0.needs.isDisjoint(with: lacking) }
    #expect(report.notApplicable.map(\.rule.description) == rules.map(\.description))
    #expect("\(report)".hasPrefix("\(report.passed.count) rules passed, "))
    #expect(
      "\(report)".contains(
        "\n- filters: isTrue, of a number, is not 0: a number of the engine is neither true nor false"
      ))
    let failing = await Conformance.report { _ in UnimplementedExecutor() }
    #expect(failing.failures.count == Conformance.cases.count)
    #expect(failing.failures.map(\.rule) == Conformance.cases.map(\.description))
  }

  @Test func `has a reason for each capability`() {
    for bit in 0..<Conformance.Capabilities.all.rawValue.nonzeroBitCount {
      let one = Conformance.Capabilities(rawValue: 1 << bit)
      #expect(!one.description.isEmpty && !one.absence.isEmpty)
      #expect(Conformance.cases.contains { $0.needs.contains(one) }, "\(one)")
    }
  }

  @Test func `accepts Booleans for 0 and 1`() async throws {
    let executor = ClosureRouteExecutor { route in
      .init(columns: ["n"], rows: [[.bool(true), .bool(false)]])
    }
    let rows = try await Conformance.NumericExecutor(base: executor).run(.fetch(from: "x")).rows
    #expect(rows == [[1, 0]])
  }

  @Test func `fails everywhere if nothing is answered, and describes what it expected`()
    async throws
  {
    for rule in Conformance.cases {
      let failure = await #expect(throws: Conformance.Failure.self, "\(rule)") {
        try await rule.run(on: UnimplementedExecutor())
      }
      #expect(failure?.rule == rule.description)
    }
  }

  @Test func `can be repeated on tables that it fills again`() async throws {
    var database = try await ConformingDatabase()
    let executor = try await database.executor(for: Conformance.cases[0])
    for rule in Self.cases(.insert).prefix(3) + Self.cases(.delete).prefix(6) {
      try await Conformance.restore(executor)
      await Self.expectPassed(rule, on: executor)
    }
  }

  static func expectPassed(_ rule: Conformance.Case, on executor: some RouteExecutor) async {
    do {
      let outcome = try await rule.run(on: executor)
      #expect(outcome == .passed, "\(rule)")
    } catch {
      Issue.record("\(error)")
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
