internal import GRDB

enum GRDBUnobservedTable {
  static func run(_ path: String, _ setting: UnobservedTable.Setting) async throws -> Work {
    let off = try Peer.pool(path + "-off")
    let on = try Peer.pool(path + "-on")
    defer {
      try? off.close()
      try? on.close()
    }
    for pool in [off, on] {
      try await pool.write { try $0.execute(sql: UnobservedTable.createSQL) }
    }
    let (values, sink) = AsyncStream.makeStream(of: Int.self)
    let observing = Task {
      let observation = ValueObservation.trackingConstantRegion { db in
        try Int.fetchAll(db, sql: "SELECT x FROM other")
      }
      for try await value in observation.values(in: on) { sink.yield(value.count) }
    }
    defer { observing.cancel() }
    for await _ in values { break }
    return try await UnobservedTable.measure(setting, off: writer(off), on: writer(on))
  }

  private static func writer(_ pool: DatabasePool) -> UnobservedTable.Writer {
    UnobservedTable.Writer(
      commit: { count in
        try await pool.writeWithoutTransaction { db in
          for number in 0..<count {
            try db.inTransaction(.immediate) {
              let statement = try db.cachedStatement(sql: UnobservedTable.insertSQL)
              try statement.execute(arguments: [number, UnobservedTable.name])
              return .commit
            }
          }
        }
      },
      insert: { count in
        try await pool.write { db in
          let statement = try db.cachedStatement(sql: UnobservedTable.insertSQL)
          for number in 0..<count {
            try statement.execute(arguments: [number, UnobservedTable.name])
          }
        }
      },
      clear: { try await pool.write { try $0.execute(sql: "DELETE FROM entry") } })
  }
}
