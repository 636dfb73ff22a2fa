import Relations
import SQLiteCore

/// A database file for one test, removed with all that is kept beside it when the test lets it go.
final class TemporaryFile: Sendable {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  var path: String { "\(folder.path)/test.sqlite" }

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
  defer { session.database.close() }
  return try await session.use { try await body(session, file) }
}
