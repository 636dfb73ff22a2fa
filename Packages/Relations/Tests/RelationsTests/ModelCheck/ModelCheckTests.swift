import Foundation
import Relations
import SQLiteCore
import Testing

/// Graphs in two sessions of one file, compared with plain values after each step. `HOLT_MODEL=all` takes 10,000 steps.
@Suite struct `Graphs that are changed at random` {
  private static let isFull = ProcessInfo.processInfo.environment["HOLT_MODEL"] == "all"
  /// With a sanitizer, each step takes about fifty times as long.
  #if THREAD_SANITIZER
    private static let fewSteps = 60
  #else
    private static let fewSteps = 250
  #endif
  private static let logLength =
    ProcessInfo.processInfo.environment["HOLT_MODEL_LOG"].flatMap(Int.init) ?? 14
  private static let seeds: [UInt64] = {
    let said = ProcessInfo.processInfo.environment["HOLT_MODEL_SEED"].flatMap(UInt64.init)
    if let said { return [said] }
    return (0..<(isFull ? 8 : 1)).map { 20_260_629 + $0 }
  }()

  @Test(arguments: seeds) func `equal plain values that are changed in the same way`(seed: UInt64)
    async throws
  {
    let steps = Self.isFull ? 10_000 : Self.fewSteps
    print("Graphs: seed \(seed), \(steps) steps")
    let run = try ModelRun(seed: seed)
    for step in 1...steps {
      do {
        try await run.step()
        if step % (Self.isFull ? 50 : 10) == 0 || step == steps { try await run.compare() }
      } catch {
        run.differences.append("\(error)")
      }
      guard run.differences.isEmpty else {
        let done = run.log.suffix(Self.logLength).joined(separator: "\n")
        Issue.record("seed \(seed), step \(step): \(run.differences)\n\(done)")
        return
      }
    }
  }
}
