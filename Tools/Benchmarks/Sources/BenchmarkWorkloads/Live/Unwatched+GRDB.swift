internal import GRDB

enum GRDBUnwatched {
  static func run(_ path: String, _ setting: Unwatched.Setting) async throws -> Work {
    let off = try Peer.pool(path + "-off")
    let on = try Peer.pool(path + "-on")
    defer {
      try? off.close()
      try? on.close()
    }
    for pool in [off, on] { try await pool.write { try $0.execute(sql: Unwatched.createSQL) } }
    let (values, sink) = AsyncStream.makeStream(of: Int.self)
    let observing = Task {
      let observation = ValueObservation.trackingConstantRegion { db in
        try Int.fetchAll(db, sql: "SELECT x FROM other")
      }
      for try await value in observation.values(in: on) { sink.yield(value.count) }
    }
    defer { observing.cancel() }
    for await _ in values { break }
    return try await Unwatched.measure(setting, off: writer(off), on: writer(on))
  }

  private static func writer(_ pool: DatabasePool) -> Unwatched.Writer {
    Unwatched.Writer(
      commit: { count in
        try await pool.writeWithoutTransaction { db in
          for number in 0..<count {
            try db.inTransaction(.immediate) {
              let statement = try db.cachedStatement(sql: Unwatched.insertSQL)
              try statement.execute(arguments: [number, Unwatched.name])
              return .commit
            }
          }
        }
      },
      insert: { count in
        try await pool.write { db in
          let statement = try db.cachedStatement(sql: Unwatched.insertSQL)
          for number in 0..<count {
            try statement.execute(arguments: [number, Unwatched.name])
          }
        }
      },
      clear: { try await pool.write { try $0.execute(sql: "DELETE FROM entry") } })
  }
}
