public import SQLiteCore

extension Record {
  /// The key of a row: one value, or several if the key has several columns.
  ///
  /// ```swift
  /// let key = try provider.save(category)
  /// let same = try provider.getRow(ofType: Category.self, forPrimaryKeyValue: key)
  /// ```
  public struct Key: Hashable, Sendable {
    /// The value of the key's first, and usually only, column.
    public let first: SQLiteValue
    private let others: [SQLiteValue]

    /// Creates a key with one column.
    public init(_ value: SQLiteValue) {
      first = value
      others = []
    }

    /// Creates a key with one column for each value; NULL if there are none.
    public init(values: [SQLiteValue]) {
      first = values.first ?? .null
      others = Array(values.dropFirst())
    }

    /// The values, in the order of the key's columns.
    public var values: [SQLiteValue] { [first] + others }

    /// The key as an integer; `nil` if it is not an integer.
    public var integer: Int64? {
      if case .integer(let value) = first, others.isEmpty { value } else { nil }
    }

    /// The key as a string; `nil` if it is not a string.
    public var text: String? {
      if case .text(let value) = first, others.isEmpty { value } else { nil }
    }
  }
}

extension Record.Key: SQLiteBindable {
  /// The value of a key with one column.
  ///
  /// - Throws: `SQLiteError` with code `parameterCount` for a key with several columns.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard others.isEmpty else {
        throw SQLiteError(
          code: .parameterCount,
          message: "a key with \(values.count) columns is not a single value")
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
  /// The values as SQL literals.
  public var description: String { values.map(\.description).joined(separator: ", ") }
}

extension TableMapping {
  /// Returns the value to write into a key column; NULL if SQLite generates it.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` if the key is not set
  ///   and not generated.
  func normalizedKey(_ value: SQLiteValue) throws(ProviderError) -> SQLiteValue {
    switch (keyType, value) {
    case (.autoIncrementingInt, .integer(let number)), (.computedInt, .integer(let number)):
      return number > 0 ? value : .null
    case (.autoIncrementingInt, .null), (.computedInt, .null): return .null
    case (.autoUUIDString, .null), (.autoUUIDString, .text("")):
      return .text(PropertyKind.makeUUID())
    case (_, .null): throw missingKey()
    default: return value
    }
  }

  func missingKey() -> ProviderError {
    ProviderError(.missingKey, "the row has no key", table: table, column: keyColumn.name)
  }

  /// Replaces the key of a row by the key to write.
  ///
  /// - Returns: Whether the key is generated.
  func normalizeKey(in values: inout [SQLiteValue]) throws(ProviderError) -> Bool {
    for index in key { values[index] = try normalizedKey(values[index]) }
    return isNumbered && values[key[0]].isNull
  }

  func key(of values: [SQLiteValue]) -> Record.Key {
    key.count == 1 ? Record.Key(values[key[0]]) : Record.Key(values: key.map { values[$0] })
  }

  /// Returns the key of an object.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` if the key is not set,
  ///   or with code ``ProviderError/Code/schemaMismatch`` if the object belongs to a subclass; any
  ///   error that the type's `encode(to:)` throws.
  func key(of object: some DataTable) throws -> Record.Key {
    if type is AnyClass { try Self.requireExactType(object, than: type) }
    // Other properties are not encoded if this can be avoided.
    let binding = RowEncoder.Binding(columns: columns.map(\.name)) { type, _ in
      switch PropertyKind(type) {
      case .column: nil
      case .document, .table, .links: { _ in nil }
      }
    }
    guard let key = givenKey(of: try binding.values(of: object)) else { throw missingKey() }
    return key
  }

  /// Returns the key in a row's values before the row is written; `nil` if it is not set.
  func givenKey(of values: [SQLiteValue]) -> Record.Key? {
    for index in key where values[index].isNull { return nil }
    return switch (keyType, values[key[0]]) {
    case (_, .integer(...0)) where isNumbered: nil
    case (.autoUUIDString, .text("")): nil
    default: key(of: values)
    }
  }

  /// Returns the values of a requested key. An integer for a text column is converted to its
  /// digits.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/wrongKeyType`` if the table's keys
  ///   have other types, or with code ``ProviderError/Code/missingKey`` for NULL; `SQLiteError` if
  ///   SQLite can't represent the value.
  func keyValues(_ requested: any SQLiteBindable) throws -> [SQLiteValue] {
    let values: [SQLiteValue] =
      switch requested {
      case let requested as Record.Key: requested.values
      default: [try requested.sqliteValue]
      }
    guard values.count == key.count else {
      throw ProviderError(
        .wrongKeyType, "expected a key with \(key.count) values, got \(values.count)",
        table: table)
    }
    return try zip(values, key).map { value, index throws(ProviderError) in
      let column = columns[index]
      if value.isNull {
        throw ProviderError(
          .missingKey, "no row has the key NULL", table: table, column: column.name)
      }
      // As SQLite does when it compares both.
      if column.declaredType == "TEXT", case .integer(let number) = value {
        return .text(number.description)
      }
      guard column.canStore(value.storageClass) else {
        throw ProviderError(
          .wrongKeyType,
          "expected a key of type \(column.declaredType), got \(value.storageClass.rawValue)",
          table: table, column: column.name)
      }
      return value
    }
  }
}

extension TableSchema.Column {
  fileprivate func canStore(_ kind: SQLiteValue.StorageClass) -> Bool {
    switch declaredType {
    case "INTEGER", "BOOLEAN": kind == .integer
    case "REAL": kind == .real || kind == .integer
    case "TEXT", "DATE": kind == .text
    case "BLOB": kind == .blob
    default: true
    }
  }
}
