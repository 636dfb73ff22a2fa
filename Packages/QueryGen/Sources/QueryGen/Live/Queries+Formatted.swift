extension Queries {
  /// A value with the format in which a column holds it: how generated code reads and binds the types
  /// that convert themselves in no way, or in another one.
  public struct Formatted<Format: ColumnFormat>: SQLiteConvertible {
    /// The value, as the rest of the program knows it.
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

extension Queries {
  /// Stores a type's raw value, where the type itself says nothing of SQLite.
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
