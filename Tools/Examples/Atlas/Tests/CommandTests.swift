import ArgumentParser
import QueryGen
import SQLiteCore
import Testing

@testable import Atlas

@Suite struct `The command` {
  private func run(_ fixture: Fixture) async throws {
    let folder = fixture.folders.isoCodes
    let command = try AtlasCommand.parse([
      "--database", fixture.database, "--iso-codes", folder, "--zones", folder,
    ])
    try await command.run()
  }

  @Test func `names the package of missing data`() async throws {
    let fixture = try Fixture()
    try fixture.remove(.zones)
    let error = try await #require(throws: (any Error).self) { try await run(fixture) }
    #expect("\(error)".contains("apt-get install tzdata"))
  }

  @Test func `rejects a database of a newer version`() async throws {
    let fixture = try Fixture()
    let db = try DB(path: fixture.database)
    try await db.database.write { connection in
      try connection.run("INSERT INTO holt_migration (name) VALUES ('999_moons')")
    }
    db.database.close()
    let error = try await #require(throws: (any Error).self) { try await run(fixture) }
    #expect("\(error)".contains("created by a newer version of the program"))
    #expect("\(error)".contains("999_moons"))
  }
}
