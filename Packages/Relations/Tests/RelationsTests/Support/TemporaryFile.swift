import Foundation
import Relations
import SQLiteCore

/// A database file of its own for one test, removed when the test lets it go.
final class TemporaryFile: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/holt-\(UUID().uuidString).sqlite"
  }

  deinit {
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
  }

  func open() throws -> Database { try Database(path: path) }

  /// A connection that has nothing to do with any session.
  func connect() throws -> Connection { try Connection(path: path) }
}

/// Runs `body` with a session of a file as the one of all types, and with the file.
func withFile<Result>(
  saveDelay: Duration = .milliseconds(10),
  _ body: (ModelSession, TemporaryFile) async throws -> Result
) async throws -> Result {
  let file = try TemporaryFile()
  let session = ModelSession(try file.open(), saveDelay: saveDelay)
  return try await session.use { try await body(session, file) }
}
