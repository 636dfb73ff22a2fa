import Foundation
import SQLiteCore

/// A directory for one test, which is removed when this object is released.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("holt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "test.sqlite") -> String { "\(path)/\(name)" }

  /// Opens a connection to the directory's database file.
  func connect(_ configuration: Configuration = Configuration()) throws -> Connection {
    try Connection(path: file(), configuration: configuration)
  }

  /// Opens the directory's database file as a `Database`.
  func open(_ configuration: Configuration = Configuration()) throws -> Database {
    try Database(path: file(), configuration: configuration)
  }
}

/// Opens an in-memory database, and runs a script.
func memory(_ script: SQL = "", _ configure: (inout Configuration) -> Void = { _ in }) throws
  -> Connection
{
  var configuration = Configuration()
  configure(&configuration)
  let connection = try Connection.inMemory(configuration: configuration)
  try connection.execute(script)
  return connection
}

/// An error that tests throw from closures.
struct Failure: Error, Hashable, CustomStringConvertible {
  var name = "failure"

  var description: String { name }
}

/// A recursive query that would run for minutes.
let endlessQuery =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

extension TemporaryDirectory {
  /// Opens a connection with a configuration that `configure` changes.
  func connect(_ configure: (inout Configuration) -> Void) throws -> Connection {
    var configuration = Configuration()
    configure(&configuration)
    return try connect(configuration)
  }

  /// Opens the database with a configuration that `configure` changes.
  func open(_ configure: (inout Configuration) -> Void) throws -> Database {
    var configuration = Configuration()
    configure(&configuration)
    return try open(configuration)
  }
}

/// Writes a file that is not a database, but long enough to be one.
func writeGarbage(to path: String) throws {
  try String(repeating: "This is not a database. ", count: 100)
    .write(toFile: path, atomically: true, encoding: .utf8)
}

extension Connection {
  /// Returns the number of rows of a table.
  func count(_ table: String) throws -> Int? {
    try value(Int.self, "SELECT count(*) FROM \(identifier: table)")
  }
}
