internal import SQLiteCore

enum HoltInsert {
  private static func makeTable(_ path: String) throws -> Connection {
    let connection = try Connection(path: path)
    try connection.execute("DROP TABLE IF EXISTS item; \(unsafe: Item.createSQL)")
    return connection
  }

  /// Inserts an array with one call.
  static func all(_ items: [Item], _ path: String) throws -> Work {
    let connection = try makeTable(path)
    let changes = try connection.transaction {
      try connection.run(SQL(unsafe: Item.insertSQL), ofEach: items)
    }
    return Insert.work(changes.count, lastKey: changes.lastInsertedRowID.rawValue)
  }

  /// Inserts with a statement that is looked up in the cache for each row.
  static func singly(_ items: [Item], _ path: String) throws -> Work {
    let connection = try makeTable(path)
    try connection.transaction {
      for item in items {
        try connection.run(
          SQL(unsafe: Item.insertSQL), item.id, item.a, item.b, item.x, item.y, item.name,
          item.title,
          item.note, item.flag, item.data)
      }
    }
    return Insert.work(items.count, lastKey: connection.lastInsertedRowID.rawValue)
  }
}
