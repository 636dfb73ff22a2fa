internal import CBaseline

/// W4: looks up rows by key, one after another, synchronously.
///
/// Compares implementations with the same kind of access:
/// - W4: one connection and one compiled statement. Each lookup runs in SQLite's implicit
///   transaction: C's `sqlite3_step`, `Connection.fetchOne`, and GRDB's `cachedStatement` inside
///   one access without a transaction. The goal refers to this line.
/// - W4, an access each: every lookup requests a connection from the shared database and reads in
///   an explicit transaction, as an app does: Holt's `Database.read`, GRDB's `DatabaseQueue.read`
///   and `DatabasePool.read`.
/// - W4b: all lookups in one transaction. W4c: compiles the statement for each lookup.
enum KeyLookup {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    [cached(fixture), inOneTransaction(fixture), recompiledPerLookup(fixture)]
  }

  private static func c(
    _ name: String, _ fixture: Fixture, _ how: baseline_lookup, count: Int
  ) -> BenchmarkImplementation {
    BenchmarkImplementation(name) {
      let work = try baseline {
        baseline_look_up(fixture.path, fixture.scale.rows, count, how, &$0)
      }
      return how == BASELINE_STEP_ALONE ? Work(checksum: nil) : work
    }
  }

  private static func cached(_ fixture: Fixture) -> Workload {
    let keys = Keys(count: fixture.scale.lookups, rows: fixture.scale.rows)
    let path = fixture.path
    let floor = "C, sqlite3_step alone"
    let statement = "GRDB, cached statement, in one access"
    let byKey = "GRDB, fetchOne(key:), in one access"
    let holtEach = "Holt, Database.read each", poolEach = "GRDB, DatabasePool.read each"
    let queueEach = "GRDB, DatabaseQueue.read each"
    return Workload(
      "W4", "\(keys.count) lookups by primary key",
      implementations: [
        c("C", fixture, BASELINE_CACHED, count: keys.count),
        BenchmarkImplementation("Holt") { try HoltKeyLookup.onConnection(path, keys) },
        BenchmarkImplementation(statement) { try GRDBKeyLookup.byStatement(path, keys) },
        BenchmarkImplementation(byKey) { try GRDBKeyLookup.byKey(path, keys) },
        BenchmarkImplementation(holtEach) { try HoltKeyLookup.oneReadPerLookup(path, keys) },
        BenchmarkImplementation(queueEach) { try GRDBKeyLookup.oneReadPerLookup(path, keys) },
        BenchmarkImplementation(poolEach) { try GRDBKeyLookup.onePoolReadPerLookup(path, keys) },
        c(floor, fixture, BASELINE_STEP_ALONE, count: keys.count),
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "GRDB cached statement", grdb: statement),
        Comparison(.cpuMilliseconds, "GRDB fetchOne(key:)", grdb: byKey),
        Comparison(
          .cpuMilliseconds, "an access each, GRDB DatabaseQueue", holt: holtEach, grdb: queueEach),
        Comparison(
          .cpuMilliseconds, "an access each, GRDB DatabasePool", holt: holtEach, grdb: poolEach),
        Comparison(
          metric: "share of sqlite3_step in the CPU time", .cpuMilliseconds, .share(of: floor),
          grdb: statement),
      ])
  }

  private static func inOneTransaction(_ fixture: Fixture) -> Workload {
    let keys = Keys(count: fixture.scale.lookups, rows: fixture.scale.rows)
    let path = fixture.path
    let statement = "GRDB, cached statement"
    return Workload(
      "W4b", "\(keys.count) lookups by primary key in one transaction",
      implementations: [
        c("C", fixture, BASELINE_IN_ONE_TRANSACTION, count: keys.count),
        BenchmarkImplementation("Holt") { try HoltKeyLookup.inOneTransaction(path, keys) },
        BenchmarkImplementation(statement) { try GRDBKeyLookup.inOneTransaction(path, keys) },
      ],
      comparisons: [Comparison(.cpuMilliseconds, "GRDB cached statement", grdb: statement)])
  }

  private static func recompiledPerLookup(_ fixture: Fixture) -> Workload {
    let keys = Keys(count: fixture.scale.lookups / 5, rows: fixture.scale.rows)
    let path = fixture.path
    return Workload(
      "W4c", "\(keys.count) lookups whose statement is compiled each time",
      implementations: [
        c("C", fixture, BASELINE_COMPILED_EACH_TIME, count: keys.count),
        BenchmarkImplementation("Holt") { try HoltKeyLookup.recompilingPerLookup(path, keys) },
        BenchmarkImplementation("GRDB, makeStatement") {
          try GRDBKeyLookup.recompilingPerLookup(path, keys)
        },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "GRDB makeStatement", grdb: "GRDB, makeStatement")
      ])
  }
}

/// The keys to look up, in a pseudorandom order with a fixed seed.
struct Keys: Sendable {
  let count: Int
  let rows: Int

  subscript(index: Int) -> Int64 { baseline_key(index, rows) }
}
