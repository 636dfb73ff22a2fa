internal import GRDB

enum GRDBIdleObservation {
  /// Uses fewer observations, since each one accesses the writer when it starts. The results are
  /// per observation.
  static func run(_ path: String, _ count: Int) async throws -> Work {
    let count = count / 10
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    try await pool.write { try $0.execute(sql: IdleObservation.createSQL) }
    let all = await IdleObservation.bytes(
      count,
      observe: { team in
        ValueObservation.trackingConstantRegion { db in
          try Int.fetchOne(db, sql: IdleObservation.selectSQL, arguments: [team]) ?? 0
        }
        .values(in: pool)
      },
      // The accesses after the first values are writes, which finish before this one.
      rest: { _ = try? await pool.write { try $0.execute(sql: "PRAGMA user_version = 1") } })
    let task = await IdleObservation.task(count)
    return Work(
      checksum: nil, counts: [IdleObservation.withTask: all, IdleObservation.alone: all - task])
  }
}
