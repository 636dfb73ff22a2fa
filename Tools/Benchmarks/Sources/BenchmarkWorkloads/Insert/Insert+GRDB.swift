internal import GRDB

enum GRDBInsert {
  private static func makeTable(_ path: String) throws -> DatabaseQueue {
    let queue = try Peer.queue(path)
    try queue.write { try $0.execute(sql: "DROP TABLE IF EXISTS item; \(Item.createSQL)") }
    return queue
  }

  static func byStatement(_ items: [PortableItem], _ path: String) throws -> Work {
    try makeTable(path).write { db in
      let statement = try db.makeStatement(sql: Item.insertSQL)
      for item in items {
        try statement.execute(arguments: [
          item.id, item.a, item.b, item.x, item.y, item.name, item.title, item.note, item.flag,
          item.data,
        ])
      }
      return Insert.work(items.count, lastKey: db.lastInsertedRowID)
    }
  }

  static func byRecord(_ items: [PortableItem], _ path: String) throws -> Work {
    try makeTable(path).write { db in
      for item in items {
        try NamedItem(item: item).insert(db)
      }
      return Insert.work(items.count, lastKey: db.lastInsertedRowID)
    }
  }
}
