import Foundation
import SQLiteCore
import Primitives

/// Runs `body` with a new database of players, which is closed and removed afterwards.
func withPlayers<Result>(_ body: (Database) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("publishing-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let database = try Database(path: folder.appendingPathComponent("test.sqlite").path)
  defer { database.close() }
  try await database.run(
    """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO player VALUES (1, 'Ada'), (2, 'Bob');
    """)
  return try await body(database)
}

let fetchNames: @Sendable (Connection) throws -> [String] = {
  try $0.values(String.self, "SELECT name FROM player ORDER BY name")
}

let fetchCount: @Sendable (Connection) throws -> Int = {
  try $0.value(Int.self, "SELECT count(*) FROM player") ?? 0
}

extension Database {
  /// Runs a script, without a transaction except its own.
  func run(_ script: String) async throws {
    try await writeWithoutTransaction { try $0.execute(SQL(unsafe: script)) }
  }

  func addPlayer() async throws { try await run("INSERT INTO player (name) VALUES ('Cy')") }
}

/// A number shared by tasks.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add(_ more: Int = 1) { number.add(more, ordering: .acquiringAndReleasing) }
}
