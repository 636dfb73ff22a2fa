internal import CBaseline
internal import Foundation
internal import Synchronization

/// W6: two threads read rows by key while a third one updates them, all as fast as possible.
enum ConcurrentReads {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let path = fixture.sharedPath
    let setting = Setting(rows: fixture.sharedRows, seconds: fixture.scale.together)
    let read = Measure.counted("wall µs a read, two readers")
    let write = Measure.counted("wall µs a concurrent write")
    return [
      Workload(
        "W6", "two concurrent readers and a writer for \(setting.seconds) s",
        measures: [read, write],
        implementations: [
          BenchmarkImplementation("C") {
            var reads = 0
            var writes = 0
            let code = baseline_concurrent_reads(
              path, setting.rows, setting.seconds, &reads, &writes)
            guard code == 0 else { throw BaselineError(code: code) }
            return work(setting, reads: reads, writes: writes)
          },
          BenchmarkImplementation("Holt") { try HoltConcurrentReads.run(path, setting) },
          BenchmarkImplementation("GRDB") { try GRDBConcurrentReads.run(path, setting) },
        ],
        comparisons: [Comparison(read, grdb: "GRDB"), Comparison(write, grdb: "GRDB")])
    ]
  }

  struct Setting: Sendable {
    let rows: Int
    let seconds: Double
  }

  static let updateSQL = "UPDATE item SET a = ? WHERE id = ?"

  /// Calls `read` on two threads and `write` on a third with increasing numbers, until the time is
  /// up.
  static func run(
    _ setting: Setting, read: @escaping @Sendable (Int) throws -> Void,
    write: @escaping @Sendable (Int) throws -> Void
  ) throws -> Work {
    let results = Mutex<[Result<Int, any Error>]>([])
    let counts = Mutex<(reads: Int, writes: Int)>((0, 0))
    let group = DispatchGroup()
    for actor in 0..<3 {
      group.enter()
      Thread.detachNewThread {
        let result = Result { try count(setting.seconds, actor < 2 ? read : write) }
        let done = (try? result.get()) ?? 0
        counts.withLock { if actor < 2 { $0.reads += done } else { $0.writes += done } }
        results.withLock { $0.append(result) }
        group.leave()
      }
    }
    group.wait()
    for result in results.withLock({ $0 }) { _ = try result.get() }
    let (reads, writes) = counts.withLock { $0 }
    return work(setting, reads: reads, writes: writes)
  }

  private static func count(
    _ seconds: Double, _ body: (Int) throws -> Void
  ) throws -> Int {
    let end = ContinuousClock.now + .seconds(seconds)
    var count = 0
    while ContinuousClock.now < end {
      try body(count)
      count += 1
    }
    return count
  }

  private static func work(_ setting: Setting, reads: Int, writes: Int) -> Work {
    Work(
      checksum: nil,
      counts: [
        "wall µs a read, two readers": setting.seconds * 1e6 / Double(max(reads, 1)),
        "wall µs a concurrent write": setting.seconds * 1e6 / Double(max(writes, 1)),
      ])
  }
}
