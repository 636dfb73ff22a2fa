internal import Observe
internal import SQLiteCore

enum HoltLive {
  /// - Parameter byKey: Whether it is said which row is observed, or SQLite is to tell, which knows the
  ///   table and the columns.
  static func run(_ path: String, _ setting: Live.Setting, byKey: Bool) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write { try $0.execute(SQL(unsafe: Live.createSQL(setting))) }
    let counter = Live.Counter()
    return try await Live.run(
      setting, counter,
      observe: { id in
        database.observe(byKey ? Live.region(ofRow: id) : nil) { connection in
          counter.add()
          return try connection.value(Int.self, SQL(unsafe: Live.selectSQL), id) ?? 0
        }
      },
      commit: { id, score in
        try await database.write { connection in
          _ = try connection.run(SQL(unsafe: Live.updateSQL), score, id)
        }
      })
  }
}

extension Live {
  fileprivate static func region(ofRow id: Int) -> Region {
    .rows(of: "player", where: .column("id", equals: .integer(Int64(id))), reading: ["score"])
  }
}
