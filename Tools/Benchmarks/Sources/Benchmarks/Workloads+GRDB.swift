import CBaseline
import Foundation
import GRDB

/// The workloads, done with GRDB: each in the ways that its documentation offers.
enum GRDBWorkloads {
  private static func queue(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  static func fetchAllByPosition(_ path: String) throws -> UInt64 {
    try queue(path).read { db in
      var sum: UInt64 = 0
      for item in try PositionItem.fetchAll(db, sql: Item.selectSQL) { sum &+= item.item.weight }
      return sum
    }
  }

  static func fetchAllByName(_ path: String) throws -> UInt64 {
    try queue(path).read { db in
      var sum: UInt64 = 0
      for item in try NamedItem.fetchAll(db, sql: Item.selectSQL) { sum &+= item.item.weight }
      return sum
    }
  }

  static func insertByStatement(_ path: String, _ items: [Item]) throws -> UInt64 {
    let queue = try queue(path)
    try queue.write { try $0.execute(sql: "DROP TABLE IF EXISTS item; \(Item.createSQL)") }
    return try queue.write { db in
      var sum: UInt64 = 0
      let statement = try db.makeStatement(sql: Item.insertSQL)
      for item in items {
        try statement.execute(arguments: [
          item.id, item.a, item.b, item.x, item.y, item.name, item.title, item.note, item.flag,
          Data(item.data),
        ])
        sum &+= UInt64(db.lastInsertedRowID)
      }
      return sum
    }
  }

  static func insertByRecord(_ path: String, _ items: [Item]) throws -> UInt64 {
    let queue = try queue(path)
    try queue.write { try $0.execute(sql: "DROP TABLE IF EXISTS item; \(Item.createSQL)") }
    return try queue.write { db in
      var sum: UInt64 = 0
      for item in items {
        try NamedItem(item: item).insert(db)
        sum &+= UInt64(db.lastInsertedRowID)
      }
      return sum
    }
  }

  static func lookUpByStatement(_ path: String, rows: Int, lookups: Int) throws -> UInt64 {
    try queue(path).unsafeRead { db in
      var sum: UInt64 = 0
      for index in 0..<lookups {
        let statement = try db.cachedStatement(sql: Item.lookUpSQL)
        let item = try PositionItem.fetchOne(statement, arguments: [baseline_key(index, rows)])
        sum &+= item?.item.weight ?? 0
      }
      return sum
    }
  }

  static func lookUpByKey(_ path: String, rows: Int, lookups: Int) throws -> UInt64 {
    try queue(path).unsafeRead { db in
      var sum: UInt64 = 0
      for index in 0..<lookups {
        sum &+= try NamedItem.fetchOne(db, key: baseline_key(index, rows))?.item.weight ?? 0
      }
      return sum
    }
  }
}

private struct PositionItem: FetchableRecord {
  let item: Item

  init(row: Row) throws {
    item = Item(
      id: row[0], a: row[1], b: row[2], x: row[3], y: row[4], name: row[5], title: row[6],
      note: row[7], flag: row[8], data: [UInt8](row[9] as Data))
  }
}

private struct NamedItem: FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"
  let item: Item

  init(item: Item) { self.item = item }

  init(row: Row) throws {
    item = Item(
      id: row["id"], a: row["a"], b: row["b"], x: row["x"], y: row["y"], name: row["name"],
      title: row["title"], note: row["note"], flag: row["flag"],
      data: [UInt8](row["data"] as Data))
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = item.id
    container["a"] = item.a
    container["b"] = item.b
    container["x"] = item.x
    container["y"] = item.y
    container["name"] = item.name
    container["title"] = item.title
    container["note"] = item.note
    container["flag"] = item.flag
    container["data"] = Data(item.data)
  }
}
