extension String: SQLiteConvertible {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.text(at: index)
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> String? {
    try row.optionalText(at: index)
  }

  @inlinable
  public var sqliteValue: SQLiteValue { .text(self) }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindText(self, at: index)
  }
}

extension Substring: SQLiteBindable {
  @inlinable
  public var sqliteValue: SQLiteValue { .text(String(self)) }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindText(String(self), at: index)
  }
}

extension Array: SQLiteReadable where Element == UInt8 {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.blob(at: index)
  }

  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> [UInt8]? {
    try row.optionalBlob(at: index)
  }
}

extension Array: SQLiteBindable where Element == UInt8 {
  @inlinable
  public var sqliteValue: SQLiteValue { .blob(self) }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindBlob(self, at: index)
  }
}

/// A type with a raw value is read and bound as its raw value.
///
/// ```swift
/// enum Status: String, SQLiteConvertible { case open, closed }
/// ```
extension RawRepresentable where Self: SQLiteReadable, RawValue: SQLiteReadable {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let raw = try RawValue(from: row, at: index)
    guard let value = Self(rawValue: raw) else {
      throw row.outOfRange(for: "\(Self.self)", at: index)
    }
    self = value
  }
}

extension RawRepresentable where Self: SQLiteBindable, RawValue: SQLiteBindable {
  @inlinable
  public var sqliteValue: SQLiteValue { get throws(SQLiteError) { try rawValue.sqliteValue } }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try rawValue.bind(to: statement, at: index)
  }
}
