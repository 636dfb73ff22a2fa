internal import SQLiteCore

/// Conditions on a column.
extension DatabaseRoute.Column {
  public typealias Filter = DatabaseRoute.Filter

  public func equals(_ value: some RouteValue) -> Filter { compared(.equals, value) }
  /// Excludes rows in which the column is NULL: see ``isDistinct(from:)``.
  public func notEquals(_ value: some RouteValue) -> Filter { compared(.notEquals, value) }
  public func greaterThan(_ value: some RouteValue) -> Filter { compared(.greaterThan, value) }
  public func greaterThanOrEquals(_ value: some RouteValue) -> Filter {
    compared(.greaterThanOrEquals, value)
  }
  public func lessThan(_ value: some RouteValue) -> Filter { compared(.lessThan, value) }
  public func lessThanOrEquals(_ value: some RouteValue) -> Filter {
    compared(.lessThanOrEquals, value)
  }
  /// Includes both bounds.
  public func between<Value: RouteValue>(_ lower: Value, _ upper: Value) -> Filter {
    greaterThanOrEquals(lower) && lessThanOrEquals(upper)
  }

  public func isNull() -> Filter { compared(.isNull, .none) }
  public func isNotNull() -> Filter { compared(.isNotNull, .none) }
  /// Tests for a number other than 0. NULL does not match.
  public func isTrue() -> Filter { compared(.isTrue, .none) }
  /// Tests for 0. NULL does not match.
  public func isFalse() -> Filter { compared(.isFalse, .none) }

  /// Tests for inequality, treating NULL as a value. A value that SQLite can't store is not converted to NULL: running
  /// the route throws ``RouterError/Code/invalidRoute``.
  public func isDistinct<Value: RouteValue>(from value: Value?) -> Filter {
    compared(.isDistinct, Self.operand(value))
  }
  /// Tests for equality, treating NULL as a value. A value that SQLite can't store is not converted to NULL: running
  /// the route throws ``RouterError/Code/invalidRoute``.
  public func isNotDistinct<Value: RouteValue>(from value: Value?) -> Filter {
    compared(.isNotDistinct, Self.operand(value))
  }

  /// Tests for membership in a list. An empty list matches no row.
  public func `in`(_ values: some Sequence<some RouteValue>) -> Filter {
    compared(.in, .list(values.map(\.routeValue)))
  }
  public func `in`<Value: RouteValue>(_ values: Value...) -> Filter {
    compared(.in, .list(values.map(\.routeValue)))
  }
  /// Tests for absence from a list. An empty list matches every row; otherwise NULL does not match.
  public func notIn(_ values: some Sequence<some RouteValue>) -> Filter {
    compared(.notIn, .list(values.map(\.routeValue)))
  }
  public func notIn<Value: RouteValue>(_ values: Value...) -> Filter {
    compared(.notIn, .list(values.map(\.routeValue)))
  }

  /// Applies an operator to each value of a list. At least one comparison must be true.
  public func any(_ operator: DatabaseRoute.Operator, _ values: [some RouteValue]) -> Filter {
    compared(`operator`, Self.operand(`operator`, values).map { .any($0) } ?? .none)
  }
  /// Applies an operator to each value of a list. All comparisons must be true.
  public func each(_ operator: DatabaseRoute.Operator, _ values: [some RouteValue]) -> Filter {
    compared(`operator`, Self.operand(`operator`, values).map { .each($0) } ?? .none)
  }

  /// Returns the operand for a value if NULL is treated as a value, or `.none` for a value that can't be bound.
  private static func operand(_ value: (some RouteValue)?) -> DatabaseRoute.Operand {
    guard let value else { return .value(.null) }
    let plain = value.routeValue
    let isMeant = !plain.isBoundAsNull || (value as? SQLiteValue)?.isNull ?? false
    return isMeant ? .value(plain) : .none
  }

  /// Returns the values of a list, or `nil` if NULL is treated as a value and the list contains a value that can't be
  /// bound.
  private static func operand(
    _ operator: DatabaseRoute.Operator, _ values: [some RouteValue]
  ) -> [SQLiteValue]? {
    let isExact = `operator` == .isDistinct || `operator` == .isNotDistinct
    if isExact, values.contains(where: { operand($0) == .none }) { return nil }
    return values.map(\.routeValue)
  }

  private func compared(_ operator: DatabaseRoute.Operator, _ value: some RouteValue) -> Filter {
    compared(`operator`, .value(value.routeValue))
  }

  private func compared(
    _ operator: DatabaseRoute.Operator, _ operand: DatabaseRoute.Operand
  ) -> Filter {
    .comparison(.init(column: self, operator: `operator`, operand: operand))
  }
}

/// Conditions on text.
extension DatabaseRoute.Column {
  /// Matches a pattern, case-sensitively: `%` matches any text, `_` any character, and `\` escapes the next
  /// character.
  public func like(_ pattern: String) -> Filter { compared(.like, pattern) }
  /// Matches a pattern like ``like(_:)``, ignoring the case of ASCII letters.
  public func iLike(_ pattern: String) -> Filter { compared(.iLike, pattern) }
  public func like(anyOf patterns: [String]) -> Filter { any(.like, patterns) }
  public func like(allOf patterns: [String]) -> Filter { each(.like, patterns) }
  public func iLike(anyOf patterns: [String]) -> Filter { any(.iLike, patterns) }
  public func iLike(allOf patterns: [String]) -> Filter { each(.iLike, patterns) }

  /// Tests whether the text begins with the given text, case-sensitively.
  public func hasPrefix(_ text: String) -> Filter { like(Self.escaped(text) + "%") }
  /// Tests whether the text ends with the given text, case-sensitively.
  public func hasSuffix(_ text: String) -> Filter { like("%" + Self.escaped(text)) }
  /// Tests whether the text contains the given text, case-sensitively.
  public func containsText(_ text: String) -> Filter { like("%" + Self.escaped(text) + "%") }

  /// Matches a regular expression, if the database supports them.
  public func matches(_ pattern: String) -> Filter { compared(.matches, pattern) }
  /// Matches a regular expression case-insensitively, if the database supports them.
  public func iMatches(_ pattern: String) -> Filter { compared(.iMatches, pattern) }

  /// Searches full text in a column of an FTS5 table, or in the whole table, by the table's name as a column.
  public func search(_ query: String, as kind: DatabaseRoute.Operator = .plainSearch) -> Filter {
    compared(kind, query)
  }

  /// Escapes the special characters of patterns.
  private static func escaped(_ text: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }
}

/// Conditions on JSON arrays. For a column that does not contain an array, a condition is neither true nor false.
extension DatabaseRoute.Column {
  /// Tests whether the array contains all given values.
  public func contains(_ values: [some RouteValue]) -> Filter {
    compared(.contains, .list(values.map(\.routeValue)))
  }
  /// Tests whether all elements of the array are in the given list.
  public func containedBy(_ values: [some RouteValue]) -> Filter {
    compared(.containedBy, .list(values.map(\.routeValue)))
  }
  /// Tests whether the array contains at least one of the given values.
  public func overlaps(_ values: [some RouteValue]) -> Filter {
    compared(.overlaps, .list(values.map(\.routeValue)))
  }
}
