internal import PostgreSQL

extension Item: PostgreSQLRowDecodable {
  init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
    self.init(
      id: try row.read(Int64.self, at: 0), a: try row.read(Int64.self, at: 1),
      b: try row.read(Int64.self, at: 2), x: try row.read(Double.self, at: 3),
      y: try row.read(Double?.self, at: 4), name: try row.read(String.self, at: 5),
      title: try row.read(String.self, at: 6), note: try row.read(String?.self, at: 7),
      flag: try row.read(Bool.self, at: 8), data: try row.read([UInt8].self, at: 9))
  }
}

extension Item: PostgreSQLRowEncodable {
  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.bind(id)
    try parameters.bind(a)
    try parameters.bind(b)
    try parameters.bind(x)
    try parameters.bind(y)
    try parameters.bind(name)
    try parameters.bind(title)
    try parameters.bind(note)
    try parameters.bind(flag)
    try parameters.bind(data)
  }
}

extension PortableItem: PostgreSQLRowDecodable {}

extension BenchmarkServer {
  /// Passes a pool of this many connections to `body`, and closes it afterwards.
  private func withDatabase(
    connections: Int = 1, _ body: (PostgreSQLDatabase) async throws -> Work
  ) async throws -> Work {
    var configuration = configuration
    configuration.maximumConnectionCount = connections
    let database = PostgreSQLDatabase(configuration)
    defer { database.close() }
    return try await body(database)
  }

  func fetchAll<Row: PostgreSQLRowDecodable & Sendable>(
    _ type: Row.Type, weight: (Row) -> UInt64
  ) async throws -> Work {
    try await withDatabase { database in
      let items = try await database.fetchAll(Row.self, "SELECT * FROM item")
      var sum: UInt64 = 0
      for index in items.indices { sum &+= weight(items[index]) }
      return Work(checksum: sum)
    }
  }

  func lookUp(_ keys: Keys, connections: Int, tasks: Int) async throws -> Work {
    try await withDatabase(connections: connections) { database in
      let sum = try await Async.sum(keys.count, tasks: tasks) { index in
        let item = try await database.fetchOne(
          Item.self, "SELECT * FROM item WHERE id = $1", keys[index])
        return item?.weight ?? 0
      }
      return Work(checksum: sum)
    }
  }

  func copy(_ items: [Item]) async throws -> Work {
    try await withDatabase { database in
      try await database.run("TRUNCATE copied")
      let changes = try await database.copy(
        into: "copied",
        columns: ["id", "a", "b", "x", "y", "name", "title", "note", "flag", "data"], rows: items)
      return Work(checksum: UInt64(changes.count))
    }
  }
}
