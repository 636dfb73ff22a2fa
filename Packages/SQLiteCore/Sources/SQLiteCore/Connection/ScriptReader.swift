/// The statements of a script, each compiled when those before it have run.
struct ScriptReader {
  private let text: SQLText
  private let connection: ConnectionHandle
  /// Where the rest begins.
  private var position = 0
  /// Where the last statement begins.
  private var start = 0

  init(_ script: String, _ connection: ConnectionHandle) throws(SQLiteError) {
    text = try SQLText(script)
    self.connection = connection
  }

  /// The next statement; `nil` where only space and comments are left.
  mutating func next() throws(SQLiteError) -> Statement? {
    while position < text.count {
      start = position
      var prepared = try compile()
      position = prepared.length > 0 ? start + prepared.length : text.count
      if let compiled = prepared.statement.take() {
        let sql = String(Substring(text.sql.utf8.dropFirst(start).prefix(prepared.length)))
        return Statement(
          sql: sql, handle: compiled, access: prepared.access, connection: connection)
      }
    }
    return nil
  }

  /// Compiles what begins at `start`.
  private func compile() throws(SQLiteError) -> ConnectionHandle.Prepared {
    do throws(SQLiteError) {
      return try connection.prepare(text, from: start, persistent: false)
    } catch {
      guard error.offset == nil else { throw error }
      let semicolon = text.bytes.firstIndex { $0 == 59 }
      throw located(error, end: semicolon ?? text.count)
    }
  }

  /// The error of the last statement, as an error of the script.
  func located(_ error: SQLiteError) -> SQLiteError { located(error, end: position) }

  /// A fault of which SQLite knows no offset is told to be where its statement begins, unless there is no other.
  private func located(_ error: SQLiteError, end: Int) -> SQLiteError {
    let isOnly = start == 0 && text.isSpace(from: end)
    let place =
      error.offset.map { start + $0.rawValue } ?? (isOnly ? nil : text.skippingSpace(from: start))
    return SQLiteError(
      code: error.code, message: error.message, sql: text.sql,
      offset: place.map { SQLiteError.ByteOffset(rawValue: $0) }, expandedSQL: error.expandedSQL,
      column: error.column)
  }
}
