extension RowPredicate {
  /// `column <comparison> value`, with what `value` is bound as.
  ///
  /// Where that can't be told without SQLite, as for a type with a format of its own, every row counts.
  public static func column(
    _ column: ColumnName, _ comparison: Comparison, bound value: any SQLiteBindable
  ) -> RowPredicate {
    guard let value = SQLiteValue(boundBy: value) else { return .anything(column) }
    return .column(column, comparison, value)
  }

  /// `column IN (values)`, with what the values are bound as.
  public static func column(
    _ column: ColumnName, inBound values: any SQLiteBindable...
  ) -> RowPredicate {
    let known = values.compactMap { SQLiteValue(boundBy: $0) }
    return known.count == values.count ? .column(column, in: known) : .anything(column)
  }

  /// `column IN list`, with what the elements are bound as; no row where there are none.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  public static func column(
    _ column: ColumnName, inList list: [some SQLiteBindable]
  ) -> RowPredicate {
    let known = list.compactMap { SQLiteValue(boundBy: $0) }
    return known.count == list.count ? .column(column, in: known) : .anything(column)
  }

  /// What holds for every row.
  private static func anything(_ column: ColumnName) -> RowPredicate {
    .isNull(column) || .isNotNull(column)
  }
}

extension SQLiteValue {
  /// What a value is bound as, where its type says so.
  fileprivate init?(boundBy value: any SQLiteBindable) {
    switch value {
    case let value as SQLiteValue: self = value
    case let value as Int: self = .integer(Int64(value))
    case let value as String: self = .text(value)
    case let value as Double where !value.isNaN: self = .real(value)
    case let value as Bool: self = .integer(value ? 1 : 0)
    case let value as [UInt8]: self = .blob(value)
    case let value as any SQLiteEnumeration: self = .text(value.rawValue)
    case let value as any SQLiteIntegerEnumeration: self = .integer(Int64(value.rawValue))
    case let value as any BoundOptional:
      guard let wrapped = value.wrapped else {
        self = .null
        return
      }
      self.init(boundBy: wrapped)
    case let value as any BoundFormat:
      guard let stored = value.stored else { return nil }
      self = stored
    default:
      guard let known = foundationValue(of: value) else { return nil }
      self = known
    }
  }
}

/// An optional, whatever it wraps.
private protocol BoundOptional {
  var wrapped: (any SQLiteBindable)? { get }
}

extension Optional: BoundOptional where Wrapped: SQLiteBindable {
  fileprivate var wrapped: (any SQLiteBindable)? { self }
}

/// A value with a format, whatever that is.
private protocol BoundFormat {
  var stored: SQLiteValue? { get }
}

extension Formatted: BoundFormat {
  fileprivate var stored: SQLiteValue? { foundationValue(of: value, in: Format.self) }
}
