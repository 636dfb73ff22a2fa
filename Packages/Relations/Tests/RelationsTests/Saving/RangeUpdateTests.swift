import SQLiteCore
import Synchronization
import Testing

@testable import Relations

private struct Cell: Table {
  static let tableName = "Cell"
  var id = 0
  var a = ""
  var b = 0
  var c: Double?
  var d: [UInt8]?

  static let createSQL =
    "CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d)"
  /// Has each row be updated by itself.
  static let triggerSQL = "CREATE TRIGGER alone AFTER UPDATE ON Cell BEGIN SELECT 1; END"
}

@Suite struct `Updates of rows whose keys follow one another` {
  /// A database of cells whose keys are some integers.
  private func cells(
    _ keys: some Sequence<Int64>, _ sql: [String] = [Cell.createSQL]
  ) throws -> Connection {
    let connection = try Connection.inMemory()
    for statement in sql { try connection.execute(statement) }
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, 'old', 0 FROM holt_array(?)", SQLiteArray(keys))
    return connection
  }

  /// Updates of column `b` that make it the key's last digits.
  private func plan(_ keys: some Sequence<Int64>) throws -> SavePlan {
    var run = UpdateRun(shape: try TableShape.of(Cell.self), changed: [2])
    for key in keys {
      run.parameters += [.integer(key % 1_000), .integer(key)]
      run.count += 1
    }
    return SavePlan(steps: [.updates(run)])
  }

  /// How many updates are run as a plan is.
  private func updates(_ plan: SavePlan, on connection: Connection) throws -> Int {
    let count = Mutex(0)
    try connection.hooks.trace { event in
      guard case .statement(let sql, _) = event, sql.hasPrefix("UPDATE") else { return }
      count.withLock { $0 += 1 }
    }
    _ = try connection.transaction { try connection.run(plan) }
    return count.withLock { $0 }
  }

  private func wrong(_ connection: Connection, _ keys: some Sequence<Int64>) throws -> [Int64] {
    try connection.values(
      Int64.self,
      "SELECT id FROM Cell WHERE b <> CASE WHEN id IN holt_array(?) THEN id % 1000 ELSE 0 END",
      SQLiteArray(keys))
  }

  @Test func `are one statement for each range, and leave other rows alone`() throws {
    let connection = try cells(-100...500)
    let keys = [Int64](-50...99) + [Int64](101...300) + [400, 402, 403, 404]
    #expect(try updates(try plan(keys), on: connection) == 2 + 4)
    #expect(try wrong(connection, keys) == [])
    // So few of them are updated each by itself.
    #expect(try updates(try plan(1...200), on: connection) == 200)
  }

  @Test(arguments: [Int64.min...(.min + 300), (.max - 300)...Int64.max])
  func `have any keys`(_ keys: ClosedRange<Int64>) throws {
    let connection = try cells(keys)
    let all = Array(keys)
    _ = try updates(try plan(all), on: connection)
    #expect(try wrong(connection, all) == [])
    // Behind others in their run, whose keys are no range.
    let ends: [Int64] = [0, 2, 4, 6]
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, '', 0 FROM holt_array(?)", SQLiteArray(ends))
    try connection.run("UPDATE Cell SET b = 0")
    _ = try updates(try plan(ends + all), on: connection)
    #expect(try wrong(connection, ends + all) == [])
  }

  /// Schemas whose tables are updated row by row.
  private static let others: [[String]] = [
    [Cell.createSQL, Cell.triggerSQL],
    [Cell.createSQL, Cell.triggerSQL.replacing("TRIGGER alone", with: "TEMP TRIGGER alone")],
    [Cell.createSQL.replacing("INTEGER PRIMARY KEY", with: "INT PRIMARY KEY")],
    [Cell.createSQL.replacing("INTEGER PRIMARY KEY", with: "INTEGER PRIMARY KEY DESC")],
    [Cell.createSQL + " WITHOUT ROWID"],
    [Cell.createSQL.replacing("TABLE", with: "TEMP TABLE")],
    [Cell.createSQL.replacing("PRIMARY KEY", with: "UNIQUE")],
    [
      Cell.createSQL.replacing("Cell", with: "Stored"),
      "CREATE VIEW Cell AS SELECT * FROM Stored",
      """
      CREATE TRIGGER made INSTEAD OF INSERT ON Cell BEGIN
      INSERT INTO Stored (id, a, b) VALUES (new.id, new.a, new.b); END
      """,
      """
      CREATE TRIGGER changed INSTEAD OF UPDATE ON Cell BEGIN
      UPDATE Stored SET b = new.b WHERE id = old.id; END
      """,
    ],
  ]

