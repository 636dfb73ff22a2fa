internal import CBaseline

/// W5: reads of one row and transactions of one row, awaited.
///
/// Measures wall-clock time: a waiting task uses no CPU, but delays its caller.
enum Async {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    [reads(fixture, tasks: 1), reads(fixture, tasks: 64), writes(fixture)]
  }

  private static func reads(_ fixture: Fixture, tasks: Int) -> Workload {
    let keys = Keys(count: fixture.scale.reads, rows: fixture.scale.rows)
    let path = fixture.path
    let label = tasks == 1 ? "1 task" : "\(tasks) tasks"
    let wall = Measure.wall("a read", keys.count), cpu = Measure.cpu("a read", keys.count)
    return Workload(
      "W5", "\(keys.count) awaited reads of one row, from \(label)", measures: [wall, cpu],
      implementations: [
        BenchmarkImplementation("Holt") { try await HoltAsync.read(path, keys, tasks: tasks) },
        BenchmarkImplementation("GRDB") { try await GRDBAsync.read(path, keys, tasks: tasks) },
      ],
      comparisons: [
        Comparison(wall, label, c: nil, grdb: "GRDB"),
        Comparison(cpu, label, c: nil, grdb: "GRDB"),
      ])
  }

  private static func writes(_ fixture: Fixture) -> Workload {
    let count = fixture.scale.writes
    let target = fixture.file("written")
    let wall = Measure.wall("a write", count), cpu = Measure.cpu("a write", count)
    return Workload(
      "W5", "\(count) awaited transactions that insert one row; C does not await",
      measures: [wall, cpu],
      implementations: [
        BenchmarkImplementation("C") {
          try baseline { baseline_insert_singly(target, count, &$0) }
        },
        BenchmarkImplementation("Holt") { try await HoltAsync.write(target, count) },
        BenchmarkImplementation("GRDB") { try await GRDBAsync.write(target, count) },
      ],
      comparisons: [
        Comparison(wall, "1 task", grdb: "GRDB"), Comparison(cpu, "1 task", grdb: "GRDB"),
      ])
  }

  static let createSQL =
    "CREATE TABLE entry (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, name TEXT NOT NULL)"
  static let insertSQL = "INSERT INTO entry (a, name) VALUES (?, ?)"
  static let name = "the name of an entry"

  /// Returns the sum of the results of `body` for all numbers below `count`, distributed among
  /// tasks.
  @concurrent static func sum(
    _ count: Int, tasks: Int, _ body: @escaping @Sendable (Int) async throws -> UInt64
  ) async throws -> UInt64 {
    try await withThrowingTaskGroup(of: UInt64.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var sum: UInt64 = 0
          for index in stride(from: task, to: count, by: tasks) { sum &+= try await body(index) }
          return sum
        }
      }
      return try await group.reduce(0, &+)
    }
  }
}
