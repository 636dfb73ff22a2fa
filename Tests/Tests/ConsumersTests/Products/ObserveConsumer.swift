// Prints: [[], ["Ada"]]
import Observe
import SQLiteCore

/// An app that only uses Observe.
enum ObserveConsumer {
  static func run() async throws -> String {
    let database = try Database.inMemory()
    try await database.write { try $0.execute("CREATE TABLE player (name TEXT NOT NULL)") }
    let players = database.observe { connection in
      try connection.values(String.self, "SELECT name FROM player")
    }
    var seen: [[String]] = []
    for try await names in players {
      seen.append(names)
      if names == ["Ada"] { break }
      try await database.write { try $0.execute("INSERT INTO player VALUES ('Ada')") }
    }
    return "\(seen)"
  }
}
