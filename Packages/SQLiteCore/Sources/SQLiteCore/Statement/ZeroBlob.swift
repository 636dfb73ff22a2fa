/// A blob of zeros, to be filled in later through a ``Blob``.
///
/// ```swift
/// try connection.run("INSERT INTO file (content) VALUES (?)", ZeroBlob(count: 50_000_000))
/// ```
///
/// Binding it takes no memory, and storing it at the end of its row none either.
public struct ZeroBlob: SQLiteBindable, Hashable, Sendable {
  /// The number of bytes.
  public let count: Int

  public init(count: Int) { self.count = count }

  /// A BLOB of as many zeros, in memory.
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
      throw SQLiteError(code: .valueOutOfRange, message: "a blob can't have \(count) bytes")
    }
  }

  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/tooBig`` for more bytes than a value may have, with
  ///   ``SQLiteError/Code/valueOutOfRange`` for fewer than none.
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    do throws(SQLiteError) { try requireCount() } catch { throw error.inStatement(statement.sql) }
    // Resets the statement, and refuses a number that it has no parameter for.
    try statement.bindNull(at: index)
    let code = statement.handle.cursor.bindZeros(
      count: count, at: Int32(clamping: index.rawValue))
    if code != 0 { throw statement.error(code) }
  }
}
