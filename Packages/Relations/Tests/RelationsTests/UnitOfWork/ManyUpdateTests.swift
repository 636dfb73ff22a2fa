import SQLiteCore
import Primitives
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
  static let triggerSQL = "CREATE TRIGGER alone AFTER UPDATE ON Cell BEGIN SELECT 1; END"
}

private struct Sketch: Table {
  static let tableName = "Sketch"
  static let versionColumn: String? = "version"
  var id = 0
  var text = ""
  var version = 0
}

@Suite struct `Updates of many rows` {
  /// A database of cells with random integer keys.
  private func cells(
    _ keys: some Sequence<Int64>, _ sql: [String] = [Cell.createSQL], b: String = "0"
  ) throws -> Connection {
    let connection = try Connection.inMemory()
    for statement in sql { try connection.execute(SQL(unsafe: statement)) }
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, 'old', \(unsafe: b) FROM array_each(?)",
      SQLiteArray(keys))
    return connection
  }

  /// Updates that set column `b` to the key's last digits.
  private func plan(_ keys: some Sequence<Int64>) throws -> FlushPlan {
    var run = UpdateBatch(metadata: try TableMetadata.of(Cell.self), changed: [2])
    for key in keys {
      run.parameters += [.integer(key % 1_000), .integer(key)]
      run.count += 1
    }
    return FlushPlan(steps: [.updates(run)])
  }

  private func run(_ plan: FlushPlan, on connection: Connection) throws {
    _ = try connection.transaction { try connection.run(plan) }
  }

  private func wrong(_ connection: Connection, _ keys: some Sequence<Int64>) throws -> [Int64] {
    try connection.values(
      Int64.self,
      "SELECT id FROM Cell WHERE b <> CASE WHEN id IN array_each(?) THEN id % 1000 ELSE 0 END",
      SQLiteArray(keys))
  }

  @Test func `compile one statement for each set of columns`() throws {
    let connection = try cells(1...300)
    var plan = FlushPlan()
    let metadata = try TableMetadata.of(Cell.self)
    for key in Int64(1)...300 {
      let changed = key % 2 == 0 ? [2] : [1, 2]
      var run = UpdateBatch(metadata: metadata, changed: changed)
      run.parameters = changed.map { $0 == 1 ? .text("new") : .integer(key) } + [.integer(key)]
      run.count = 1
      plan.steps.append(.updates(run))
    }
    let compiled = Mutex(0)
    try connection.hooks.authorize { request in
      if request.second == "b" { compiled.withLock { $0 += 1 } }
      return .allow
    }
    try self.run(plan, on: connection)
    #expect(compiled.withLock { $0 } == 2)
    #expect(
      try connection.rows("SELECT a, count(*), sum(b = id) FROM Cell GROUP BY a ORDER BY a")
        == [[.text("new"), 150, 150], [.text("old"), 150, 150]])
  }

  @Test(arguments: [Int64.min...(.min + 300), (.max - 300)...Int64.max, -150...150])
  func `support keys of any type`(_ keys: ClosedRange<Int64>) throws {
    let connection = try cells(keys)
    let changed = keys.filter { $0 % 3 != 0 }
    try run(try plan(changed), on: connection)
    #expect(try wrong(connection, changed) == [])
  }

  private static let schemas: [[String]] = [
    [Cell.createSQL, Cell.triggerSQL],
    [Cell.createSQL.replacing("INTEGER PRIMARY KEY", with: "INT PRIMARY KEY")],
    [Cell.createSQL + " WITHOUT ROWID"],
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

  @Test(arguments: schemas)
  func `find their rows by any key, and run triggers`(_ schema: [String]) throws {
    let connection = try cells(1...300, schema)
    let hasOthers = schema.count == 1
    if hasOthers { try connection.run("INSERT INTO Cell (id, a, b) VALUES (5.5, 'between', 0)") }
    try run(try plan(1...300), on: connection)
    #expect(try wrong(connection, 1...300) == [])
    if hasOthers {
      #expect(
        try connection.rows("SELECT id, a, b FROM Cell WHERE a = 'between'")
          == [[.real(5.5), .text("between"), .integer(0)]])
    }
  }

  @Test func `change keys and increment versions`() throws {
    let connection = try cells(1...300)
    var run = UpdateBatch(metadata: try TableMetadata.of(Cell.self), changed: [0])
    run.parameters = (1...300).flatMap { [.integer(-$0), .integer($0)] }
    run.count = 300
    try self.run(FlushPlan(steps: [.updates(run)]), on: connection)
    #expect(try connection.value(Int.self, "SELECT max(id) FROM Cell") == -1)

    try connection.execute(
      "CREATE TABLE Sketch (id INTEGER PRIMARY KEY, text TEXT, version INTEGER)")
    try connection.run(
      "INSERT INTO Sketch SELECT value, '', 1 FROM array_each(?)", SQLiteArray(1...300))
    var drafts = UpdateBatch(metadata: try TableMetadata.of(Sketch.self), changed: [1])
    drafts.parameters = (1...300).flatMap { [.text("new"), .integer($0), .integer(1)] }
    drafts.count = 300
    try self.run(FlushPlan(steps: [.updates(drafts)]), on: connection)
    #expect(
      try connection.rows("SELECT DISTINCT text, version FROM Sketch") == [[.text("new"), 2]])
  }

  @Test func `fail if a row is missing, with its key`() throws {
    let connection = try cells((1...300).filter { $0 != 77 })
    let error = #expect(throws: RelationError.self) {
      try run(try plan(1...300), on: connection)
    }
    #expect(error?.code == .missingRow)
    #expect(error?.key == "77")
    #expect(try wrong(connection, []) == [])
  }

  @Test func `fail if they violate a constraint`() throws {
    let connection = try cells(1...300)
    try connection.execute("UPDATE Cell SET b = id; CREATE UNIQUE INDEX one ON Cell (b)")
    var updates = UpdateBatch(metadata: try TableMetadata.of(Cell.self), changed: [2])
    updates.parameters = (1...300).flatMap { [.integer($0 < 200 ? -$0 : 7), .integer($0)] }
    updates.count = 300
    let plan = FlushPlan(steps: [.updates(updates)])
    let error = #expect(throws: SQLiteError.self) { try run(plan, on: connection) }
    #expect(error?.code == .constraintUnique)
    #expect(try connection.value(Int.self, "SELECT count(*) FROM Cell WHERE b <> id") == 0)
  }

  private static let seed: UInt64 = 20_261_123

  /// Tables in which some updates fail, are ignored, or have side effects.
  private static let tables: [[String]] = [
    [Cell.createSQL],
    ["CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER UNIQUE, c REAL, d)"],
    [
      "CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER UNIQUE ON CONFLICT IGNORE, c REAL, d)"
    ],
    [
      """
      CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER UNIQUE ON CONFLICT REPLACE,
        c REAL REFERENCES Cell (b) ON UPDATE CASCADE ON DELETE SET NULL, d)
      """
    ],
    [
      """
      CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b INTEGER CHECK (b < 601), c REAL,
        d, e AS (b + 1) STORED UNIQUE)
      """
    ],
    [
      "CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER UNIQUE, c REAL, d)",
      "CREATE TABLE Child (b INTEGER REFERENCES Cell (b) ON UPDATE CASCADE ON DELETE CASCADE)",
      "CREATE TRIGGER told AFTER UPDATE ON Child BEGIN UPDATE Cell SET a = 'told' WHERE b = new.b + 1; END",
      "CREATE TRIGGER added AFTER INSERT ON Cell BEGIN INSERT INTO Child VALUES (new.b); END",
    ],
    [
      "CREATE TABLE Cell (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d ANY) STRICT",
      "CREATE INDEX low ON Cell (lower(a)) WHERE b > 100",
    ],
  ]

  @Test(arguments: tables.indices)
  func `have the same result or error as individual updates`(_ table: Int) throws {
    print("Updates of many rows: seed \(Self.seed), table \(table)")
    var random = ModelRandom(seed: Self.seed + UInt64(table))
    let metadata = try TableMetadata.of(Cell.self)
    var done = 0
    for _ in 0..<10 {
      let keys = (1...600).map(Int64.init).filter { _ in Int.random(in: 0..<900, using: &random) > 0
      }
      let planned = try cells(keys, Self.tables[table], b: "value")
      let byHand = try cells(keys, Self.tables[table], b: "value")
      for connection in [planned, byHand] { try connection.execute("PRAGMA foreign_keys = ON") }
      var plan = FlushPlan()
      for _ in 0..<2 {
        var run = UpdateBatch(
          metadata: metadata,
          changed: (1...4).filter { _ in Int.random(in: 0..<2, using: &random) == 0 })
        if run.changed.isEmpty { run = UpdateBatch(metadata: metadata, changed: [1, 2]) }
        let step = Int64.random(in: -1...1, using: &random)
        var key = Int64.random(in: 1...100, using: &random)
        while key <= 600 {
          run.parameters += run.changed.map { Self.value($0, key, step, &random) } + [.integer(key)]
          run.count += 1
          key += Int.random(in: 0..<40, using: &random) == 0 ? 2 : 1
        }
        plan.steps.append(.updates(run))
      }
      let outcome = try outcome(on: planned) { _ = try planned.run(plan) }
      #expect(try outcome == self.outcome(on: byHand) { try runByHand(plan, on: byHand) })
      if outcome.error == nil { done += 1 }
      let sql: SQL = "SELECT * FROM Cell ORDER BY id"
      try #require(try planned.rows(sql) == byHand.rows(sql))
    }
    // With conflict clauses that replace rows, every run has an update that finds no row.
    if table != 3 { #expect(done > 0) }
  }

  private func runByHand(_ plan: FlushPlan, on connection: Connection) throws {
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    for case .updates(let run) in plan.steps {
      let changes = run.changed.map { "\"\(run.metadata.columns[$0].name)\" = ?" }
      let sql = "UPDATE \"Cell\" SET \(changes.joined(separator: ", ")) WHERE \"id\" = ?"
      for row in 0..<run.count {
        let values = run.parameters[row * run.width..<(row + 1) * run.width]
        guard try connection.run(SQL(unsafe: sql), values: Array(values)).count == 0 else {
          continue
        }
        throw RelationError(.missingRow, "", key: run.key(of: row).map { "\($0)" }.joined())
      }
    }
  }

  private struct Outcome: Equatable {
    var error: String?
    /// The keys of the updated rows, in order.
    var keys: [Int64] = []
  }

  private func outcome(
    on connection: Connection, _ body: () throws -> Void
  ) throws -> Outcome {
    let keys = Mutex<[Int64]>([])
    let subscription = try connection.hooks.update { _, table, rowID in
      if table.name == "Cell" { keys.withLock { $0.append(rowID.rawValue) } }
    }
    defer { connection.hooks.remove(subscription) }
    do {
      try connection.transaction { try body() }
      return Outcome(keys: keys.withLock { $0 })
    } catch let error as RelationError {
      return Outcome(error: "\(error.code) \(error.key ?? "")")
    } catch let error as SQLiteError {
      return Outcome(error: "\(error.code) \(error.message) \(error.sql ?? "")")
    }
  }

  private static func value(
    _ column: Int, _ key: Int64, _ step: Int64, _ random: inout ModelRandom
  ) -> SQLiteValue {
    // Most values are unique.
    if column == 2, Int.random(in: 0..<400, using: &random) > 0 { return .integer(key + step) }
    if column == 3, Int.random(in: 0..<400, using: &random) > 0 { return .null }
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: column == 1 ? .text("") : .null
    case 1: column == 1 ? .text("0") : .integer(Int64.random(in: -500...500, using: &random))
    case 2:
      column == 1 ? .text("1.5") : .real(Double(Int.random(in: 0..<1_000, using: &random)) / 8)
    case 3: .text("\(Int.random(in: 0..<100, using: &random))")
    case 4: .text("text\0\(Int.random(in: 0..<100, using: &random))")
    default: column == 1 ? .text("é") : .blob([UInt8.random(in: 0...255, using: &random), 0])
    }
  }

  @Test func `are used to save many models`() async throws {
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
      // If a row is missing, the error has its key, and no row is written.
      for model in models { model.value.b = 0 }
      try await session.elsewhere("DELETE FROM MyPlain WHERE id = 500")
      let error = await #expect(throws: RelationError.self) { try await session.save(models) }
      #expect(error?.key == "500")
      #expect(try await session.rows("SELECT count(*) FROM MyPlain WHERE b = 0") == [[0]])
    }
  }
}
