internal import Observe
internal import SQLiteCore

enum HoltObservationThroughput {
  /// - Parameter byKey: Whether the observed row is given, or the region is determined by SQLite as
  ///   a table and its columns.
  static func run(_ path: String, _ setting: ObservationThroughput.Setting, byKey: Bool)
    async throws -> Work
  {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write {
      try $0.execute(SQL(unsafe: ObservationThroughput.createSQL(setting)))
    }
    let counter = ObservationThroughput.Counter()
    return try await ObservationThroughput.run(
      setting, counter,
      observe: { id in
        database.observe(byKey ? ObservationThroughput.region(ofRow: id) : nil) { connection in
          counter.add()
          return try connection.value(Int.self, SQL(unsafe: ObservationThroughput.selectSQL), id)
            ?? 0
        }
      },
      commit: { id, score in
        try await database.write { connection in
          _ = try connection.run(SQL(unsafe: ObservationThroughput.updateSQL), score, id)
        }
      })
  }
}

extension ObservationThroughput {
  fileprivate static func region(ofRow id: Int) -> Region {
    .rows(of: "player", where: .column("id", equals: .integer(Int64(id))), reading: ["score"])
  }
}
