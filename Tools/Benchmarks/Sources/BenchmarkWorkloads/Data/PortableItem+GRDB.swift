internal import Foundation
internal import GRDB

/// A record that is read by column positions, the fastest way in GRDB.
struct PositionItem: FetchableRecord, Sendable {
  let item: PortableItem

  init(row: Row) throws {
    item = PortableItem(
      id: row[0], a: row[1], b: row[2], x: row[3], y: row[4], name: row[5], title: row[6],
      note: row[7], flag: row[8], data: row[9])
  }
}

/// A record that is read and written by column names, as in GRDB's documentation.
struct NamedItem: FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "item"
  let item: PortableItem

  init(item: PortableItem) { self.item = item }

  init(row: Row) throws {
    item = PortableItem(
      id: row["id"], a: row["a"], b: row["b"], x: row["x"], y: row["y"], name: row["name"],
      title: row["title"], note: row["note"], flag: row["flag"], data: row["data"])
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
    container["data"] = item.data
  }
}

/// A record that is read with its `Codable` conformance.
extension PortableItem: FetchableRecord {}
