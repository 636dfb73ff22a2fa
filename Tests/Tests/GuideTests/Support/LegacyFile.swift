import Foundation
import SQLiteCore

/// A database file written by another library, in a temporary directory.
struct LegacyFile {
  let path: String

  private static let directory: URL = {
    let url = FileManager.default.temporaryDirectory.appending(path: "holt-guides-\(UUID())")
    atexit { try? FileManager.default.removeItem(at: LegacyFile.directory) }
    return url
  }()

  /// - Parameter script: The SQL that the library runs.
  init(_ script: String = "") throws {
    let directory = Self.directory
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appending(path: "\(UUID()).sqlite").path(percentEncoded: false)
    var configuration = Configuration()
    // Other libraries use SQLite's defaults.
    configuration.journalMode = .delete
    configuration.trustsSchema = true
    configuration.allowsDoubleQuotedStrings = true
    configuration.enforcesForeignKeys = false
    let connection = try Connection(path: path, configuration: configuration)
    try connection.execute(SQL(unsafe: script))
    try connection.close()
  }
}
