internal import GeneratedQueries

/// Q3: what `querygen` writes, over the same statements run by hand with `SQLiteCore`.
enum Queries {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let keys = Keys(count: fixture.scale.lookups, rows: fixture.scale.rows)
    let all = (0..<keys.count).map { Int(keys[$0]) }
    let some = Array(Set(all.prefix(fixture.sharedRows).map { $0 % fixture.sharedRows + 1 }))
      .sorted()
    let (path, shared) = (fixture.path, fixture.sharedPath)
    return [
      workload("Q3", "\(fixture.scale.rows) rows by a generated query") { work in
        try work.fetchAll(path)
      },
      workload("Q3b", "\(all.count) rows by their keys, by a generated query") { work in
        try work.lookUp(path, all)
      },
      workload("Q3c", "\(some.count) rows changed by a generated query, many inputs at once") {
        try $0.update(shared, some)
      },
    ]
  }

  static let overByHand = "CPU over that of hand-written SQLiteCore"

  private static func workload(
    _ name: String, _ title: String, _ run: @escaping @Sendable (ItemWork) throws -> UInt64
  ) -> Workload {
    let byHand = "SQLiteCore by hand"
    return Workload(
      name, title,
      implementations: [
        BenchmarkImplementation("Holt") { Work(checksum: try run(.generated)) },
        BenchmarkImplementation(byHand) { Work(checksum: try run(.byHand)) },
      ],
      comparisons: [
        Comparison(metric: overByHand, .cpuMilliseconds, .multiple(of: byHand), c: nil)
      ])
  }
}
