import QueryGen
import SQLiteCore
import Testing

@testable import Atlas

@Suite struct `The importer` {
  /// Runs the importer on the fixture's database after the migrations.
  private func run(_ fixture: Fixture) throws -> Importer.State {
    let db = try DB(path: fixture.database)
    defer { db.database.close() }
    return try db.database.writeWithoutTransaction { connection in
      try Importer(db: db, folders: fixture.folders, report: { _ in }).run(on: connection)
    }
  }

  @discardableResult
  private func access<Result>(
    _ fixture: Fixture, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let database = try Database(path: fixture.database)
    defer { database.close() }
    _ = try DB(database: database)
    return try database.writeWithoutTransaction(body)
  }

  private func count(_ table: String, _ fixture: Fixture) throws -> Int? {
    try access(fixture) { try $0.value(Int.self, "SELECT count(*) FROM \(unsafe: table)") }
  }

  @Test(arguments: [
    ("country", 2), ("former_country", 1), ("subdivision", 3), ("language", 2),
    ("language_family", 1), ("library_code", 3), ("script", 1), ("currency", 1), ("zone", 2),
    ("zone_country", 3), ("name_index", 11), ("source", 9),
  ])
  func `fills every table`(table: String, rows: Int) throws {
    let fixture = try Fixture()
    #expect(try run(fixture) == .empty)
    #expect(try count(table, fixture) == rows)
  }

  @Test func `does not change a complete database`() throws {
    let fixture = try Fixture()
    _ = try run(fixture)
    try access(fixture) { try $0.run("DELETE FROM script") }
    #expect(try run(fixture) == .complete)
    #expect(try count("script", fixture) == 0)
  }

  @Test func `restarts an incomplete import`() throws {
    let fixture = try Fixture()
    _ = try run(fixture)
    try access(fixture) { connection in
      try connection.run("DELETE FROM source WHERE name = 'zones'")
      try connection.run("DELETE FROM zone_country")
    }
    #expect(try run(fixture) == .outdated)
    #expect(try count("zone_country", fixture) == 3)
    #expect(try count("name_index", fixture) == 11)
    #expect(try run(fixture) == .complete)
  }

  @Test func `imports a newer edition`() throws {
    let fixture = try Fixture()
    _ = try run(fixture)
    try fixture.write("{ \"15924\": [] }", to: .scripts)
    #expect(try run(fixture) == .outdated)
    #expect(try count("script", fixture) == 0)
  }

  @Test func `writes no rows if a source is invalid`() throws {
    let fixture = try Fixture()
    try fixture.write("{ \"4217\": [ { \"alpha_3\": \"CHF\" } ] }", to: .currencies)
    #expect(throws: AtlasError.self) { try run(fixture) }
    #expect(try count("country", fixture) == 0)
  }

  @Test func `keeps the sources imported before a constraint violation`() throws {
    let fixture = try Fixture()
    try fixture.write("XX\t+0000+00000\tNowhere/Land\n", to: .zones)
    let error = try #require(throws: SQLiteError.self) { try run(fixture) }
    #expect(error.code == .constraintForeignKey)
    #expect(try count("currency", fixture) == 1)
    #expect(try count("zone", fixture) == 0)
    try fixture.write(Fixture.texts[.zones] ?? "", to: .zones)
    #expect(try run(fixture) == .outdated)
    #expect(try count("zone", fixture) == 2)
  }

  @Test func `resolves parents, principal countries and library codes`() throws {
    let fixture = try Fixture()
    _ = try run(fixture)
    #expect(try text("SELECT parent FROM subdivision WHERE code = 'BE-VAN'", fixture) == "BE-VLG")
    #expect(
      try text(
        "SELECT country FROM zone_country WHERE zone = 'Europe/Zurich' AND position = 1", fixture)
        == "CH")
    #expect(
      try text(
        """
        SELECT group_concat(coalesce(language, family, 'neither'))
        FROM (SELECT * FROM library_code ORDER BY code)
        """, fixture) == "deu,gem,neither")
  }

  private func text(_ sql: String, _ fixture: Fixture) throws -> String? {
    try access(fixture) { try $0.value(String.self, SQL(unsafe: sql)) }
  }
}
