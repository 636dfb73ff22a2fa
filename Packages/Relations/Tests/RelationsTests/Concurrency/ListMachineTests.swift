import Foundation
import SQLiteCore
import Testing

@testable import Relations

/// Random interleavings of all operations of a list. `HOLT_MODEL=all` takes 10,000 steps for each seed, in one run and
/// in a run that restarts after every hundred steps.
@Suite struct `Lists with calls interleaved at random` {
  private static let isFull = ProcessInfo.processInfo.environment["HOLT_MODEL"] == "all"
  private static let seeds: [UInt64] = (0..<8).map { 20_261_201 + $0 }

  @Test(arguments: seeds)
  func `behave as if the calls were sequential`(seed: UInt64) throws {
    let steps = Self.isFull ? 10_000 : 1_000
    print("List machine: seed \(seed), \(steps) steps")
    let session = ModelSession(try Database(.memory))
    var random = ModelRandom(seed: seed)
    var counts: [String: Int] = [:]
    for round in 0..<(steps / 100) {
      var machine = try ListMachine(seed: random.next(), session: session)
      for _ in 0..<100 where machine.failures.isEmpty { machine.step() }
      if machine.failures.isEmpty { machine.finish() }
      counts.merge(machine.counts, uniquingKeysWith: +)
      guard machine.failures.isEmpty else {
        let log = machine.log.suffix(60).joined(separator: "\n")
        Issue.record("seed \(seed), round \(round): \(machine.failures)\n\(log)")
        return
      }
    }
    // A step that never occurs is not tested.
    for step in [
      "load waits", "load reads again", "load fails", "read of all is refused",
      "read of all shows", "save fails", "save is noted", "arrival is shown", "arrival is refused",
      "deletes",
    ] {
      #expect(counts[step, default: 0] > 0, "no \(step)")
    }
  }
}
