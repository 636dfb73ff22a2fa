extension RowEncoder {
  /// How a column is declared that holds values of some Swift type.
  ///
  /// Affinities leave every value as it is. The texts of dates are no numbers, so `DATE`, which is numeric, does; of a type that
  /// binds what it wants nothing is known, and its column has no type.
  ///
  /// | type | column |
  /// |---|---|
  /// | integers | `INTEGER` |
  /// | `Double`, `Float` | `REAL` |
  /// | `Bool` | `BOOLEAN` |
  /// | `String`, `URL`, `UUID`, `Decimal` | `TEXT` |
  /// | `Date` | `DATE` |
  /// | `Data`, `[UInt8]` | `BLOB` |
  /// | an enum with raw values | as its raw values |
  /// | another ``SQLiteBindable`` | no type |
  public enum ColumnDeclaration {
    /// The declared type of a column, empty for none; `nil` for a type that no column holds as a single value.
    ///
    /// - Parameter type: Of an optional type, what is in it counts.
    public static func type(of type: Any.Type) -> String? {
      if let optional = type as? any OptionalType.Type { return self.type(of: optional.wrapped) }
      if type == Bool.self { return "BOOLEAN" }
      if type == String.self { return "TEXT" }
      if type == Double.self || type == Float.self { return "REAL" }
      if type == [UInt8].self { return "BLOB" }
      if let known = foundationType(type) { return known }
      let bindsItself = type is any SQLiteBindable.Type
      if bindsItself, type is any FixedWidthInteger.Type { return "INTEGER" }
      if let raw = type as? any RawRepresentable.Type {
        return rawType(raw) ?? (bindsItself ? "" : nil)
      }
      return bindsItself ? "" : nil
    }

    /// What is in an optional type; any other type itself.
    public static func unwrapped(_ type: Any.Type) -> Any.Type {
      (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
    }

    private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> String? {
      Raw.RawValue.self is any SQLiteBindable.Type ? self.type(of: Raw.RawValue.self) : nil
    }
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
