/// A blob of zeros, to be written later through a ``Blob``.
///
/// ```swift
/// try connection.run("INSERT INTO file (content) VALUES (?)", ZeroBlob(count: 50_000_000))
/// ```
///
/// Binding it uses no memory. Storing it uses none either if it is the last value of its row.
public struct ZeroBlob: SQLiteBindable, Hashable, Sendable {
  /// The number of bytes.
  public let count: Int

  public init(count: Int) { self.count = count }

  /// A BLOB of zeros in memory.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` for a negative count.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      try requireCount()
      return .blob([UInt8](repeating: 0, count: count))
    }
  }

  private func requireCount() throws(SQLiteError) {
    guard count >= 0 else {
      throw SQLiteError(
        code: .valueOutOfRange, message: "a blob's size can't be negative: \(count)")
    }
  }

  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/tooBig`` if the count exceeds SQLite's
  ///   limit, with ``SQLiteError/Code/valueOutOfRange`` if it is negative.
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    do throws(SQLiteError) { try requireCount() } catch { throw error.inStatement(statement.sql) }
    // Resets the statement, and throws if there is no such parameter.
    try statement.bindNull(at: index)
    let code = statement.handle.cursor.bindZeros(
      count: count, at: Int32(clamping: index.rawValue))
    if code != 0 { throw statement.error(code) }
  }
}
