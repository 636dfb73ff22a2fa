internal import GRDB

enum GRDBFetch {
  static func byPosition(_ path: String) throws -> Work {
    try Peer.queue(path).read { db in
      var sum: UInt64 = 0
      let items = try PositionItem.fetchAll(db, sql: Item.selectSQL)
      for index in items.indices { sum &+= items[index].item.weight }
      return Work(checksum: sum)
    }
  }

  static func byName(_ path: String) throws -> Work {
    try Peer.queue(path).read { db in
      var sum: UInt64 = 0
      let items = try NamedItem.fetchAll(db, sql: Item.selectSQL)
      for index in items.indices { sum &+= items[index].item.weight }
      return Work(checksum: sum)
    }
  }

  static func codable(_ path: String) throws -> Work {
    try Peer.queue(path).read { db in
      var sum: UInt64 = 0
      let items = try PortableItem.fetchAll(db, sql: Item.selectSQL)
      for index in items.indices { sum &+= items[index].weight }
      return Work(checksum: sum)
    }
  }
}
