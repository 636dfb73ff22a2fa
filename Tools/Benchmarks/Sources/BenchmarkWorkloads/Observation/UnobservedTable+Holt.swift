internal import Observe
internal import SQLiteCore

enum HoltUnobservedTable {
  static func run(_ path: String, _ setting: UnobservedTable.Setting) async throws -> Work {
    let off = try Database(path: path + "-off")
    let on = try Database(path: path + "-on")
    defer {
      off.close()
      on.close()
    }
    for database in [off, on] {
      try await database.writeWithoutTransaction {
        try $0.execute(SQL(unsafe: UnobservedTable.createSQL))
      }
    }
    let (values, sink) = AsyncStream.makeStream(of: Int.self)
    let observing = Task {
      for try await value in on.observe({ try $0.values(Int.self, "SELECT x FROM other") }) {
        sink.yield(value.count)
      }
    }
    defer { observing.cancel() }
    for await _ in values { break }
    await on.waitUntilIdle(includingConsumers: true)
    return try await UnobservedTable.measure(setting, off: writer(off), on: writer(on))
  }

  private static func writer(_ database: Database) -> UnobservedTable.Writer {
    UnobservedTable.Writer(
      commit: { count in
        try await database.writeWithoutTransaction { connection in
          for number in 0..<count {
            try connection.transaction {
              _ = try connection.run(
                SQL(unsafe: UnobservedTable.insertSQL), number, UnobservedTable.name)
            }
          }
        }
      },
      insert: { count in
        try await database.write { connection in
          for number in 0..<count {
            _ = try connection.run(
              SQL(unsafe: UnobservedTable.insertSQL), number, UnobservedTable.name)
          }
        }
      },
      clear: { try await database.write { try $0.execute("DELETE FROM entry") } })
  }
}
