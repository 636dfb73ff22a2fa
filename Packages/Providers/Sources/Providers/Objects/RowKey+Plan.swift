internal import SQLiteCore

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
