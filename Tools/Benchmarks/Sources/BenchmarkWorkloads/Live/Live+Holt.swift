internal import Observe
internal import SQLiteCore

enum HoltLive {
  static func run(_ path: String, _ setting: Live.Setting) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write { try $0.execute(Live.createSQL(setting)) }
    let counter = Live.Counter()
    return try await Live.run(
      setting, counter,
      observe: { id in
        database.observe { connection in
          counter.add()
          return try connection.value(Int.self, Live.selectSQL, id) ?? 0
        }
      },
      commit: { id, score in
        try await database.write { connection in
          _ = try connection.run(Live.updateSQL, score, id)
        }
      })
  }
}
