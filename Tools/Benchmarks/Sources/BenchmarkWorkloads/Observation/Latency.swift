/// W10: the latency from a transaction to the delivery of the new value.
///
/// The time starts after the last statement before the commit, and ends when the observer's task
/// receives the value.
enum Latency {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let path = fixture.file("latency")
    let count = fixture.scale.commits
    let measures = [median, late].map { Measure.counted($0) }
    return [
      Workload(
        "W10", "\(count) commits, each awaited by one observer of one row", measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") { try await HoltLatency.run(path, count) },
          BenchmarkImplementation("GRDB") { try await GRDBLatency.run(path, count) },
        ],
        comparisons: measures.map { Comparison($0, c: nil, grdb: "GRDB") })
    ]
  }

  static let median = "wall µs from commit to value, median"
  static let late = "wall µs from commit to value, 99th percentile"

  static let createSQL = """
    DROP TABLE IF EXISTS player;
    CREATE TABLE player (id INTEGER PRIMARY KEY, score INTEGER NOT NULL);
    INSERT INTO player VALUES (1, 0), (2, 0);
    """
  static let selectSQL = "SELECT score FROM player WHERE id = 1"
  static let updateSQL = "UPDATE player SET score = ? WHERE id = 1"

  private struct Arrival: Sendable {
    let score: Int
    let time: ContinuousClock.Instant
  }

  /// - Parameter commit: Writes a score, and returns the time just before the commit.
  @concurrent static func run<Scores: AsyncSequence & Sendable>(
    _ count: Int, observe: Scores,
    commit: @escaping @Sendable (_ score: Int) async throws -> ContinuousClock.Instant
  ) async throws -> Work where Scores.Element == Int {
    let (arrivals, sink) = AsyncThrowingStream.makeStream(of: Arrival.self)
    let observing = Task {
      do {
        for try await score in observe {
          sink.yield(Arrival(score: score, time: ContinuousClock.now))
        }
      } catch {
        sink.finish(throwing: error)
      }
    }
    defer { observing.cancel() }
    var iterator = arrivals.makeAsyncIterator()
    _ = try await iterator.next()
    var waited: [Double] = []
    for score in 1...count {
      let done = try await commit(score)
      while let arrival = try await iterator.next() {
        if arrival.score < score { continue }
        waited.append((arrival.time - done) / .microseconds(1))
        break
      }
    }
    waited.sort()
    return Work(
      checksum: nil,
      counts: [median: waited[waited.count / 2], late: waited[waited.count * 99 / 100]])
  }
}
