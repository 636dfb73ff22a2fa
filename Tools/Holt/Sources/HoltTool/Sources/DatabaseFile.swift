import Foundation
import SQLiteCore

/// A database file, which other programs may be using.
enum DatabaseFile {
  /// Opens a database for reading.
  ///
  /// - Throws: `SQLiteError` if the file is damaged; `ToolError` if it can't be opened.
  static func open(_ path: String) throws -> Connection {
    do {
      return try recovering(path) { try Connection(path: path, configuration: .reading) }
    } catch let error as SQLiteError where !IntegrityInspection.isDamage(error) {
      throw failure(error, path)
    }
  }

  /// Opens a database and reads its schema, so that later errors are not errors of opening.
  ///
  /// If a program ended while it was writing, its transaction is rolled back first, as every
  /// program that opens the database does.
  ///
  /// - Throws: `ToolError` if the file can't be read or recovered.
  static func check(_ path: String, writes: Bool) throws {
    do {
      // A missing file is created by writing.
      if !writes || OpenedFile.exists(path) {
        try recovering(path) {
          _ = try Connection(path: path, configuration: .reading)
            .value(Int.self, "SELECT count(*) FROM sqlite_master")
        }
      }
      if writes { _ = try Connection(path: path, configuration: .writing(path)) }
    } catch let error as SQLiteError {
      throw failure(error, path)
    }
  }

  /// Calls `body`, and a second time if the database has to be recovered first.
  static func recovering<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError
      where [readOnlyRollback, readOnlyRecovery].contains(error.code)
    {
      try recover(path, hasLog: error.code == readOnlyRecovery)
      return try body()
    }
  }

  // A read-only connection can't recover a database.
  private static let readOnlyRecovery = SQLiteError.Code(rawValue: 8 | 1 << 8)
  private static let readOnlyRollback = SQLiteError.Code(rawValue: 8 | 3 << 8)

  private static func recover(_ path: String, hasLog: Bool) throws {
    var configuration = Configuration.preservingSettings
    configuration.createsFile = false
    configuration.journalMode = hasLog ? .wal : .delete
    do {
      _ = try Connection(path: path, configuration: configuration)
        .value(Int.self, "SELECT count(*) FROM sqlite_master")
    } catch let error as SQLiteError where error.code.primary != .busy {
      let journal = path + (hasLog ? "-wal" : "-journal")
      throw ToolError(
        "a program ended while it was writing the database, which can't be recovered because the "
          + "file can't be written",
        file: path,
        hint: "copy \(path) and \(journal) to a folder that you may write to, or run the command "
          + "as a user who may write the file")
    }
  }

  private static func failure(_ error: SQLiteError, _ path: String) -> ToolError {
    let log = "\(path)-wal"
    guard error.code.primary == .cannotOpen, OpenedFile.exists(log) else {
      return ToolError(error.message, file: path)
    }
    return ToolError(
      "the database has a write-ahead log, and its folder can't be written", file: path,
      hint: "copy \(path) and \(log) to a folder that you may write to")
  }
}
