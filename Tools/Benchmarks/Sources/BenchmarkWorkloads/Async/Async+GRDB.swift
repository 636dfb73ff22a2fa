internal import GRDB

enum GRDBAsync {
  static func read(_ path: String, _ keys: Keys, tasks: Int) async throws -> Work {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    let watch = Stopwatch()
    let sum = try await Async.sum(keys.count, tasks: tasks) { index in
      let key = keys[index]
      let item = try await pool.read { db in
        try PositionItem.fetchOne(db.cachedStatement(sql: Item.lookUpSQL), arguments: [key])
      }
      return item?.item.weight ?? 0
    }
    return Work(checksum: sum, time: watch.time)
  }

  static func write(_ path: String, _ count: Int) async throws -> Work {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    try await pool.write {
      try $0.execute(sql: "DROP TABLE IF EXISTS entry; \(Async.createSQL)")
    }
    let watch = Stopwatch()
    let sum = try await Async.sum(count, tasks: 1) { index in
      let key = try await pool.write { db in
        let statement = try db.cachedStatement(sql: Async.insertSQL)
        try statement.execute(arguments: [index, Async.name])
        return db.lastInsertedRowID
      }
      return UInt64(key)
    }
    return Work(checksum: sum, time: watch.time)
  }
}
