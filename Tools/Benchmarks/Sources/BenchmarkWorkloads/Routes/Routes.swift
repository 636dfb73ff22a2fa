internal import BenchmarkReport
internal import CBaseline
internal import Router
internal import SQLiteCore

/// R1: reads one row by its key through a router, compared with the same statement through SQLiteCore.
///
/// Each part reads the same number of rows with each implementation; the result is the median difference. The
/// rows are read on the caller's thread, since switching to a reader's thread costs many times more than the
/// measured difference.
enum Routes {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let path = fixture.path
    let (rows, reads) = (fixture.scale.rows, fixture.scale.lookups / 10)
    return [
      Workload(
        "R1",
        "one row by its key through a router, compared with the same statement through SQLiteCore",
        measures: [executor, router, overridden, withMany, withFew].map { Measure.counted($0) },
        implementations: [
          BenchmarkImplementation("Holt") { try await run(path, rows: rows, reads: reads) }
        ],
        comparisons: [executor, router, withFew, withMany].map {
          Comparison(Measure.counted($0), c: nil, grdb: nil)
        })
    ]
  }

  static let executor = "CPU µs more by an executor"
  static let router = "CPU µs more by a router"
  static let overridden = "CPU µs of a call that an override answers"
  static let withFew = "CPU µs more by a router with 1 override for others"
  static let withMany = "CPU µs more by a router with 10,000 overrides for others"

  private struct Entry: Codable, RowDecodable, Sendable {
    var id: Int64
    var a: Int64
    var name: String
  }

  @concurrent private static func run(_ path: String, rows: Int, reads: Int) async throws -> Work {
    let database = try DirectConnectionReader(Connection(path: path))
    let executor = SQLiteRouteExecutor(readingFrom: database)
    let router = GeneralRouter(executor)
    let ways: [@Sendable (Int64) async throws -> Int64] = [
      { key in
        try await database.read { connection in
          try connection.fetchAll(Entry.self, sql, key).first?.a ?? 0
        }
      },
      { key in
        try await executor.value(Entry.self, for: .fetchOne(id: key, from: "item")).a
      },
      { key in (try await router(.fetchOne(id: key, from: "item")) as Entry).a },
      call(of: router, overrides: 1),
      call(of: router, overrides: 10_000),
      answered(by: router),
    ]
    let parts = 40
    let count = max(1, reads / parts)
    let taken = try await AlternatingMeasurement.taken(parts, by: ways.count) { number in
      let watch = Stopwatch()
      var sum: Int64 = 0
      for read in 0..<count { sum &+= try await ways[number](baseline_key(read, rows)) }
      if sum == 0 { throw BaselineError(code: 1) }
      return watch.time.cpu / Double(count) * 1e6
    }
    func more(_ number: Int) -> Double { taken.map { $0[number] - $0[0] }.median }
    return Work(
      checksum: nil,
      counts: [
        Self.executor: more(1), Self.router: more(2), withFew: more(3), withMany: more(4),
        overridden: taken.map { $0[5] }.median,
      ])
  }

  /// Returns the SQL text of a route for one row.
  private static let sql: SQL = """
    SELECT "item".* FROM "item" WHERE "item"."id" = ? LIMIT 2
    """

  private static func call(
    of router: GeneralRouter, overrides count: Int
  ) -> @Sendable (Int64) async throws -> Int64 {
    var router = router
    for number in 0..<count {
      router.override(.route(.fetchOne(id: -number - 1, from: "item"), with: .success()))
    }
    return { [router] key in (try await router(.fetchOne(id: key, from: "item")) as Entry).a }
  }

  private static func answered(
    by router: GeneralRouter
  ) -> @Sendable (Int64) async throws -> Int64 {
    var router = router
    router.override(.method(.fetchOne, in: "item", with: Entry(id: 1, a: 1, name: "one")))
    return { [router] key in (try await router(.fetchOne(id: key, from: "item")) as Entry).a }
  }
}

/// A reader that uses the connection on the caller's thread.
private final class DirectConnectionReader: DatabaseReader, @unchecked Sendable {
  // Sendable, since only one task reads at a time.
  private let connection: Connection

  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.execute("BEGIN")
  }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result { try body(connection) }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try body(connection)
  }
}
