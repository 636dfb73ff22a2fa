internal import BenchmarkReport
internal import CBaseline

/// W9: writes to an unobserved table while another table is observed.
///
/// Each part writes the same rows to two databases alternately; one of them is observed. The result
/// is the median ratio of the CPU times.
enum UnobservedTable {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let path = fixture.file("unwatched")
    let scale = fixture.scale
    let setting = Setting(
      commits: scale.writes, rows: scale.unobservedRows, bulks: max(1, scale.inserts / 10_000))
    let measures = [commit, bulk, commitOff, bulkOff].map { Measure.counted($0) }
    return [
      Workload(
        "W9", "writes to an unobserved table while another table is observed",
        measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") { try await HoltUnobservedTable.run(path, setting) },
          BenchmarkImplementation("GRDB") { try await GRDBUnobservedTable.run(path, setting) },
        ],
        comparisons: measures.prefix(2).map { Comparison($0, c: nil, grdb: "GRDB") })
    ]
  }

  static let commit = "CPU of a commit of one row, over that without observers"
  static let bulk = "CPU of a bulk insert, over that without observers"
  static let commitOff = "CPU µs a commit without"
  static let bulkOff = "CPU µs a row without"

  struct Setting: Sendable {
    let commits: Int
    /// The number of rows of a bulk insert.
    let rows: Int
    let bulks: Int
  }

  static let createSQL = """
    DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS other;
    CREATE TABLE entry (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE other (x INTEGER); INSERT INTO other VALUES (1);
    """
  static let insertSQL = "INSERT INTO entry (a, name) VALUES (?, ?)"
  static let name = "the name of an entry"

  /// The write operations of a database.
  struct Writer: Sendable {
    /// Commits the given number of rows individually in one access.
    let commit: @Sendable (Int) async throws -> Void
    /// Inserts the given number of rows in one transaction.
    let insert: @Sendable (Int) async throws -> Void
    let clear: @Sendable () async throws -> Void
  }

  @concurrent static func measure(
    _ setting: Setting, off: Writer, on: Writer
  ) async throws -> Work {
    let parts = 50
    let count = max(1, setting.commits / parts)
    let commits = try await AlternatingMeasurement.taken(parts, by: 2) { index in
      let watch = Stopwatch()
      try await [off, on][index].commit(count)
      return watch.time.cpu / Double(count)
    }
    let bulks = try await AlternatingMeasurement.taken(2 * setting.bulks, by: 2) { index in
      let writer = [off, on][index]
      try await writer.clear()
      let watch = Stopwatch()
      try await writer.insert(setting.rows)
      return watch.time.cpu / Double(setting.rows)
    }
    return Work(
      checksum: nil,
      counts: [
        commit: commits.map { $0[1] / $0[0] }.median, bulk: bulks.map { $0[1] / $0[0] }.median,
        commitOff: commits.map { $0[0] }.median * 1e6, bulkOff: bulks.map { $0[0] }.median * 1e6,
      ])
  }
}
