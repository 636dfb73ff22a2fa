/// A way to store a type's values in a column, where there are several.
///
/// A format is named by a type, so that each property chooses its own: see ``Stored``.
///
/// ```swift
/// /// A price in whole cents.
/// enum CentsFormat: ColumnFormat {
///   static func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Price {
///     Price(cents: try row.read(at: index))
///   }
///
///   static func sqliteValue(of value: Price) -> SQLiteValue { .integer(Int64(value.cents)) }
/// }
/// ```
public protocol ColumnFormat {
  /// The type that is stored.
  associatedtype Value

  /// Reads a column of the current row, which a NULL fails.
  ///
  /// - Throws: ``SQLiteError`` as ``SQLiteReadable/init(from:at:)``.
  static func read(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Value

  /// The value that SQLite stores.
  ///
  /// - Throws: ``SQLiteError`` as ``SQLiteBindable/sqliteValue``.
  static func sqliteValue(of value: Value) throws(SQLiteError) -> SQLiteValue
}

/// A type that formats store, or an optional of one: what a ``Stored`` property may be.
///
/// A type of your own conforms by saying so: `extension Price: ColumnValue {}`.
public protocol ColumnValue {
  /// The type itself; for an optional, the type that it wraps.
  associatedtype Present = Self

  /// The value, where it is not `nil`.
  var presentValue: Present? { get }

  /// Makes a value of one that may be absent; fails where there is none and this type needs one.
  init?(presentValue: Present?)
}

extension ColumnValue where Present == Self {
  public var presentValue: Self? { self }

  public init?(presentValue: Self?) {
    guard let presentValue else { return nil }
    self = presentValue
  }
}

extension Optional: ColumnValue {
  public var presentValue: Wrapped? { self }

  public init?(presentValue: Wrapped?) { self = presentValue }
}
