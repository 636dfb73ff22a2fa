internal import CBaseline
internal import GRDB

enum GRDBConcurrentReads {
  static func run(_ path: String, _ setting: ConcurrentReads.Setting) throws -> Work {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    return try ConcurrentReads.run(
      setting,
      read: { index in
        let key = baseline_key(index, setting.rows)
        _ = try pool.read { db in
          try PositionItem.fetchOne(db.cachedStatement(sql: Item.lookUpSQL), arguments: [key])
        }
      },
      write: { index in
        let key = baseline_key(index, setting.rows)
        try pool.write { db in
          try db.cachedStatement(sql: ConcurrentReads.updateSQL).execute(arguments: [index, key])
        }
      })
  }
}
