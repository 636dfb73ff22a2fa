import Foundation
import SQLiteCore

/// A directory of its own for one test, removed when the test lets it go.
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

  /// A connection to the directory's database file.
  func connect(_ configuration: Configuration = Configuration()) throws -> Connection {
    try Connection(path: file(), configuration: configuration)
  }

  /// The directory's database file, opened for many.
  func open(_ configuration: Configuration = Configuration()) throws -> Database {
    try Database(path: file(), configuration: configuration)
  }
}

/// A connection in memory on which a script has run.
func memory(_ script: SQL = "", _ configure: (inout Configuration) -> Void = { _ in }) throws
  -> Connection
{
  var configuration = Configuration()
  configure(&configuration)
  let connection = try Connection.inMemory(configuration: configuration)
  try connection.execute(script)
  return connection
}

/// A failure of a test's own, to be thrown through the library.
struct Failure: Error, Hashable, CustomStringConvertible {
  var name = "failure"

  var description: String { name }
}

/// A recursive query that would run for minutes.
let endlessQuery =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

extension TemporaryDirectory {
  /// A connection whose configuration is changed first.
  func connect(_ configure: (inout Configuration) -> Void) throws -> Connection {
    var configuration = Configuration()
    configure(&configuration)
    return try connect(configuration)
  }

  /// The database opened with a configuration that is changed first.
  func open(_ configure: (inout Configuration) -> Void) throws -> Database {
    var configuration = Configuration()
    configure(&configuration)
    return try open(configuration)
  }
}

/// A file that is long enough for a database and is none.
func writeGarbage(to path: String) throws {
  try String(repeating: "This is not a database. ", count: 100)
    .write(toFile: path, atomically: true, encoding: .utf8)
}

extension Connection {
  /// The number of rows of a table.
  func count(_ table: String) throws -> Int? {
    try value(Int.self, "SELECT count(*) FROM \(identifier: table)")
  }
}
