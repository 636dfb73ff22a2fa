internal import Foundation
internal import SQLiteCore

/// A row declared for GRDB and `Codable`, with `Data` for blobs.
struct PortableItem: Codable, RowDecodable, Sendable {
  var id: Int64
  var a: Int64
  var b: Int64
  var x: Double
  var y: Double?
  var name: String
  var title: String
  var note: String?
  var flag: Bool
  var data: Data

  /// The same weight as ``Item/weight``.
  var weight: UInt64 {
    let numbers = UInt64(id) + UInt64(a) + UInt64(b) + UInt64(x) + (y.map { UInt64($0) } ?? 1)
    let texts = name.utf8.count + title.utf8.count + (note?.utf8.count ?? 1)
    return numbers + UInt64(texts) + (flag ? 1 : 0) + UInt64(data[0]) + UInt64(data.count)
  }
}

extension PortableItem {
  init(_ item: Item) {
    self.init(
      id: item.id, a: item.a, b: item.b, x: item.x, y: item.y, name: item.name, title: item.title,
      note: item.note, flag: item.flag, data: Data(item.data))
  }
}
