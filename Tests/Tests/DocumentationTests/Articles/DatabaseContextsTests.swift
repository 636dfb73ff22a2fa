import Observe
import SQLiteCore
import Testing

struct PlayerRepository: TopLevelDatabaseReader {
  private let writer: any DatabaseWriter

  init(_ writer: any DatabaseWriter) { self.writer = writer }

  /// Provides a read-only access to the database.
  var reader: any DatabaseReader { writer }

  func deletePlayers() throws {
    try writer.write { try $0.run("DELETE FROM player") }
  }
}

struct PlayerNames: ValueObservationQueryable {
  typealias Context = PlayerRepository

  static var defaultValue: [String] { [] }

  func fetch(_ db: Connection) throws -> [String] {
    try db.values(String.self, "SELECT name FROM player ORDER BY name")
  }
}

@MainActor @Suite struct `The article on contexts` {
  @Test func `has a repository that runs requests`() async throws {
    let database = try Database.inMemory()
    try await database.write {
      try $0.execute("CREATE TABLE player (name TEXT); INSERT INTO player VALUES ('Ada')")
    }
    let printRecorder = PrintRecorder()
    @Sendable func print(_ names: [String]) { printRecorder.add([names]) }
    let task = Task {
      let controller = QueryController(PlayerNames(), in: PlayerRepository(database))
      for await names in controller.values { print(names) }
    }
    await printRecorder.wait(for: #"["Ada"]"#)
    try PlayerRepository(database).deletePlayers()
    await printRecorder.wait(for: "[]")
    task.cancel()
    await task.value
  }
}
