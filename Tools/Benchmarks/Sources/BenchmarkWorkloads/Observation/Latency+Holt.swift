internal import Observe
internal import SQLiteCore

enum HoltLatency {
  static func run(_ path: String, _ count: Int) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write { try $0.execute(SQL(unsafe: Latency.createSQL)) }
    let region = Region.rows(of: "player", where: .column("id", equals: 1), reading: ["score"])
    return try await Latency.run(
      count,
      observe: database.observe(region) {
        try $0.value(Int.self, SQL(unsafe: Latency.selectSQL)) ?? 0
      },
      commit: { score in
        try await database.write { connection in
          _ = try connection.run(SQL(unsafe: Latency.updateSQL), score)
          return ContinuousClock.now
        }
      })
  }
}
