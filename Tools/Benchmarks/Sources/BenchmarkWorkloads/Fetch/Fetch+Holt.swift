internal import SQLiteCore

enum HoltFetch {
  static func all(_ path: String) throws -> Work {
    let items = try Connection(path: path).fetchAll(Item.self, SQL(unsafe: Item.selectSQL))
    var sum: UInt64 = 0
    for index in items.indices { sum &+= items[index].weight }
    return Work(checksum: sum)
  }

  static func codable(_ path: String) throws -> Work {
    let items = try Connection(path: path).fetchAll(
      PortableItem.self, SQL(unsafe: Item.selectSQL))
    var sum: UInt64 = 0
    for index in items.indices { sum &+= items[index].weight }
    return Work(checksum: sum)
  }
}
