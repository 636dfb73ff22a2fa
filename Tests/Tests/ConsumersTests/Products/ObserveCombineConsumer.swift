// Prints: ["Ada"]
import Observe
import ObserveCombine
import SQLiteCore

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// An app that uses ObserveCombine.
enum ObserveCombineConsumer {
  static func run() async throws -> String {
    let database = try Database.inMemory()
    try await database.write { db in
      try db.execute("CREATE TABLE player (name TEXT NOT NULL); INSERT INTO player VALUES ('Ada')")
    }
    let players = database.observe { connection in
      try connection.values(String.self, "SELECT name FROM player")
    }
    let (updates, continuation) = AsyncStream.makeStream(of: [String].self)
    let cancellable = players.publisher().replaceError(with: []).sink { continuation.yield($0) }
    defer { cancellable.cancel() }
    for await names in updates { return "\(names)" }
    return "nothing"
  }
}
