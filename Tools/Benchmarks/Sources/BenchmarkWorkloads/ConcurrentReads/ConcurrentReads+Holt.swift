internal import CBaseline
internal import SQLiteCore

enum HoltConcurrentReads {
  static func run(_ path: String, _ setting: ConcurrentReads.Setting) throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    return try ConcurrentReads.run(
      setting,
      read: { index in
        let key = baseline_key(index, setting.rows)
        _ = try database.read { try $0.fetchOne(Item.self, SQL(unsafe: Item.lookUpSQL), key) }
      },
      write: { index in
        let key = baseline_key(index, setting.rows)
        try database.write { try $0.run(SQL(unsafe: ConcurrentReads.updateSQL), index, key) }
      })
  }
}
