internal import CBaseline
internal import SQLiteCore

/// P2: saves objects of a plain struct with eight columns in one transaction, compared with a statement that is
/// compiled once and whose values are bound manually.
enum Objects {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let count = fixture.scale.inserts
    let target = fixture.file("objects")
    let prepared = "Holt, prepared inserts"
    let entries = Entry.all(fixture.raw, count: count)
    return [
      Workload(
        "P2", "save \(count) objects in one transaction",
        implementations: [
          BenchmarkImplementation("C") {
            try baseline { baseline_insert_entries(target, fixture.raw, count, &$0) }
          },
          BenchmarkImplementation(prepared) { try HoltObjects.insert(entries, target) },
          BenchmarkImplementation("Holt") { try HoltObjects.save(entries, target) },
        ],
        comparisons: [
          Comparison(.cpuMilliseconds, "save objects"),
          Comparison(
            metric: "CPU over that of prepared inserts", .cpuMilliseconds, .multiple(of: prepared),
            c: nil),
        ])
    ]
  }

  static let createSQL: SQL = """
    DROP TABLE IF EXISTS Entry;
    CREATE TABLE Entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL,
      price REAL NOT NULL, weight REAL, enabled BOOLEAN NOT NULL, added DATE NOT NULL, note TEXT)
    """
  static let insertSQL: SQL = "INSERT INTO Entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
}
