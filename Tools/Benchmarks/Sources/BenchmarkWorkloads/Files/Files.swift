/// P3: CSV, SPON and JSON files, opened as tables whose rows are grouped by a query.
enum Files {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let csv = TableFile(fixture.formats, path: fixture.file("rows") + ".csv", .csv)
    let spon = TableFile(fixture.formats, path: fixture.file("rows") + ".spon", .sponDatabase)
    let array = TableFile(fixture.formats, path: fixture.file("array") + ".spon", .sponArray)
    let json = TableFile(fixture.formats, path: fixture.file("array") + ".json", .json)
    let measures: [Measure] = [.perByte, .megabytesPerSecond, .recordsPerSecond, .megabytes]
    return [
      Workload(
        "P3", "open a file in CSV and group its rows, compared with reading its fields",
        measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") { try csv.open(grouping: true) },
          BenchmarkImplementation("Holt, opened alone") { try csv.open(grouping: false) },
          BenchmarkImplementation("Holt, fields") { try csv.scan() },
        ],
        comparisons: [
          Comparison(.perByte, "open CSV and group"),
          Comparison(.perByte, "open CSV", holt: "Holt, opened alone"),
        ]),
      Workload(
        "P3", "open a database file in SPON and group its rows, compared with reading its events",
        measures: measures,
        implementations: [
          BenchmarkImplementation("Holt") { try spon.open(grouping: true) },
          BenchmarkImplementation("Holt, opened alone") { try spon.open(grouping: false) },
          BenchmarkImplementation("Holt, events") { try spon.scan() },
        ],
        comparisons: [
          Comparison(.perByte, "open SPON and group"),
          Comparison(.perByte, "open SPON", holt: "Holt, opened alone"),
        ]),
      Workload(
        "P3", "open an array of objects in SPON, compared with the same rows in JSON",
        measures: [.perRecord] + measures,
        implementations: [
          BenchmarkImplementation("Holt") { try array.open(grouping: false) },
          BenchmarkImplementation("Holt, JSON") { try json.open(grouping: false) },
        ],
        comparisons: [
          Comparison(
            metric: "CPU over that of JSON", .perRecord, .multiple(of: "Holt, JSON"), c: nil)
        ]),
    ]
  }
}
