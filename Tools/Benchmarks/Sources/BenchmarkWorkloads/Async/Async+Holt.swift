internal import SQLiteCore

enum HoltAsync {
  static func read(_ path: String, _ keys: Keys, tasks: Int) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    let watch = Stopwatch()
    let sum = try await Async.sum(keys.count, tasks: tasks) { index in
      let key = keys[index]
      let item = try await database.read { connection in
        try connection.fetchOne(Item.self, SQL(unsafe: Item.lookUpSQL), key)
      }
      return item?.weight ?? 0
    }
    return Work(checksum: sum, time: watch.time)
  }

  static func write(_ path: String, _ count: Int) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write {
      try $0.execute("DROP TABLE IF EXISTS entry; \(unsafe: Async.createSQL)")
    }
    let watch = Stopwatch()
    let sum = try await Async.sum(count, tasks: 1) { index in
      let changes = try await database.write { connection in
        try connection.run(SQL(unsafe: Async.insertSQL), index, Async.name)
      }
      return UInt64(changes.lastInsertedRowID.rawValue)
    }
    return Work(checksum: sum, time: watch.time)
  }
}
