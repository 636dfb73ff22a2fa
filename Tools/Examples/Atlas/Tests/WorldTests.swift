import Primitives
import QueryGen
import Relations
import SQLiteCore
import Testing

@testable import Atlas

@Suite struct `The world as values` {
  /// Records the `SELECT` statements that a database runs.
  private final class StatementLog: Sendable {
    let statements = Mutex<[String]>([])

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.prepare = { connection in
        try connection.hooks.trace { event in
          guard case .statement(let sql, _) = event, sql.hasPrefix("SELECT") else { return }
          self.statements.withLock { $0.append(sql) }
        }
      }
      return configuration
    }
  }

  /// Returns a session on the imported fixture.
  private func session(_ fixture: Fixture, _ log: StatementLog = StatementLog()) throws
    -> ModelSession
  {
    let database = try Database(path: fixture.database, configuration: log.configuration)
    let db = try DB(database: database)
    try database.writeWithoutTransaction { connection in
      _ = try Importer(db: db, folders: fixture.folders, report: { _ in }).run(on: connection)
    }
    return ModelSession(database, schema: .explicit)
  }

  @Test func `is loaded with one statement for each relation and level`() async throws {
    let log = StatementLog()
    let fixture = try Fixture()
    defer { withExtendedLifetime(fixture) {} }
    let session = try session(fixture, log)
    try await session.prepare(World.Country.self)
    log.statements.withLock { $0 = [] }
    let countries = try await World.countries(["BE", "CH"], in: session)
    let statements = log.statements.withLock { $0 }
    #expect(statements.count == 5, "\(statements)")
    #expect(countries.map(\.displayName) == ["Belgium", "Switzerland"])
    #expect(try countries[0].subdivisions.loaded().map(\.code) == ["BE-VAN", "BE-VLG"])
    #expect(try countries[0].subdivisions.loaded()[1].parts.loaded().map(\.code) == ["BE-VAN"])
    #expect(
      try countries.map { try $0.zones.loaded().map(\.name) }
        == [["Europe/Brussels", "Europe/Zurich"], ["Europe/Zurich"]])
    #expect(
      try countries.map { try $0.currencies.loaded().map(\.alpha3) } == [[], ["CHF"]])
  }

  @Test func `distinguishes codes of languages, of families and of neither`() async throws {
    let fixture = try Fixture()
    defer { withExtendedLifetime(fixture) {} }
    let session = try session(fixture)
    let codes = try await World.libraryCodes(["deu", "gem", "him"], in: session)
    #expect(try codes.map { try $0.language.loaded()?.name } == ["German", nil, nil])
    #expect(try codes.map { try $0.family.loaded()?.name } == [nil, "Germanic languages", nil])
    let german = try await session.fetch(World.Language.self, "deu")
    try await german.codes.fetch()
    #expect(german.codes.items.map(\.code) == ["deu"])
  }

  @Test(
    arguments: [
      ("vla", ["Vlaams Gewest"]), ("zur", ["Zürich"]), ("\"", []), ("nowhere", []), ("", []),
    ] as [(String, [String])])
  func `is found by typed text`(text: String, names: [String]) async throws {
    let fixture = try Fixture()
    defer { withExtendedLifetime(fixture) {} }
    let session = try session(fixture)
    try await session.use {
      let query = World.subdivisions(named: text, page: 3)
      try await query.fetchItems()
      #expect(query.items.map(\.name) == names)
      #expect(!query.hasMore)
    }
  }
}
