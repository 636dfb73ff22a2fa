internal import CBaseline
internal import Foundation
internal import Providers
internal import SQLiteCore

/// An object to save.
struct Entry: DataTable {
  var id = 0
  var name = ""
  var title = ""
  var price = 0.0
  var weight: Double?
  var enabled = false
  var added = Date(timeIntervalSince1970: 0)
  var note: String?

  /// Converts the rows of the C baseline.
  static func all(_ items: UnsafePointer<baseline_item>, count: Int) -> [Entry] {
    Item.all(items, count: count).map { item in
      var entry = Entry()
      entry.id = Int(item.id)
      entry.name = item.name
      entry.title = item.title
      entry.price = item.x
      entry.weight = item.y
      entry.enabled = item.flag
      // One per second from the beginning of 2026.
      entry.added = Date(timeIntervalSince1970: 1_767_225_600 + Double(item.id))
      entry.note = item.note
      return entry
    }
  }
}

extension Entry: RowEncodable {
  func bind(to statement: Statement) throws(SQLiteError) {
    try statement.bind(id, at: 1)
    try statement.bind(name, at: 2)
    try statement.bind(title, at: 3)
    try statement.bind(price, at: 4)
    try statement.bind(weight, at: 5)
    try statement.bind(enabled, at: 6)
    try statement.bind(added, at: 7)
    try statement.bind(note, at: 8)
  }
}

/// Uses a connection like a provider.
private struct ConnectionAccess: DataAccess {
  let connection: Connection

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(connection)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try connection.transaction { try body(connection) }
  }
}

enum HoltObjects {
  static func insert(_ entries: [Entry], _ path: String) throws -> Work {
    let connection = try Connection(path: path)
    try connection.execute(Objects.createSQL)
    let changes = try connection.transaction {
      try connection.run(Objects.insertSQL, ofEach: entries)
    }
    return try work(changes.count, connection)
  }

  static func save(_ entries: [Entry], _ path: String) throws -> Work {
    let connection = try Connection(path: path)
    try connection.execute("DROP TABLE IF EXISTS Entry")
    let keys = try ConnectionAccess(connection: connection).save(entries)
    return try work(keys.count, connection)
  }

  private static func work(_ count: Int, _ connection: Connection) throws -> Work {
    Work(checksum: UInt64(count) &+ UInt64(connection.lastInsertedRowID.rawValue))
  }
}
