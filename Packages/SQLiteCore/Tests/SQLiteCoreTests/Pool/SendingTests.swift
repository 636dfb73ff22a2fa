import Testing

@testable import SQLiteCore

@Suite struct `The result of an access` {
  /// Deliberately not `Sendable`.
  private final class Shelf {
    var titles: [String] = []
  }

  /// Objects that belong to the connection can't be returned: `try await database.read { try $0.prepare("SELECT 1") }`
  /// does not compile, and neither does returning an object that is referenced outside.
  @Test(arguments: `A database`.Place.allCases)
  func `need not be Sendable`(_ place: `A database`.Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let written = try await database.write { db in
      let shelf = Shelf()
      shelf.titles.append("Emma")
      try db.run("INSERT INTO t VALUES (?)", "Emma")
      return shelf
    }
    let read = try await database.read { db in
      let shelf = Shelf()
      shelf.titles = try db.values(String.self, "SELECT a FROM t")
      return shelf
    }
    let followed = try await database.write { _ in
    } thenRead: { _, _ in
      Shelf()
    }
    let plain = try await database.writeWithoutTransaction { _ in Shelf() }
    let snapped = try await database.withSnapshot { try await $0.read { _ in Shelf() } }
    #expect(written.titles == read.titles)
    // The object belongs to this task now, which can send it on.
    #expect(await Task.detached { read.titles.count }.value == 1)
    #expect([followed, plain, snapped].allSatisfy { $0.titles.isEmpty })
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: `A database`.Place.allCases)
  func `can be returned by a closure stored in a variable`(
    _ place: `A database`.Place
  ) async throws {
    let (database, directory) = try `A database`.make(place)
    // Runs on the database's thread: the synchronous variant was not chosen.
    let isElsewhere: @Sendable (Connection) throws -> Bool = { _ in Task.currentID == nil }
    #expect(try await database.read(isElsewhere))
    #expect(try await database.write(isElsewhere))
    #expect(try await database.writeWithoutTransaction(isElsewhere))
    #expect(try await database.withSnapshot { try await $0.read(isElsewhere) })
    let shelf: @Sendable (Connection) throws -> sending Shelf = { _ in Shelf() }
    let shelves = [
      try await database.read(shelf), try await database.write(shelf),
      try await database.writeWithoutTransaction(shelf),
    ]
    #expect(shelves.count == 3)
    @Sendable func count(_ db: Connection) throws -> Int? { try db.count("t") }
    #expect(try await database.read(count) == 0)
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    let optional: Int? = try await database.read { try $0.count("t") }
    #expect(optional == 1)
    withExtendedLifetime(directory) {}
  }
}
