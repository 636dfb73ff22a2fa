internal import GRDB

extension NarrowRow: FetchableRecord, PersistableRecord {
  static var databaseTableName: String { table }
}

extension WideRow: FetchableRecord, PersistableRecord {
  static var databaseTableName: String { table }
}

enum GRDBRows {
  static func fetch<Record: ColumnRow & FetchableRecord>(
    _ type: Record.Type, _ path: String
  ) throws -> Work {
    let rows = try Peer.queue(path).read { try Record.fetchAll($0, sql: Record.selectSQL) }
    return Work(checksum: UInt64(rows.reduce(0) { $0 &+ $1.weight }))
  }

  static func insert<Record: ColumnRow & PersistableRecord>(
    _ rows: [Record], _ path: String
  ) throws -> Work {
    let queue = try Peer.queue(path)
    return try queue.write { db in
      try db.execute(sql: "DROP TABLE IF EXISTS \(Record.table)")
      try db.execute(sql: Record.createSQL)
      for row in rows { try row.insert(db) }
      return Work(checksum: UInt64(db.lastInsertedRowID))
    }
  }
}
