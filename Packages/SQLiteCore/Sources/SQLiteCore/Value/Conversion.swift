/// A type that a result column can be read as.
///
/// Reading loses nothing: a value of another storage class, or one that does not fit, is an error
/// that names the column. A NULL is an error for every type but `Optional` and ``SQLiteValue``.
///
/// | type | reads |
/// |---|---|
/// | integers | INTEGER in the type's range |
/// | `Double` | REAL; INTEGER where a `Double` holds it exactly |
/// | `Float` | as `Double`, rounded to the nearest `Float` |
/// | `Bool` | INTEGER: zero is false, all else is true, as in SQL |
/// | `String` | TEXT that is valid UTF-8 |
/// | `[UInt8]`, `Data` | BLOB |
/// | ``SQLiteValue`` | anything |
public protocol SQLiteReadable {
  /// Reads a column of the current row.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch``,
  ///   ``SQLiteError/Code/unexpectedNull``, ``SQLiteError/Code/valueOutOfRange``,
  ///   ``SQLiteError/Code/invalidText`` or ``SQLiteError/Code/unknownColumn``.
  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError)
}

/// A type whose values can be bound to a statement's parameter.
public protocol SQLiteBindable {
  /// Binds this value to one parameter.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` where there is no such
  ///   parameter, ``SQLiteError/Code/valueOutOfRange`` where SQLite has no room for the value.
  func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError)
}

/// A type that SQLite's values convert to, and that converts to them.
public typealias SQLiteConvertible = SQLiteReadable & SQLiteBindable

/// A type that a row can be read as: what generated code and hand-written models satisfy.
///
/// ```swift
/// struct Player: RowDecodable {
///   let id: Int
///   let name: String?
///
///   init(row: borrowing Row) throws(SQLiteError) {
///     id = try row.read(Int.self, at: 0)
///     name = try row.read(String?.self, at: 1)
///   }
/// }
/// ```
public protocol RowDecodable {
  init(row: borrowing Row) throws(SQLiteError)
}

extension Optional: SQLiteReadable where Wrapped: SQLiteReadable {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.isNull(at: index) ? nil : Wrapped(from: row, at: index)
  }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    if let self {
      try self.bind(to: statement, at: index)
    } else {
      try statement.bindNull(at: index)
    }
  }
}

extension SQLiteValue: SQLiteConvertible {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.value(at: index)
  }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bindInteger(value, at: index)
    case .real(let value): try statement.bindReal(value, at: index)
    case .text(let value): try statement.bindText(value, at: index)
    case .blob(let bytes): try statement.bindBlob(bytes, at: index)
    }
  }
}
