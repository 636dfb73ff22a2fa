internal import SQLiteCore

enum HoltKeyLookup {
  static func onConnection(_ path: String, _ keys: Keys) throws -> Work {
    try lookUp(keys, on: Connection(path: path))
  }

  static func inOneTransaction(_ path: String, _ keys: Keys) throws -> Work {
    let connection = try Connection(path: path)
    return try connection.transaction(.deferred) { try lookUp(keys, on: connection) }
  }

  static func oneReadPerLookup(_ path: String, _ keys: Keys) throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    var sum: UInt64 = 0
    for index in 0..<keys.count {
      let key = keys[index]
      sum &+=
        try database.read { try $0.fetchOne(Item.self, SQL(unsafe: Item.lookUpSQL), key) }?.weight
        ?? 0
    }
    return Work(checksum: sum)
  }

  static func recompilingPerLookup(_ path: String, _ keys: Keys) throws -> Work {
    let connection = try Connection(path: path)
    var sum: UInt64 = 0
    for index in 0..<keys.count {
      let statement = try connection.prepare(SQL(unsafe: Item.lookUpSQL))
      try statement.bindAll(keys[index])
      if try statement.step() { sum &+= try Item(row: statement.row).weight }
    }
    return Work(checksum: sum)
  }

  private static func lookUp(_ keys: Keys, on connection: Connection) throws -> Work {
    var sum: UInt64 = 0
    for index in 0..<keys.count {
      sum &+=
        try connection.fetchOne(Item.self, SQL(unsafe: Item.lookUpSQL), keys[index])?.weight ?? 0
    }
    return Work(checksum: sum)
  }
}
