internal import CBaseline

/// W1 and W2: every row of a table, as an array of structs.
enum Fetch {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    [structs(fixture), codable(fixture)]
  }

  private static let c = "C", byPosition = "GRDB, records by position"
  private static let byName = "GRDB, records by name", floor = "C, sqlite3_step alone"
  private static let cheapest = "the cheapest decoder"

  private static func structs(_ fixture: Fixture) -> Workload {
    let path = fixture.path
    return Workload(
      "W1", "fetch \(fixture.scale.rows) rows of 10 columns into structs",
      implementations: [
        BenchmarkImplementation(c) { try baseline { baseline_fetch_all(path, &$0) } },
        BenchmarkImplementation("Holt") { try HoltFetch.all(path) },
        BenchmarkImplementation(byPosition) { try GRDBFetch.byPosition(path) },
        BenchmarkImplementation(byName) { try GRDBFetch.byName(path) },
        BenchmarkImplementation(floor) {
          guard baseline_step_all(path) == 0 else { throw BaselineError(code: 1) }
          return Work(checksum: nil)
        },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "GRDB records by position", grdb: byPosition),
        Comparison(.cpuMilliseconds, "GRDB records by name", grdb: byName),
        Comparison(
          metric: "share of sqlite3_step in the CPU time", .cpuMilliseconds, .share(of: floor),
          grdb: byPosition),
      ])
  }

  private static func codable(_ fixture: Fixture) -> Workload {
    let path = fixture.path
    let rows = fixture.scale.rows
    return Workload(
      "W2", "fetch \(fixture.scale.rows) rows through Codable",
      implementations: [
        BenchmarkImplementation(c) { try baseline { baseline_fetch_all(path, &$0) } },
        BenchmarkImplementation("Holt, W1") { try HoltFetch.all(path) },
        BenchmarkImplementation("Holt") { try HoltFetch.codable(path) },
        BenchmarkImplementation("GRDB, Codable records") { try GRDBFetch.codable(path) },
        BenchmarkImplementation(cheapest) { try MinimalDecoderFetch.codable(path, rows: rows) },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "GRDB Codable records", grdb: "GRDB, Codable records"),
        Comparison(
          metric: "CPU over that of W1", .cpuMilliseconds, .multiple(of: "Holt, W1"), c: nil),
      ])
  }
}
