import CBaseline
import SQLiteCore

/// The workloads, done with SQLiteCore.
enum HoltWorkloads {
  static func fetchAll(_ path: String) throws -> UInt64 {
    let connection = try Connection(path: path)
    var sum: UInt64 = 0
    for item in try connection.fetchAll(Item.self, Item.selectSQL) { sum &+= item.weight }
    return sum
  }

  static func insert(_ path: String, _ items: [Item]) throws -> UInt64 {
    let connection = try Connection(path: path)
    try connection.execute("DROP TABLE IF EXISTS item; \(Item.createSQL)")
    var sum: UInt64 = 0
    try connection.transaction {
      try connection.withStatement(Item.insertSQL) { statement in
        for item in items {
          try statement.bindAll(
            item.id, item.a, item.b, item.x, item.y, item.name, item.title, item.note, item.flag,
            item.data)
          try statement.run()
          sum &+= UInt64(connection.lastInsertedRowID.rawValue)
        }
      }
    }
    return sum
  }

  static func lookUp(_ path: String, rows: Int, lookups: Int) throws -> UInt64 {
    let connection = try Connection(path: path)
    var sum: UInt64 = 0
    for index in 0..<lookups {
      let key = baseline_key(index, rows)
      sum &+= try connection.fetchOne(Item.self, Item.lookUpSQL, key)?.weight ?? 0
    }
    return sum
  }
}
