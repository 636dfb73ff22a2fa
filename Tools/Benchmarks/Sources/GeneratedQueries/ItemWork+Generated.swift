internal import QueryGen

/// The work with the queries generated from `Queries/Item.sql`.
extension ItemWork {
  public static let generated = ItemWork(
    fetchAll: { path in
      let (connection, queries) = try open(path)
      let items = try queries.allItems.execute(in: connection)
      var sum: UInt64 = 0
      for index in items.indices { sum &+= items[index].weight }
      return sum
    },
    lookUp: { path, keys in
      let (connection, queries) = try open(path)
      var sum: UInt64 = 0
      for key in keys { sum &+= try queries.itemOf.execute(key, in: connection)?.weight ?? 0 }
      return sum
    },
    update: { path, keys in
      let (connection, queries) = try open(path)
      let inputs = keys.map { RenameInput(name: "name \($0)", note: nil, id: $0) }
      return try connection.transaction {
        let counts = try queries.rename.execute(many: inputs, in: connection)
        return UInt64(counts.reduce(0, +))
      }
    })

  private static func open(_ path: String) throws -> (Connection, ItemDatabase) {
    (try Connection(path: path), ItemDatabase(migrated: try Database.inMemory()))
  }
}

extension GeneratedItem {
  fileprivate var weight: UInt64 {
    UInt64(id + a + b + Int(x)) + UInt64(y ?? 1)
      + UInt64(name.utf8.count + title.utf8.count + (note?.utf8.count ?? 1) + data.count)
  }
}
