extension Int64: SQLiteConvertible {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.integer(at: index)
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Int64? {
    try row.optionalInteger(at: index)
  }

  @inlinable
  public var sqliteValue: SQLiteValue { .integer(self) }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindInteger(self, at: index)
  }
}

extension FixedWidthInteger where Self: SQLiteConvertible {
  /// Reads an INTEGER that fits this type.
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let value = try row.integer(at: index)
    guard let exact = Self(exactly: value) else {
      throw row.outOfRange(for: "\(Self.self)", at: index)
    }
    self = exact
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self? {
    guard let value = try row.optionalInteger(at: index) else { return nil }
    guard let exact = Self(exactly: value) else {
      throw row.outOfRange(for: "\(Self.self)", at: index)
    }
    return exact
  }

  /// An INTEGER.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` if the value does not
  ///   fit in an `Int64`, SQLite's largest integer type.
  @inlinable
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let exact = Int64(exactly: self) else { throw Self.outOfRange() }
      return .integer(exact)
    }
  }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    guard let exact = Int64(exactly: self) else {
      throw Self.outOfRange().inStatement(statement.sql)
    }
    try statement.bindInteger(exact, at: index)
  }

  @usableFromInline @inline(never)
  static func outOfRange() -> SQLiteError {
    SQLiteError(
      code: .valueOutOfRange,
      message: "the integer does not fit in a signed 64-bit integer, SQLite's largest integer type")
  }
}

extension Int: SQLiteConvertible {}
extension Int8: SQLiteConvertible {}
extension Int16: SQLiteConvertible {}
extension Int32: SQLiteConvertible {}
extension UInt: SQLiteConvertible {}
extension UInt8: SQLiteConvertible {}
extension UInt16: SQLiteConvertible {}
extension UInt32: SQLiteConvertible {}
extension UInt64: SQLiteConvertible {}

extension Bool: SQLiteConvertible {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.integer(at: index) != 0
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Bool? {
    try row.optionalInteger(at: index).map { $0 != 0 }
  }

  /// INTEGER 0 or 1.
  @inlinable
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindInteger(self ? 1 : 0, at: index)
  }
}

extension Double: SQLiteConvertible {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.real(at: index)
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Double? {
    try row.optionalReal(at: index)
  }

  /// A REAL, or NULL if the number is NaN.
  @inlinable
  public var sqliteValue: SQLiteValue { isNaN ? .null : .real(self) }

  /// Binds a REAL. SQLite stores NULL instead of NaN.
  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindReal(self, at: index)
  }
}

extension Float: SQLiteConvertible {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try Float(row.real(at: index))
  }

  /// A REAL, or NULL if the number is NaN.
  @inlinable
  public var sqliteValue: SQLiteValue { Double(self).sqliteValue }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindReal(Double(self), at: index)
  }
}