  @Test(arguments: others)
  func `are updates of each row where its key may be another, or triggers tell of it`(
    _ schema: [String]
  ) throws {
    let connection = try cells(1...300, schema)
    let hasOthers = schema.count == 1 && !schema[0].contains("TEMP")
    if hasOthers { try connection.run("INSERT INTO Cell (id, a, b) VALUES (5.5, 'between', 0)") }
    #expect(try updates(try plan(1...300), on: connection) == 300)
    #expect(try wrong(connection, 1...300) == [])
    if hasOthers {
      #expect(
        try connection.rows("SELECT id, a, b FROM Cell WHERE a = 'between'")
          == [[.real(5.5), .text("between"), .integer(0)]])
    }
  }

  @Test func `are an error where a row is gone, which tells its key`() throws {
    let connection = try cells((1...300).filter { $0 != 77 })
    let error = #expect(throws: RelationError.self) {
      try updates(try plan(1...300), on: connection)
    }
    #expect(error?.code == .missingRow)
    #expect(error?.key == "77")
    #expect(try wrong(connection, []) == [])
  }

  @Test func `are an error where they break a rule`() throws {
    let connection = try cells(1...300)
    try connection.execute("UPDATE Cell SET b = id; CREATE UNIQUE INDEX one ON Cell (b)")
    var run = UpdateRun(shape: try TableShape.of(Cell.self), changed: [2])
    run.parameters = (1...300).flatMap { [.integer($0 < 200 ? -$0 : 7), .integer($0)] }
    run.count = 300
    let plan = SavePlan(steps: [.updates(run)])
    let error = #expect(throws: SQLiteError.self) { try updates(plan, on: connection) }
    #expect(error?.code == .constraintUnique)
    #expect(try connection.value(Int.self, "SELECT count(*) FROM Cell WHERE b <> id") == 0)
  }

  private static let seed: UInt64 = 20_261_123

  @Test func `write what updates of each row write`() throws {
    print("Range updates: seed \(Self.seed)")
    var random = ModelRandom(seed: Self.seed)
    let keys = (1...600).map(Int64.init)
    let ranges = try cells(keys)
    let singles = try cells(keys, [Cell.createSQL, Cell.triggerSQL])
    let shape = try TableShape.of(Cell.self)
    for _ in 0..<60 {
      var plan = SavePlan()
      while plan.steps.count < 4 {
        var run = UpdateRun(
          shape: shape, changed: (1...4).filter { _ in Int.random(in: 0..<2, using: &random) == 0 })
        if run.changed.isEmpty { continue }
        var key = Int64(1 + Int.random(in: 0..<100, using: &random))
        while key <= 600, run.count < 250 {
          run.parameters += run.changed.map { _ in Self.value(&random) } + [.integer(key)]
          run.count += 1
          key +=
            Int.random(in: 0..<12, using: &random) == 0
            ? Int64(1 + Int.random(in: 0..<4, using: &random)) : 1
        }
        plan.steps.append(.updates(run))
      }
      let count = try updates(plan, on: ranges)
      let all = try updates(plan, on: singles)
      #expect(count < all)
      let sql = "SELECT * FROM Cell ORDER BY id"
      try #require(try ranges.rows(sql) == singles.rows(sql))
    }
  }

  private static func value(_ random: inout ModelRandom) -> SQLiteValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: .integer(Int64(Int.random(in: 0..<1_000, using: &random)) - 500)
    case 2: .real(Double(Int.random(in: 0..<1_000, using: &random)) / 8)
    case 3: .text("\(Int.random(in: 0..<100, using: &random))")
    case 4: .text("text\0\(Int.random(in: 0..<100, using: &random))")
    default: .blob([UInt8(Int.random(in: 0..<256, using: &random)), 0])
    }
  }

  @Test func `are what many models are saved by`() async throws {
    try await withSession { session in
      try await session.save((1...1_000).map { MyPlain.Value(id: $0, a: $0, b: 0) })
      let models = try await MyPlain.fetchQuery("ORDER BY id")
      for model in models { model.value.b = model.id * 2 }
      let before = try await session.database.read { $0.totalChangeCount }
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT count(*) FROM MyPlain WHERE a = id AND b = 2 * id")
          == [[1_000]])
      #expect(!models.contains { session.isChanged($0) })
      #expect(try await session.database.read { $0.totalChangeCount } == before + 1_000)
      // Those whose rows are gone are told, and nothing is written.
      for model in models { model.value.b = 0 }
      try await session.elsewhere("DELETE FROM MyPlain WHERE id = 500")
      let error = await #expect(throws: RelationError.self) { try await session.save(models) }
      #expect(error?.key == "500")
      #expect(try await session.rows("SELECT count(*) FROM MyPlain WHERE b = 0") == [[0]])
    }
  }
}
