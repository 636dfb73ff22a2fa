/// A failure of the engine, or of a use of it that this package refuses.
///
/// Branch on ``code``, show ``message`` to a person. An error holds no bound value unless
/// ``Configuration/showsValuesInErrors`` asks for them.
public struct SQLiteError: Error, Hashable, Sendable {
  /// What failed, as the engine classifies it.
  public let code: Code
  /// The engine's words, copied at the moment of failure.
  public let message: String
  /// The statement that failed, as it was given, where a statement did.
  public let sql: String?
  /// Where in ``sql`` the fault is, in bytes of UTF-8 from its start, where SQLite knows it; where it does not, and there
  /// are several statements, where the one begins that failed.
  public let offset: ByteOffset?
  /// The statement with its values written in, if the configuration shows values.
  public let expandedSQL: String?
  /// The result column that could not be read, where reading one failed.
  public let column: ColumnName?

  /// An error of your own: for a function, an observer's veto, or a type that reads columns.
  public init(
    code: Code, message: String, sql: String? = nil, offset: ByteOffset? = nil,
    expandedSQL: String? = nil, column: ColumnName? = nil
  ) {
    self.code = code
    self.message = message
    self.sql = sql
    self.offset = offset
    self.expandedSQL = expandedSQL
    self.column = column
  }

  /// A column of a result: its name there, and the table column that it shows.
  public struct ColumnName: Hashable, Sendable {
    /// Its name in the result.
    public let name: String
    /// The table that the value comes from; `nil` where an expression makes it.
    public let table: String?
    /// The column of ``table``, which an alias may hide.
    public let origin: String?

    public init(name: String, table: String?, origin: String?) {
      self.name = name
      self.table = table
      self.origin = origin
    }
  }
}

extension SQLiteError {
  /// A distance in bytes of UTF-8 from the start of a text.
  public struct ByteOffset: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static func < (a: ByteOffset, b: ByteOffset) -> Bool { a.rawValue < b.rawValue }
  }
}

extension SQLiteError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let column {
      text += " (column \(column.name)"
      if let table = column.table { text += " of table \(table)" }
      text += ")"
    }
    if let sql = expandedSQL ?? sql {
      text += ", while running: \(sql)"
      if let offset, expandedSQL == nil { text += " (at byte \(offset.rawValue))" }
    }
    return text
  }
}

extension SQLiteError {
  /// The same error, its message preceded by what was being done.
  ///
  /// ```swift
  /// throw error.during("reading \(path)")  // error: reading towns.json: too many columns on towns
  /// ```
  public func during(_ deed: String) -> SQLiteError { replacingMessage("\(deed): \(message)") }

  static func parameterCountMessage(expected: Int, given: Int) -> String {
    "the statement takes \(expected) values, and \(given) were given"
  }

  /// The same error, with the statement that it is about if it names none.
  @usableFromInline
  func inStatement(_ sql: String) -> SQLiteError {
    if self.sql != nil { return self }
    return SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column)
  }

  func replacingMessage(_ message: String) -> SQLiteError {
    SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column)
  }
}

extension SQLiteError {
  /// The error that ends a fetch in place of an error that a type's own initializer throws.
  @usableFromInline
  static var rowNotDecoded: SQLiteError {
    SQLiteError(code: .internalError, message: "a row was not decoded")
  }
}
