import Providers
import SQLiteCore
import Testing

@Suite struct `A copy to existing tables` {
  private struct Interruption: Error {}

  private func provider(_ sql: String) throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    if !sql.isEmpty { try provider.execute(SQL(unsafe: sql)) }
    return provider
  }

  private func values(_ provider: some DataProvider, _ sql: String) throws -> [[SQLiteValue]] {
    try provider.query(SQL(unsafe: sql)).map(\.values)
  }

  @Test(arguments: [
    "INSERT INTO x VALUES (100)", "UPDATE x SET a = 7", "DELETE FROM x",
    "ALTER TABLE x RENAME COLUMN a TO b", "DROP TABLE x; CREATE TABLE x (a)",
  ])
  func `is not continued if they have other rows than it wrote`(
    _ change: String
  ) throws {
    let source = try provider("CREATE TABLE x (a); INSERT INTO x VALUES (1), (2), (3)")
    let target = try provider("")
    #expect(throws: Interruption.self) {
      try DataTransfer(batchSize: 1).copy(from: source, to: target) { _ in throw Interruption() }
    }
    try target.execute(SQL(unsafe: change))
    let before = try values(target, "SELECT rowid, * FROM x")
    let error = #expect(throws: ProviderError.self) {
      try DataTransfer(existingTables: .continued).copy(from: source, to: target)
    }
    #expect(error?.code == .tableExists && error?.table == "x")
    #expect(try values(target, "SELECT rowid, * FROM x") == before)
  }

  @Test func `can't be continued after appending`() throws {
    let source = try provider("CREATE TABLE x (a); INSERT INTO x VALUES (1), (2), (3)")
    let target = try provider("CREATE TABLE x (a); INSERT INTO x VALUES (100)")
    #expect(throws: Interruption.self) {
      try DataTransfer(existingTables: .appended, batchSize: 1).copy(from: source, to: target) {
        _ in throw Interruption()
      }
    }
    let error = #expect(throws: ProviderError.self) {
      try DataTransfer(existingTables: .continued).copy(from: source, to: target)
    }
    #expect(error?.code == .tableExists)
    #expect(try values(target, "SELECT a FROM x") == [[100], [1]])
    #expect(try target.tableNames() == ["x"])
  }

  @Test func `is refused before it writes if a table is not its own`() throws {
    let source = try provider("CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (x)")
    let target = try provider("CREATE TABLE b (x); INSERT INTO b VALUES (5)")
    let error = #expect(throws: ProviderError.self) {
      try DataTransfer(existingTables: .continued).copy(from: source, to: target)
    }
    #expect(error?.code == .tableExists && error?.table == "b")
    #expect(try target.tableNames() == ["b"])
    #expect(try values(target, "SELECT x FROM b") == [[5]])
  }

  @Test func `can be continued with a table without rows`() throws {
    let source = try provider("CREATE TABLE x (a CHECK (a < 3)); INSERT INTO x VALUES (1), (2)")
    try source.database().writeWithoutTransaction { connection in
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      try connection.execute("UPDATE x SET a = 5 WHERE a = 1")
    }
    let target = try provider("")
    #expect(throws: SQLiteError.self) { try DataTransfer().copy(from: source, to: target) }
    try source.execute("UPDATE x SET a = 1 WHERE a = 5")
    try DataTransfer(existingTables: .continued).copy(from: source, to: target)
    #expect(try values(target, "SELECT a FROM x") == [[1], [2]])
    #expect(try target.tableNames() == ["x"])
  }

  @Test func `leaves no record if appending fails`() throws {
    let source = try provider("CREATE TABLE x (a); INSERT INTO x VALUES (1)")
    let target = try provider(
      "CREATE TABLE x (a CHECK (a > 5)); CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)"
    )
    #expect(throws: SQLiteError.self) {
      try DataTransfer(existingTables: .appended).copy(from: source, to: target)
    }
    #expect(try target.tableNames() == ["c", "p", "x"])
    #expect(throws: SQLiteError.self) { try target.execute("INSERT INTO c VALUES (9)") }
  }

  @Test func `copies no sequence if the target's table has none`() throws {
    let source = try provider(
      "CREATE TABLE x (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO x (a) VALUES (1)")
    let plain = try provider("CREATE TABLE x (id INTEGER PRIMARY KEY, a)")
    try DataTransfer(existingTables: .appended).copy(from: source, to: plain)
    #expect(try values(plain, "SELECT id, a FROM x") == [[1, 1]])
    let counting = try provider(
      "CREATE TABLE x (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO x (id) VALUES (9)")
    try DataTransfer(existingTables: .appended).copy(from: source, to: counting)
    #expect(try counting.execute("INSERT INTO x (a) VALUES (2)") == 10)
  }

  @Test func `copies a table once, even if it is named repeatedly`() throws {
    let source = try provider("CREATE TABLE x (a); INSERT INTO x VALUES (1)")
    let target = try provider("CREATE TABLE x (a)")
    let report = try DataTransfer(tables: ["x", "X", "x"], existingTables: .appended).copy(
      from: source, to: target)
    #expect(report.tables.count == 1 && report.rowCount == 1)
    #expect(try target.countRows(inTable: "x") == 1)
  }

  @Test func `fires no existing trigger`() throws {
    let schema = """
      CREATE TABLE x (a); CREATE TABLE log (b);
      CREATE TRIGGER t AFTER INSERT ON x BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE TRIGGER u BEFORE INSERT ON log WHEN new.b > 5 BEGIN SELECT RAISE(ABORT, 'no'); END
      """
    let source = try provider(schema)
    try source.execute("INSERT INTO x VALUES (1), (2)")
    let target = try provider(schema)
    try DataTransfer(existingTables: .appended).copy(from: source, to: target)
    #expect(try values(target, "SELECT b FROM log") == [[1], [2]])
    // They are enabled again.
    #expect(throws: SQLiteError.self) { try target.execute("INSERT INTO log VALUES (6)") }
  }

  @Test(arguments: [(0, 2, [0]), (1, 2, [1]), (2, 2, [2]), (4, 2, [2, 4]), (5, 2, [2, 4, 5])])
  func `reports each batch once`(_ rows: Int, _ batch: Int, _ steps: [Int]) throws {
    let source = try provider("CREATE TABLE x (a)")
    for row in 0..<rows { try source.execute("INSERT INTO x VALUES (\(row))") }
    var told: [Int] = []
    try DataTransfer(batchSize: batch).copy(from: source, to: provider("")) {
      told.append($0.tableRows)
    }
    #expect(told == steps)
  }
}
