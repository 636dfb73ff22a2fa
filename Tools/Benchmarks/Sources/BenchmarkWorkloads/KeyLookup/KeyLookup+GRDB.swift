internal import GRDB

enum GRDBKeyLookup {
  static func byStatement(_ path: String, _ keys: Keys) throws -> Work {
    try Peer.queue(path).unsafeRead { try lookUp(keys, in: $0) }
  }

  static func inOneTransaction(_ path: String, _ keys: Keys) throws -> Work {
    try Peer.queue(path).read { try lookUp(keys, in: $0) }
  }

  static func byKey(_ path: String, _ keys: Keys) throws -> Work {
    try Peer.queue(path).unsafeRead { db in
      var sum: UInt64 = 0
      for index in 0..<keys.count {
        sum &+= try NamedItem.fetchOne(db, key: keys[index])?.item.weight ?? 0
      }
      return Work(checksum: sum)
    }
  }

  /// Uses one connection. Each lookup is a separate access and transaction.
  static func oneReadPerLookup(_ path: String, _ keys: Keys) throws -> Work {
    try lookUp(keys, through: Peer.queue(path))
  }

  /// Uses a pool, like apps that read from many threads.
  static func onePoolReadPerLookup(_ path: String, _ keys: Keys) throws -> Work {
    let pool = try Peer.pool(path)
    defer { try? pool.close() }
    return try lookUp(keys, through: pool)
  }

  static func recompilingPerLookup(_ path: String, _ keys: Keys) throws -> Work {
    try Peer.queue(path).unsafeRead { db in
      var sum: UInt64 = 0
      for index in 0..<keys.count {
        let statement = try db.makeStatement(sql: Item.lookUpSQL)
        let item = try PositionItem.fetchOne(statement, arguments: [keys[index]])
        sum &+= item?.item.weight ?? 0
      }
      return Work(checksum: sum)
    }
  }

  private static func lookUp(_ keys: Keys, through reader: some DatabaseReader) throws -> Work {
    var sum: UInt64 = 0
    for index in 0..<keys.count {
      let key = keys[index]
      let item = try reader.read { db in
        try PositionItem.fetchOne(db.cachedStatement(sql: Item.lookUpSQL), arguments: [key])
      }
      sum &+= item?.item.weight ?? 0
    }
    return Work(checksum: sum)
  }

  private static func lookUp(_ keys: Keys, in db: Database) throws -> Work {
    var sum: UInt64 = 0
    for index in 0..<keys.count {
      let statement = try db.cachedStatement(sql: Item.lookUpSQL)
      let item = try PositionItem.fetchOne(statement, arguments: [keys[index]])
      sum &+= item?.item.weight ?? 0
    }
    return Work(checksum: sum)
  }
}
