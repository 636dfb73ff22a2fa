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

extension TablePlan {
  /// The value of a column of the key, as it is written; NULL where SQLite is to make it.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` where it is not set, and nobody
  ///   makes one.
  func settledKey(_ value: SQLiteValue) throws(ProviderError) -> SQLiteValue {
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

  /// Settles the key of a row.
  ///
  /// - Returns: Whether SQLite makes it.
  func settleKey(in values: inout [SQLiteValue]) throws(ProviderError) -> Bool {
    for place in key { values[place] = try settledKey(values[place]) }
    return isNumbered && values[key[0]].isNull
  }

  func key(of values: [SQLiteValue]) -> Record.Key {
    key.count == 1 ? Record.Key(values[key[0]]) : Record.Key(values: key.map { values[$0] })
  }

  /// The key that an object has.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` where it is not set, with code
  ///   ``ProviderError/Code/schemaMismatch`` where it is of a subclass; what the type's `encode(to:)` throws.
  func key(of object: some DataTable) throws -> Record.Key {
    if type is AnyClass { try Self.refuseOther(object, than: type) }
    // Of all else, no more is encoded than must be.
    let binding = RowEncoder.Binding(columns: columns.map(\.name)) { type, _ in
      switch PropertyKind(type) {
      case .column: nil
      case .document, .table, .links: { _ in nil }
      }
    }
    guard let key = givenKey(of: try binding.values(of: object)) else { throw missingKey() }
    return key
  }

  /// The key that a row's values have before it is written; `nil` where it is not set.
  func givenKey(of values: [SQLiteValue]) -> Record.Key? {
    for place in key where values[place].isNull { return nil }
    return switch (keyType, values[key[0]]) {
    case (_, .integer(...0)) where isNumbered: nil
    case (.autoUUIDString, .text("")): nil
    default: key(of: values)
    }
  }

  /// `"id" = ?`, for each column of the key.
  var keyConditionSQL: String {
    key.map { "\(SQLName.quoted(columns[$0].name)) = ?" }.joined(separator: " AND ")
  }

  /// The values of a key that someone asks for. A number is asked for in texts by its digits.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/wrongKeyType`` where the table's keys are of
  ///   other kinds, with code ``ProviderError/Code/missingKey`` for a NULL; `SQLiteError` if SQLite has no such value.
  func keyValues(_ asked: any SQLiteBindable) throws -> [SQLiteValue] {
    let values: [SQLiteValue] =
      switch asked {
      case let asked as Record.Key: asked.values
      default: [try asked.sqliteValue]
      }
    guard values.count == key.count else {
      throw ProviderError(
        .wrongKeyType, "the key has \(key.count) columns, and \(values.count) values are given",
        table: table)
    }
    return try zip(values, key).map { value, place throws(ProviderError) in
      let column = columns[place]
      if value.isNull {
        throw ProviderError(
          .missingKey, "no row has the key NULL", table: table, column: column.name)
      }
      // As SQLite takes it where it compares the two.
      if column.declaredType == "TEXT", case .integer(let number) = value {
        return .text(number.description)
      }
      guard column.holds(value.storageClass) else {
        throw ProviderError(
          .wrongKeyType,
          "the keys are \(column.declaredType), and \(value.storageClass.rawValue) is asked for",
          table: table, column: column.name)
      }
      return value
    }
  }
}

extension TablePlan.Column {
  fileprivate func holds(_ kind: SQLiteValue.StorageClass) -> Bool {
    switch declaredType {
    case "INTEGER", "BOOLEAN": kind == .integer
    case "REAL": kind == .real || kind == .integer
    case "TEXT", "DATE": kind == .text
    case "BLOB": kind == .blob
    default: true
    }
  }
}
