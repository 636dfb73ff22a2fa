import SQLiteCore
import Testing

@Suite struct `Reading with named values` {
  struct Pair: RowDecodable, Codable, Equatable {
    let id: Int
    let name: String

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
  }

  private let sql: SQL = "SELECT id, name FROM p WHERE id >= :least AND name <> @not ORDER BY id"
  private let all = [Pair(id: 2, name: "b"), Pair(id: 3, name: "c")]

  private func database() throws -> Connection {
    try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name);
      INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'x');
      """)
  }

  @Test func `binds each value to the parameter with its name, in every method`() throws {
    let db = try database()
    for values in [["least": 2, "not": "x"], ["@not": "x", ":least": 2]]
      as [[String: any SQLiteBindable & Sendable]]
    {
      #expect(try db.fetchAll(Pair.self, SQL(sql, named: values)) == all)
      #expect(try db.fetchOne(Pair.self, SQL(sql, named: values)) == all[0])
      #expect(try db.value(Int.self, SQL(sql, named: values)) == 2)
      #expect(try db.values(Int.self, SQL(sql, named: values)) == [2, 3])
      #expect(try db.rows(SQL(sql, named: values)) == [[2, "b"], [3, "c"]])
      var ids: [Int] = []
      try db.forEach(SQL(sql, named: values)) { ids.append(try $0.read(at: 0)) }
      #expect(ids == [2, 3])
      #expect(try db.fetchAll(decoding: Pair.self, SQL(sql, named: values)) == all)
      #expect(try db.fetchOne(decoding: Pair.self, SQL(sql, named: values)) == all[0])
      var pairs: [Pair] = []
      try db.forEach(decoding: Pair.self, SQL(sql, named: values)) { pairs.append($0) }
      #expect(pairs == all)
    }
    let none: [String: any SQLiteBindable & Sendable] = ["least": 9, "not": ""]
    #expect(try db.fetchOne(Pair.self, SQL(sql, named: none)) == nil)
    #expect(try db.value(Int.self, SQL(sql, named: none)) == nil)
    #expect(try db.fetchOne(decoding: Pair.self, SQL(sql, named: none)) == nil)
  }

  @Test(
    arguments: [
      (["least": 1, "other": 2], .unknownParameter), (["least": 1], .parameterCount),
      (["least": 1, ":least": 2], .parameterCount), ([:], .parameterCount),
    ] as [([String: Int], SQLiteError.Code)])
  func `refuses unknown names and missing values, in every method`(
    _ given: [String: Int], _ code: SQLiteError.Code
  ) throws {
    let db = try database()
    let values: [String: any SQLiteBindable & Sendable] = given.mapValues { $0 }
    for attempt in [
      { _ = try db.fetchAll(Pair.self, SQL(sql, named: values)) },
      { _ = try db.fetchOne(Pair.self, SQL(sql, named: values)) },
      { _ = try db.value(Int.self, SQL(sql, named: values)) },
      { _ = try db.values(Int.self, SQL(sql, named: values)) },
      { _ = try db.rows(SQL(sql, named: values)) },
      { try db.forEach(SQL(sql, named: values)) { _ in } },
      { _ = try db.fetchAll(decoding: Pair.self, SQL(sql, named: values)) },
      { _ = try db.fetchOne(decoding: Pair.self, SQL(sql, named: values)) },
      { try db.forEach(decoding: Pair.self, SQL(sql, named: values)) { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == code)
    }
  }

  @Test func `stops if the body throws`() throws {
    let db = try database()
    let values: [String: any SQLiteBindable & Sendable] = ["least": 1, "not": "x"]
    #expect(throws: Failure()) { try db.forEach(SQL(sql, named: values)) { _ in throw Failure() } }
    #expect(throws: Failure()) {
      try db.forEach(decoding: Pair.self, SQL(sql, named: values)) { _ in throw Failure() }
    }
    var count = 0
    try db.forEach(
      decoding: Pair.self, SQL(unsafe: sql.text.replacing("@not", with: "?2")), values: [1, "x"]
    ) { _ in
      count += 1
    }
    #expect(count == 3)
  }
}
