internal import CBaseline
internal import Synchronization

/// W11: the memory of many observations of different rows that wait for a commit.
///
/// Each observation is awaited by a task. The memory of such a task is measured separately and
/// subtracted to determine the memory of the observation itself.
enum IdleObservation {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    guard baseline_allocated_bytes() > 0 else { return [] }
    let path = fixture.file("rest")
    let count = fixture.scale.observations
    let measures = [alone, withTask].map { Measure.counted($0) }
    return [
      Workload(
        "W11", "\(count) idle observations, each of a team's rows", measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") { try await HoltIdleObservation.run(path, count) },
          BenchmarkImplementation("GRDB") { try await GRDBIdleObservation.run(path, count) },
        ],
        comparisons: measures.map { Comparison($0, c: nil, grdb: "GRDB") })
    ]
  }

  static let alone = "bytes an observation, without its task"
  static let withTask = "bytes an observation, with the task that awaits it"

  static let createSQL = """
    DROP TABLE IF EXISTS player;
    CREATE TABLE player (id INTEGER PRIMARY KEY, team INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE INDEX player_team ON player (team);
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000)
    INSERT INTO player (team, name) SELECT n % 500, 'name ' || n FROM number;
    """
  static let selectSQL = "SELECT count(*) FROM player WHERE team = ?"

  /// Measures the memory of `count` tasks that iterate over one sequence each, after each task has
  /// received its first element.
  ///
  /// - Parameter rest: Waits until all observations are idle.
  @concurrent static func bytes<Values: AsyncSequence & Sendable>(
    _ count: Int, observe: @escaping @Sendable (Int) -> Values, rest: @Sendable () async -> Void
  ) async -> Double {
    let first = ObservationThroughput.Counter()
    return await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      func add(_ numbers: Range<Int>) async {
        for number in numbers {
          group.addTask { for try await _ in observe(number) { first.add() } }
        }
        while first.value < numbers.upperBound { await Task.yield() }
        await rest()
      }
      // The first tasks cause the one-time allocations.
      await add(0..<16)
      let before = baseline_allocated_bytes()
      await add(16..<count + 16)
      return Double(baseline_allocated_bytes() - before) / Double(count)
    }
  }

  /// Measures the memory of a task that awaits a sequence with one element.
  static func task(_ count: Int) async -> Double {
    await bytes(count, observe: { _ in SingleElementSequence() }, rest: {})
  }

  /// A sequence that yields one element, and then waits until the task is cancelled.
  private struct SingleElementSequence: AsyncSequence, Sendable {
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    struct AsyncIterator: AsyncIteratorProtocol {
      var isOver = false

      mutating func next() async throws -> Int? {
        guard isOver else {
          isOver = true
          return 0
        }
        let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isCancelled = waiting.withLock { waiting in
              if Task.isCancelled { return true }
              waiting = continuation
              return false
            }
            if isCancelled { continuation.resume() }
          }
        } onCancel: {
          waiting.withLock { $0.take() }?.resume()
        }
        return nil
      }
    }
  }
}
