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

  /// Binds an INTEGER; a value past `Int64.max` is an error, for SQLite has no larger one.
  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    guard let exact = Int64(exactly: self) else {
      throw SQLiteError(
        code: .valueOutOfRange,
        message: "the value to bind is no integer of 64 bits with a sign, SQLite's largest",
        sql: statement.sql)
    }
    try statement.bindInteger(exact, at: index)
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

  /// Binds a REAL. SQLite stores NULL in the place of a NaN.
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

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindReal(Double(self), at: index)
  }
}
