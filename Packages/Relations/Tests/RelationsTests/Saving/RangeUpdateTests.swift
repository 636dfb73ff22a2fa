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
  /// Has each row be updated by itself.
  static let triggerSQL = "CREATE TRIGGER alone AFTER UPDATE ON Cell BEGIN SELECT 1; END"
}

private struct Sketch: Table {
  static let tableName = "Sketch"
  static let versionColumn: String? = "version"
  var id = 0
  var text = ""
  var version = 0
}

@Suite struct `Updates of rows whose keys follow one another` {
  /// A database of cells whose keys are some integers.
  private func cells(
    _ keys: some Sequence<Int64>, _ sql: [String] = [Cell.createSQL], b: String = "0"
  ) throws -> Connection {
    let connection = try Connection.inMemory()
    for statement in sql { try connection.execute(SQL(unsafe: statement)) }
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, 'old', \(unsafe: b) FROM holt_array(?)",
      SQLiteArray(keys))
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
    #expect(try updates(try plan(keys.reversed()), on: connection) == keys.count)
  }

  @Test func `are so from a number of rows on`() throws {
    let connection = try cells(1...500)
    #expect(try updates(try plan(1...255), on: connection) == 255)
    #expect(try updates(try plan(1...256), on: connection) == 1)
    let ends = [Int64](stride(from: 11, to: 500, by: 2)) + [500]
    #expect(try updates(try plan([Int64](1...7) + ends + ends), on: connection) == 7 + 2 * 246)
    #expect(try updates(try plan([Int64](1...8) + ends + ends), on: connection) == 1 + 2 * 246)
  }

  @Test(arguments: [Int64.min...(.min + 300), (.max - 300)...Int64.max])
  func `have any keys`(_ keys: ClosedRange<Int64>) throws {
    let connection = try cells(keys)
    let all = Array(keys)
    #expect(try updates(try plan(all), on: connection) == 1)
    #expect(try wrong(connection, all) == [])
    // Behind others in their run, whose keys are no range: the first row's would be no integer.
    let ends: [Int64] = [0, 2, 4, 6]
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, '', 0 FROM holt_array(?)", SQLiteArray(ends))
    try connection.run("UPDATE Cell SET b = 0")
    let isFirst = keys.lowerBound == .min
    #expect(try updates(try plan(ends + all), on: connection) == 4 + (isFirst ? 301 : 1))
    #expect(try wrong(connection, ends + all) == [])
  }

  /// Schemas whose tables are updated row by row.
  private static let others: [[String]] = [
    [Cell.createSQL, Cell.triggerSQL],
    [Cell.createSQL, Cell.triggerSQL.replacing("TRIGGER alone", with: "TEMP TRIGGER alone")],
    [Cell.createSQL.replacing("INTEGER PRIMARY KEY", with: "INT PRIMARY KEY")],
    [Cell.createSQL.replacing("INTEGER PRIMARY KEY", with: "INTEGER PRIMARY KEY DESC")],
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

  @Test(arguments: others)
  func `are updates of each row where its key may be another, or triggers tell of it`(
    _ schema: [String]
  ) throws {
    let connection = try cells(1...300, schema)
    let hasOthers = schema.count == 1
    if hasOthers { try connection.run("INSERT INTO Cell (id, a, b) VALUES (5.5, 'between', 0)") }
    #expect(try updates(try plan(1...300), on: connection) == 300)
    #expect(try wrong(connection, 1...300) == [])
    if hasOthers {
      #expect(
        try connection.rows("SELECT id, a, b FROM Cell WHERE a = 'between'")
          == [[.real(5.5), .text("between"), .integer(0)]])
    }
  }

  @Test func `are updates of each row where SQLite would look for them otherwise`() throws {
    let connection = try cells(1...1)
    try connection.execute("ANALYZE")
    try connection.run(
      "INSERT INTO Cell (id, a, b) SELECT value, '', 0 FROM holt_array(?)", SQLiteArray(2...300))
    // It takes the table for one of a single row, and would go over all of it for each range.
    #expect(try updates(try plan(1...300), on: connection) == 300)
    try connection.execute("ANALYZE; PRAGMA reverse_unordered_selects = ON")
    #expect(try updates(try plan(1...300), on: connection) == 300)
    try connection.execute("PRAGMA reverse_unordered_selects = OFF")
    #expect(try updates(try plan(1...300), on: connection) == 1)
    try connection.setLimit(.variableCount, to: 3)
    #expect(try updates(try plan(1...300), on: connection) == 300)
    #expect(try wrong(connection, 1...300) == [])
  }

  @Test(arguments: [Authorization.deny, .ignore])
  func `are updates of each row where an authorizer has none of the function`(
    _ answer: Authorization
  ) throws {
    let connection = try cells(1...300)
    try connection.hooks.authorize { request in
      request.second == "holt_item" ? answer : .allow
    }
    #expect(try updates(try plan(1...300), on: connection) == 300)
    #expect(try wrong(connection, 1...300) == [])
  }

  @Test func `are updates of each row where the key is changed, or a version is held against it`()
    throws
  {
    let connection = try cells(1...300)
    var run = UpdateRun(shape: try TableShape.of(Cell.self), changed: [0])
    run.parameters = (1...300).flatMap { [.integer(-$0), .integer($0)] }
    run.count = 300
    #expect(try updates(SavePlan(steps: [.updates(run)]), on: connection) == 300)
    #expect(try connection.value(Int.self, "SELECT max(id) FROM Cell") == -1)

    try connection.execute(
      "CREATE TABLE Sketch (id INTEGER PRIMARY KEY, text TEXT, version INTEGER)")
    try connection.run(
      "INSERT INTO Sketch SELECT value, '', 1 FROM holt_array(?)", SQLiteArray(1...300))
    var drafts = UpdateRun(shape: try TableShape.of(Sketch.self), changed: [1])
    drafts.parameters = (1...300).flatMap { [.text("new"), .integer($0), .integer(1)] }
    drafts.count = 300
    #expect(try updates(SavePlan(steps: [.updates(drafts)]), on: connection) == 300)
    #expect(
      try connection.rows("SELECT DISTINCT text, version FROM Sketch") == [[.text("new"), 2]])
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

  /// Tables of which not every update of a row does what it says, and no more.
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
  func `write what updates of each row write, or fail alike`(_ table: Int) throws {
    print("Range updates: seed \(Self.seed), table \(table)")
    var random = ModelRandom(seed: Self.seed + UInt64(table))
    let shape = try TableShape.of(Cell.self)
    var ranged = 0
    for _ in 0..<30 {
      let keys = (1...600).map(Int64.init).filter { _ in Int.random(in: 0..<900, using: &random) > 0
      }
      let ranges = try cells(keys, Self.tables[table], b: "value")
      let singles = try cells(keys, Self.tables[table], b: "value")
      for connection in [ranges, singles] {
        try connection.execute("PRAGMA foreign_keys = ON")
      }
      // Short runs are updated row by row.
      var (plan, short) = (SavePlan(), SavePlan())
      for _ in 0..<2 {
        var run = UpdateRun(
          shape: shape,
          changed: (1...4).filter { _ in Int.random(in: 0..<2, using: &random) == 0 })
        if run.changed.isEmpty { run = UpdateRun(shape: shape, changed: [1, 2]) }
        let step = Int64.random(in: -1...1, using: &random)
        var key = Int64.random(in: 1...100, using: &random)
        while key <= 600 {
          run.parameters += run.changed.map { Self.value($0, key, step, &random) } + [.integer(key)]
          run.count += 1
          key += Int.random(in: 0..<40, using: &random) == 0 ? 2 : 1
        }
        plan.steps.append(.updates(run))
        for first in stride(from: 0, to: run.count, by: 100) {
          var part = run
          part.count = min(100, run.count - first)
          part.parameters = Array(
            run.parameters[first * run.width..<(first + part.count) * run.width])
          short.steps.append(.updates(part))
        }
      }
      let count = Mutex(0)
      let (done, wanted) = (try result(plan, ranges, count), try result(short, singles, Mutex(0)))
      #expect(done == wanted)
      if done.error == nil, count.withLock({ $0 }) < 500 { ranged += 1 }
      let sql = "SELECT * FROM Cell ORDER BY id"
      try #require(try ranges.rows(SQL(unsafe: sql)) == singles.rows(SQL(unsafe: sql)))
    }
    // Where foreign keys and triggers have their say, each row is updated by itself.
    if table != 3, table != 5 { #expect(ranged > 0) }
  }

  private struct Outcome: Equatable {
    var error: String?
    /// The keys of the rows that were updated, in their order.
    var keys: [Int64] = []
  }

  private func result(
    _ plan: SavePlan, _ connection: Connection, _ count: borrowing Mutex<Int>
  ) throws -> Outcome {
    let keys = Mutex<[Int64]>([])
    let subscription = try connection.hooks.update { _, table, rowID in
      if table.name == "Cell" { keys.withLock { $0.append(rowID.rawValue) } }
    }
    defer { connection.hooks.remove(subscription) }
    do {
      let number = try updates(plan, on: connection)
      count.withLock { $0 = number }
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
    // Most are not one another's.
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
