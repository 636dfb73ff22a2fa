extension Queries {
  /// A value together with the format in which a column stores it. Generated code uses it to read
  /// and bind types that have no SQLite conversion, or that are stored in another format than their
  /// own.
  public struct Formatted<Format: ColumnFormat>: SQLiteConvertible {
    /// The wrapped value.
    public let value: Format.Value

    @inlinable
    public init(_ value: Format.Value) { self.value = value }

    @inlinable
    public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
      value = try Format.read(from: row, at: index)
    }

    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { try Format.sqliteValue(of: value) }
    }
  }
}

extension Queries.Formatted: Sendable where Format.Value: Sendable {}

extension Queries {
  /// Stores the raw value of a type without its own SQLite conversion.
  public enum RawValueFormat<Value: RawRepresentable>: ColumnFormat
  where Value.RawValue: SQLiteConvertible {
    @inlinable
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> Value {
      guard let value = Value(rawValue: try row.read(at: index)) else {
        throw row.outOfRange(for: "\(Value.self)", at: index)
      }
      return value
    }

    @inlinable
    public static func sqliteValue(of value: Value) throws(SQLiteError) -> SQLiteValue {
      try value.rawValue.sqliteValue
    }
  }
}
