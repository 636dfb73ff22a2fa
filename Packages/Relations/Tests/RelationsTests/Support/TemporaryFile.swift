import Relations
import SQLiteCore

/// A database file for one test, deleted with its related files when the test releases it.
final class TemporaryFile: Sendable {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  var path: String { "\(folder.path)/test.sqlite" }

  func open() throws -> Database { try Database(path: path) }

  /// Opens a connection that is independent of all sessions.
  func connect() throws -> Connection { try Connection(path: path) }
}

/// Calls `body` with a session of a file, which applies to all types, and with the file.
func withFile<Result>(
  saveDelay: Duration = .milliseconds(10),
  _ body: (ModelSession, TemporaryFile) async throws -> Result
) async throws -> Result {
  let file = try TemporaryFile()
  let session = ModelSession(try file.open(), saveDelay: saveDelay)
  defer { session.database.close() }
  return try await session.use { try await body(session, file) }
}
