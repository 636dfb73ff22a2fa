/// W7: many observers of one row each, and commits that change one row each.
///
/// After each commit, the workload awaits the value of the row's observer. After all commits, it
/// waits until all observers are idle; their CPU time is included. If commits are expensive, fewer
/// run within the time limit. The results are per commit.
enum ObservationThroughput {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let path = fixture.file("players")
    let setting = Setting(
      observers: fixture.scale.observers, commits: fixture.scale.commits,
      seconds: fixture.scale.observing)
    let byTable = "GRDB, observed by SQL", byKey = "GRDB, observed by key"
    let measures = [refetches, cpu, delivery].map { Measure.counted($0) }
    return [
      Workload(
        "W7", "\(setting.observers) observers of a row each, commits that change one row",
        measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") {
            try await HoltObservationThroughput.run(path, setting, byKey: true)
          },
          BenchmarkImplementation("Holt, observed by table") {
            try await HoltObservationThroughput.run(path, setting, byKey: false)
          },
          BenchmarkImplementation(byTable) {
            try await GRDBObservationThroughput.run(path, setting, byKey: false)
          },
          BenchmarkImplementation(byKey) {
            try await GRDBObservationThroughput.run(path, setting, byKey: true)
          },
        ],
        comparisons: [
          Comparison(measures[0], c: nil, grdb: byTable),
          Comparison(measures[1], "GRDB by table", c: nil, grdb: byTable),
          Comparison(measures[1], "GRDB by key", c: nil, grdb: byKey),
          Comparison(measures[2], "GRDB by table", c: nil, grdb: byTable),
          Comparison(measures[2], "GRDB by key", c: nil, grdb: byKey),
        ])
    ]
  }

  static let refetches = "refetches a commit"
  static let cpu = "CPU µs a commit"
  static let delivery = "wall µs from commit to delivery"

  struct Setting: Sendable {
    let observers: Int
    let commits: Int
    let seconds: Double
  }

  static func createSQL(_ setting: Setting) -> String {
    """
    DROP TABLE IF EXISTS player;
    CREATE TABLE player (id INTEGER PRIMARY KEY, score INTEGER NOT NULL);
    WITH RECURSIVE number(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(setting.observers))
    INSERT INTO player SELECT n, 0 FROM number;
    """
  }
  static let selectSQL = "SELECT score FROM player WHERE id = ?"
  static let updateSQL = "UPDATE player SET score = ? WHERE id = ?"
}
