internal import CSQLite
internal import Primitives

extension SQLiteLibrary {
  /// What SQLite tells of: a code and its words.
  public typealias Logger = @Sendable (_ code: SQLiteError.Code, _ message: String) -> Void

  private struct LogState {
    var isInstalled = false
    var logger: Logger?
  }

  private static let log = Mutex(LogState())

  /// Sends SQLite's own reports to `logger`, for the whole process: errors that are found, files that
  /// were recovered, queries that made an index for themselves.
  ///
  /// Up to release 3.41, SQLite takes it before the first database is opened. Once it has been set, it may be replaced
  /// or taken away at any time. `logger` is called on any thread, in the middle of SQLite's work: it
  /// must not use SQLite.
  ///
  /// ```swift
  /// try SQLiteLibrary.setLogger { code, message in print("SQLite: \(code): \(message)") }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/alreadyInitialized`` where a database has
  ///   been opened in this process, or SQLite has been used otherwise, before the first call.
  public static func setLogger(_ logger: Logger?) throws(SQLiteError) {
    try log.withLock { (state) throws(SQLiteError) in
      if !state.isInstalled {
        guard logger != nil else { return }
        let rc = unsafe holt_config_log(logCallback)
        guard rc == SQLITE_OK else {
          throw SQLiteError(
            code: rc == SQLITE_MISUSE ? .alreadyInitialized : SQLiteError.Code(rawValue: rc),
            message: "the logger must be set before SQLite is first used")
        }
        state.isInstalled = true
      }
      state.logger = logger
    }
  }

  fileprivate static var logger: Logger? { log.withLock { $0.logger } }
}

private func logCallback(
  context: UnsafeMutableRawPointer?, code: Int32, message: UnsafePointer<CChar>?
) {
  guard let logger = SQLiteLibrary.logger else { return }
  let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
  logger(SQLiteError.Code(rawValue: code), text)
}
