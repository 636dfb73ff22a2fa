extension String: SQLiteConvertible {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.text(at: index)
  }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindText(self, at: index)
  }
}

extension Substring: SQLiteBindable {
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindText(String(self), at: index)
  }
}

extension Array: SQLiteReadable where Element == UInt8 {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.blob(at: index)
  }
}

extension Array: SQLiteBindable where Element == UInt8 {
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindBlob(self, at: index)
  }
}

/// A type with a raw value reads and binds as that value.
///
/// ```swift
/// enum Status: String, SQLiteConvertible { case open, closed }
/// ```
extension RawRepresentable where Self: SQLiteReadable, RawValue: SQLiteReadable {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let raw = try RawValue(from: row, at: index)
    guard let value = Self(rawValue: raw) else {
      throw row.outOfRange(for: "\(Self.self)", at: index)
    }
    self = value
  }
}

extension RawRepresentable where Self: SQLiteBindable, RawValue: SQLiteBindable {
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try rawValue.bind(to: statement, at: index)
  }
}
