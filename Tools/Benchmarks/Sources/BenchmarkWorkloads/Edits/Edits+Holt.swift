internal import Relations
internal import SQLiteCore

final class CustomerModel: Model, @unchecked Sendable {
  struct Value: Table, Customer {
    static let tableName = "Customer"
    var id = 0
    var name = ""
    var email = ""
    var city: String?
    var visits = 0
    var balance = 0.0
    var isActive = false
    var note: String?
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(column: "email") { $0.email }, .init(column: "city") { $0.city },
        .init(column: "visits") { $0.visits }, .init(column: "balance") { $0.balance },
        .init(column: "isActive") { $0.isActive }, .init(column: "note") { $0.note },
      ]
    }

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      email = try row.read(at: 2)
      city = try row.read(at: 3)
      visits = try row.read(at: 4)
      balance = try row.read(at: 5)
      isActive = try row.read(at: 6)
      note = try row.read(at: 7)
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The same model with `Codable` values.
final class CodableCustomerModel: Model, @unchecked Sendable {
  struct Value: Table, Customer {
    static let tableName = "Customer"
    var id = 0
    var name = ""
    var email = ""
    var city: String?
    var visits = 0
    var balance = 0.0
    var isActive = false
    var note: String?
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

enum HoltEdits {
  /// Runs the same update statements directly: a lower bound for any save.
  static func update(_ path: String) async throws -> Work {
    let database = try Database(path: path)
    var rows = try await database.read {
      try $0.fetchAll(CustomerModel.Value.self, "SELECT * FROM Customer ORDER BY id")
    }
    var times: [Time] = []
    for save in 0..<Edits.saves {
      let places = Edits.tenth(of: rows.count, save: save)
      for place in places { rows[place].change(place, save: save) }
      let watch = Stopwatch()
      try await database.write { [rows] connection in
        let two = try connection.prepare("UPDATE Customer SET visits = ?, balance = ? WHERE id = ?")
        let three = try connection.prepare(
          "UPDATE Customer SET visits = ?, balance = ?, note = ? WHERE id = ?")
        for place in places {
          let row = rows[place]
          if place % 4 == 0 {
            try three.bindAll(row.visits, row.balance, row.note, row.id)
            try three.run()
          } else {
            try two.bindAll(row.visits, row.balance, row.id)
            try two.run()
          }
        }
      }
      times.append(watch.time)
    }
    return Work(checksum: UInt64(rows.count), time: times.sum)
  }

  /// Lets the session detect the changed models.
  static func saveChanges(_ path: String) async throws -> Work {
    try await save(CustomerModel.self, path) { session, _ in try await session.saveChanges() }
  }

  /// Passes the changed models to the session.
  static func save(_ path: String) async throws -> Work {
    try await save(CustomerModel.self, path) { session, changed in try await session.save(changed) }
  }

  static func codable(_ path: String) async throws -> Work {
    try await save(CodableCustomerModel.self, path) { session, _ in
      try await session.saveChanges()
    }
  }

  private static func save<M: Model>(
    _ type: M.Type, _ path: String,
    _ save: (ModelSession, [M]) async throws -> Void
  ) async throws -> Work where M.Value: Customer {
    let session = ModelSession(try Database(path: path), schema: .explicit)
    let models = try await session.fetchAll(M.self, "ORDER BY id")
    var times: [Time] = []
    for number in 0..<Edits.saves {
      let places = Edits.tenth(of: models.count, save: number)
      for place in places { models[place].value.change(place, save: number) }
      let changed = places.map { models[$0] }
      let watch = Stopwatch()
      try await save(session, changed)
      times.append(watch.time)
    }
    return Work(checksum: UInt64(models.count), time: times.sum)
  }
}
