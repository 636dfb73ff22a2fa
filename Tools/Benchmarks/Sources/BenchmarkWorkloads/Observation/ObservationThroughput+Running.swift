internal import CBaseline
internal import Synchronization

extension ObservationThroughput {
  /// Counts the fetches of observers.
  final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  private struct Delivery: Sendable {
    let id: Int
    let score: Int
  }

  /// Observes every row, commits changes, and awaits the new values.
  ///
  /// - Parameters:
  ///   - counter: Counts the fetches of the sequences.
  ///   - observe: Returns the sequence of one row's scores.
  ///   - commit: Writes one row's score.
  @concurrent static func run<Scores: AsyncSequence & Sendable>(
    _ setting: Setting, _ counter: Counter, observe: @escaping @Sendable (Int) -> Scores,
    commit: @Sendable (_ id: Int, _ score: Int) async throws -> Void
  ) async throws -> Work where Scores.Element == Int {
    let (deliveries, sink) = AsyncThrowingStream.makeStream(of: Delivery.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      for id in 1...setting.observers {
        group.addTask {
          do {
            var last: Int?
            for try await score in observe(id) where score != last {
              last = score
              sink.yield(Delivery(id: id, score: score))
            }
          } catch {
            sink.finish(throwing: error)
          }
        }
      }
      return try await measure(setting, counter, deliveries, commit)
    }
  }

  @concurrent private static func measure(
    _ setting: Setting, _ counter: Counter,
    _ deliveries: AsyncThrowingStream<Delivery, any Error>,
    _ commit: @Sendable (_ id: Int, _ score: Int) async throws -> Void
  ) async throws -> Work {
    var deliveries = deliveries.makeAsyncIterator()
    for _ in 0..<setting.observers { _ = try await deliveries.next() }
    try await settle(counter)
    let fetched = counter.value
    let watch = Stopwatch()
    var commits = 0
    var waited = 0.0
    while commits < setting.commits, watch.wall < setting.seconds {
      commits += 1
      let id = Int(baseline_key(commits, setting.observers))
      let delivery = Stopwatch()
      try await commit(id, commits)
      while let next = try await deliveries.next(), next.id != id || next.score != commits {}
      waited += delivery.wall
    }
    try await settle(counter)
    let each = { (value: Double) in value / Double(commits) }
    return Work(
      checksum: nil,
      counts: [
        refetches: each(Double(counter.value - fetched)), cpu: each(watch.time.cpu * 1e6),
        delivery: each(waited * 1e6),
      ])
  }

  /// Waits until no observer has fetched for a while.
  private static func settle(_ counter: Counter) async throws {
    var before = -1
    while before != counter.value {
      before = counter.value
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
