internal import CBaseline

/// A row of the benchmarks' table, declared as a user of Holt would.
struct Item: Sendable {
  var id: Int64
  var a: Int64
  var b: Int64
  var x: Double
  var y: Double?
  var name: String
  var title: String
  var note: String?
  var flag: Bool
  var data: [UInt8]

  /// The row's share of the checksum, which is the same for all implementations.
  var weight: UInt64 {
    let numbers = UInt64(id) + UInt64(a) + UInt64(b) + UInt64(x) + (y.map { UInt64($0) } ?? 1)
    let texts = name.utf8.count + title.utf8.count + (note?.utf8.count ?? 1)
    return numbers + UInt64(texts) + (flag ? 1 : 0) + UInt64(data[0]) + UInt64(data.count)
  }
}

extension Item {
  static let createSQL = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL,
      x REAL NOT NULL, y REAL, name TEXT NOT NULL, title TEXT NOT NULL, note TEXT,
      flag INTEGER NOT NULL, data BLOB NOT NULL)
    """
  static let insertSQL = "INSERT INTO item VALUES (?,?,?,?,?,?,?,?,?,?)"
  static let selectSQL = "SELECT * FROM item"
  static let lookUpSQL = "SELECT * FROM item WHERE id = ?"

  /// Converts the rows of the C baseline to Swift values.
  static func all(_ items: UnsafePointer<baseline_item>, count: Int) -> [Item] {
    (0..<count).map { index in
      let item = items[index]
      return Item(
        id: item.id, a: item.a, b: item.b, x: item.x, y: item.y_is_null != 0 ? nil : item.y,
        name: text(item.name), title: text(item.title),
        note: item.note_is_null != 0 ? nil : text(item.note), flag: item.flag != 0,
        data: withUnsafeBytes(of: item.data) { [UInt8]($0) })
    }
  }

  private static func text<Tuple>(_ tuple: Tuple) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
