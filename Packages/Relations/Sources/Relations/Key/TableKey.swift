public import SQLiteCore

/// What tells a row of a table from all others.
///
/// | key | new rows get it |
/// |---|---|
/// | ``AutoId`` | as they are made, from the clock |
/// | `Int`, `Int64` | from SQLite, as they are saved |
/// | `UUID` | as they are made, by chance |
/// | `String`, a ``CompositeKey``, any type of yours | from you |
public protocol TableKey: Codable, Hashable, Sendable {
  /// Its values, one for each column of the key.
  var keyValues: [SQLiteValue] { get }

  /// The key as an integer, where it is one: these are kept and found faster. `nil`, as by default, where it is something else.
  /// Zero is a key that is yet to be given.
  var integerKey: Int64? { get }

  /// The key that is an integer; `nil` where ``integerKey`` is.
  init?(integerKey: Int64)

  /// Whether it is yet to be given.
  var isUnset: Bool { get }

  /// A key that no row has; `nil` where keys come from SQLite or from the application.
  static func make() -> Self?

  /// Whether SQLite gives a row its key as it is saved.
  static var isMadeBySQLite: Bool { get }

  /// The key that SQLite gave a row; `nil` where keys don't come from it.
  init?(madeBySQLite rowID: Int64)

  /// How the columns of the key are declared.
  static var columnTypes: [String] { get }

  /// Reads the key from columns that follow one another.
  init(from row: borrowing Row, columns: [ColumnIndex]) throws(SQLiteError)

  /// Reads the key from one column; `nil` where that is NULL.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` where the key has several columns, and as the key's type.
  static func optionalKey(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self?
}

extension TableKey {
  public var integerKey: Int64? { nil }
  public init?(integerKey: Int64) { nil }
  public var isUnset: Bool { false }
  public static func make() -> Self? { nil }
  public static var isMadeBySQLite: Bool { false }
  public init?(madeBySQLite rowID: Int64) { nil }

  public static func optionalKey(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self? {
    guard columnTypes.count == 1 else {
      throw SQLiteError(
        code: .columnTypeMismatch,
        message: "a key of type \(Self.self) has several columns, and a column holds one value")
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
  /// The key as SQL's literals, for messages.
  var literal: String { keyValues.map { "\($0)" }.joined(separator: ", ") }
}

extension Int: TableKey {
  public var keyValues: [SQLiteValue] { [.integer(Int64(self))] }
  @inlinable public var integerKey: Int64? { Int64(self) }
  public init?(integerKey: Int64) { self.init(exactly: integerKey) }
  /// Whether it is zero.
  public var isUnset: Bool { self == 0 }
  public static var isMadeBySQLite: Bool { true }
  public init?(madeBySQLite rowID: Int64) { self.init(exactly: rowID) }
  public static var columnTypes: [String] { ["INTEGER"] }
}

extension Int64: TableKey {
  public var keyValues: [SQLiteValue] { [.integer(self)] }
  @inlinable public var integerKey: Int64? { self }
  public init?(integerKey: Int64) { self = integerKey }
  /// Whether it is zero.
  public var isUnset: Bool { self == 0 }
  public static var isMadeBySQLite: Bool { true }
  public init?(madeBySQLite rowID: Int64) { self = rowID }
  public static var columnTypes: [String] { ["INTEGER"] }
}

extension String: TableKey {
  public var keyValues: [SQLiteValue] { [.text(self)] }
  /// Whether it is empty.
  public var isUnset: Bool { isEmpty }
  public static var columnTypes: [String] { ["TEXT"] }
}
