internal import CBaseline

/// W3: inserts rows in one transaction with a statement that is compiled once.
enum Insert {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let count = fixture.scale.inserts
    let target = fixture.file("inserted")
    let statement = "GRDB, statement", records = "GRDB, records"
    return [
      Workload(
        "W3", "insert \(count) structs in one transaction",
        implementations: [
          BenchmarkImplementation("C") {
            try baseline { baseline_insert(target, fixture.raw, count, &$0) }
          },
          BenchmarkImplementation("Holt") { try HoltInsert.all(fixture.items, target) },
          BenchmarkImplementation("Holt, run each") {
            try HoltInsert.singly(fixture.items, target)
          },
          BenchmarkImplementation(statement) {
            try GRDBInsert.byStatement(fixture.portableItems, target)
          },
          BenchmarkImplementation(records) {
            try GRDBInsert.byRecord(fixture.portableItems, target)
          },
        ],
        comparisons: [
          Comparison(.cpuMilliseconds, "GRDB statement", grdb: statement),
          Comparison(.cpuMilliseconds, "GRDB records", grdb: records),
        ])
    ]
  }

  /// Returns the result of inserts.
  static func work(_ count: Int, lastKey: Int64) -> Work {
    Work(checksum: UInt64(count) &+ UInt64(lastKey))
  }
}
