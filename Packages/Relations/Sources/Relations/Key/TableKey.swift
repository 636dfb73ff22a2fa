public import SQLiteCore

/// The type of a table's primary key.
///
/// | key | new rows get it |
/// |---|---|
/// | ``AutoId`` | when they are created, from the clock |
/// | `Int`, `Int64` | from SQLite, when they are saved |
/// | `UUID` | when they are created, at random |
/// | `String`, a ``CompositeKey``, any type of yours | from you |
public protocol TableKey: Codable, Hashable, Sendable {
  /// The values of the key's columns.
  var keyValues: [SQLiteValue] { get }

  /// The key as an integer, which enables faster storage and lookup; `nil`, the default, for other
  /// keys. Zero means that the key is not set yet.
  var integerKey: Int64? { get }

  /// Creates the key from an integer; `nil` if ``integerKey`` is always `nil`.
  init?(integerKey: Int64)

  /// A Boolean value that indicates whether the key is not set yet.
  var isUnset: Bool { get }

  /// Returns a new unique key; `nil` if keys are provided by SQLite or by the application.
  static func make() -> Self?

  /// A Boolean value that indicates whether SQLite generates the key when a row is saved.
  static var isGeneratedBySQLite: Bool { get }

  /// Creates the key from the row identifier that SQLite generated; `nil` if SQLite does not
  /// generate keys of this type.
  init?(generatedBySQLite rowID: Int64)

  /// The declared types of the key's columns.
  static var columnTypes: [String] { get }

  /// Reads the key from consecutive columns.
  init(from row: borrowing Row, columns: [ColumnIndex]) throws(SQLiteError)

  /// Reads the key from one column; `nil` if the column is NULL.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` if the key has several columns; the
  ///   errors of the key's type.
  static func optionalKey(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self?
}

extension TableKey {
  public var integerKey: Int64? { nil }
  public init?(integerKey: Int64) { nil }
  public var isUnset: Bool { false }
  public static func make() -> Self? { nil }
  public static var isGeneratedBySQLite: Bool { false }
  public init?(generatedBySQLite rowID: Int64) { nil }

  public static func optionalKey(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self? {
    guard columnTypes.count == 1 else {
      throw SQLiteError(
        code: .columnTypeMismatch,
        message: "a key of type \(Self.self) has several columns and can't be read from one")
    }
    return try row.isNull(at: index) ? nil : Self(from: row, columns: [index])
  }
}

extension TableKey where Self: SQLiteReadable {
  public init(from row: borrowing Row, columns: [ColumnIndex]) throws(SQLiteError) {
    try self.init(from: row, at: columns.first ?? 0)
  }

  @inlinable
  public static func optionalKey(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self? { try optional(from: row, at: index) }
}

extension TableKey {
  /// The key as SQL literals, for messages.
  var literal: String { keyValues.map { "\($0)" }.joined(separator: ", ") }
}

extension Int: TableKey {
  public var keyValues: [SQLiteValue] { [.integer(Int64(self))] }
  @inlinable public var integerKey: Int64? { Int64(self) }
  public init?(integerKey: Int64) { self.init(exactly: integerKey) }
  /// A Boolean value that indicates whether the key is zero.
  public var isUnset: Bool { self == 0 }
  public static var isGeneratedBySQLite: Bool { true }
  public init?(generatedBySQLite rowID: Int64) { self.init(exactly: rowID) }
  public static var columnTypes: [String] { ["INTEGER"] }
}

extension Int64: TableKey {
  public var keyValues: [SQLiteValue] { [.integer(self)] }
  @inlinable public var integerKey: Int64? { self }
  public init?(integerKey: Int64) { self = integerKey }
  /// A Boolean value that indicates whether the key is zero.
  public var isUnset: Bool { self == 0 }
  public static var isGeneratedBySQLite: Bool { true }
  public init?(generatedBySQLite rowID: Int64) { self = rowID }
  public static var columnTypes: [String] { ["INTEGER"] }
}

extension String: TableKey {
  public var keyValues: [SQLiteValue] { [.text(self)] }
  /// A Boolean value that indicates whether the key is empty.
  public var isUnset: Bool { isEmpty }
  public static var columnTypes: [String] { ["TEXT"] }
}
