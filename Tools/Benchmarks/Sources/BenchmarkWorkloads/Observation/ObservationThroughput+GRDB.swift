internal import GRDB

enum GRDBObservationThroughput {
  /// - Parameter byKey: Whether the row is fetched by its key, so that GRDB only tracks this row,
  ///   or by SQL, so that it tracks the table and the columns.
  static func run(_ path: String, _ setting: ObservationThroughput.Setting, byKey: Bool)
    async throws -> Work
  {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    try await pool.write { try $0.execute(sql: ObservationThroughput.createSQL(setting)) }
    let counter = ObservationThroughput.Counter()
    return try await ObservationThroughput.run(
      setting, counter,
      observe: { id in
        // The observed region is constant, which allows GRDB to optimize.
        ValueObservation.trackingConstantRegion { db in
          counter.add()
          return byKey
            ? try Player.filter(key: id).select(Column("score"), as: Int.self).fetchOne(db) ?? 0
            : try Int.fetchOne(db, sql: ObservationThroughput.selectSQL, arguments: [id]) ?? 0
        }
        .values(in: pool)
      },
      commit: { id, score in
        try await pool.write { db in
          try db.cachedStatement(sql: ObservationThroughput.updateSQL).execute(arguments: [
            score, id,
          ])
        }
      })
  }

  private struct Player: TableRecord {
    static let databaseTableName = "player"
  }
}
