import Observe
import SQLiteCore
import SwiftUI
import Testing

private struct CountRequest: ValueObservationQueryable {
  static var defaultValue: Int { -1 }

  func fetch(_ db: Connection) throws -> Int {
    try db.value(Int.self, "SELECT count(*) FROM player") ?? 0
  }
}

private struct CountView: View {
  @Query(CountRequest()) var count: Int

  var body: some View { Text($count.error.map { "\($0)" } ?? "\(count) players") }
}

@MainActor @Suite struct `The first steps of the seed's views` {
  private func makeDatabase() throws -> Database {
    let database = try Database.inMemory()
    try database.write {
      try $0.execute("CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    return database
  }

  @Test func `write through the repository in the environment`() async throws {
    let database = try makeDatabase()
    let repository = PlayerRepository(database)
    #expect(try repository.insert(Player(name: "Ada")) == Player(id: 1, name: "Ada"))
    let host = Host { MyView().playerRepository(repository) }
    #expect(host.render() == ["Delete Players"])
    host.press("Delete Players")
    #expect(
      try await database.read { try $0.value(Int.self, "SELECT count(*) FROM player") } == 0)
    _ = MyApp().body
  }

  /// This is the state in the seed before it restores read-only access.
  @Test func `leave queries without a database`() throws {
    let repository = PlayerRepository(try makeDatabase())
    let host = Host { CountView().playerRepository(repository) }
    #expect(host.render() == ["\(DatabaseContextError.notConnected)"])
  }
}
