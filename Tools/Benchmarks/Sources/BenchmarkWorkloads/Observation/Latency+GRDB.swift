internal import GRDB

enum GRDBLatency {
  static func run(_ path: String, _ count: Int) async throws -> Work {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    try await pool.write { try $0.execute(sql: Latency.createSQL) }
    return try await Latency.run(
      count,
      // Delivers the values to a task, as Holt does, instead of the main thread.
      observe: ValueObservation.trackingConstantRegion { db in
        try Player.filter(key: 1).select(Column("score"), as: Int.self).fetchOne(db) ?? 0
      }
      .values(in: pool),
      commit: { score in
        try await pool.write { db in
          try db.cachedStatement(sql: Latency.updateSQL).execute(arguments: [score])
          return ContinuousClock.now
        }
      })
  }

  private struct Player: TableRecord {
    static let databaseTableName = "player"
  }
}
