public import SQLiteCore

extension Record {
  /// The key of a row: a value, or several where the key has several columns.
  ///
  /// ```swift
  /// let key = try provider.save(category)
  /// let same = try provider.getRow(ofType: Category.self, forPrimaryKeyValue: key)
  /// ```
  public struct Key: Hashable, Sendable {
    /// The value of the key's first column, which is mostly the only one.
    public let first: SQLiteValue
    private let others: [SQLiteValue]

    /// A key of one column.
    public init(_ value: SQLiteValue) {
      first = value
      others = []
    }

    /// A key of as many columns as there are values; NULL for none.
    public init(values: [SQLiteValue]) {
      first = values.first ?? .null
      others = Array(values.dropFirst())
    }

    /// The values, in the order of the key's columns.
    public var values: [SQLiteValue] { [first] + others }

    /// The key as a number, where it is one.
    public var integer: Int64? {
      if case .integer(let value) = first, others.isEmpty { value } else { nil }
    }

    /// The key as a text, where it is one.
    public var text: String? {
      if case .text(let value) = first, others.isEmpty { value } else { nil }
    }
  }
}

extension Record.Key: SQLiteBindable {
  /// The value of a key of one column.
  ///
  /// - Throws: `SQLiteError` with code `parameterCount` for a key of several columns.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard others.isEmpty else {
        throw SQLiteError(
          code: .parameterCount, message: "a key of \(values.count) columns is no single value")
      }
      return first
    }
  }
}

extension Record.Key: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral
{
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }
  public init(stringLiteral value: String) { self.init(.text(value)) }
  public init(arrayLiteral elements: SQLiteValue...) { self.init(values: elements) }
}

extension Record.Key: CustomStringConvertible {
  /// The values as literals of SQL.
  public var description: String { values.map(\.description).joined(separator: ", ") }
}
