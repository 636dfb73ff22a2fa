internal import SQLiteCore

/// Conditions on a column.
extension DatabaseRoute.Column {
  public typealias Filter = DatabaseRoute.Filter

  public func equals(_ value: some RouteValue) -> Filter { compared(.equals, value) }
  /// A row whose column is NULL is left out: see ``isDistinct(from:)``.
  public func notEquals(_ value: some RouteValue) -> Filter { compared(.notEquals, value) }
  public func greaterThan(_ value: some RouteValue) -> Filter { compared(.greaterThan, value) }
  public func greaterThanOrEquals(_ value: some RouteValue) -> Filter {
    compared(.greaterThanOrEquals, value)
  }
  public func lessThan(_ value: some RouteValue) -> Filter { compared(.lessThan, value) }
  public func lessThanOrEquals(_ value: some RouteValue) -> Filter {
    compared(.lessThanOrEquals, value)
  }
  /// Both ends are in the range.
  public func between<Value: RouteValue>(_ lower: Value, _ upper: Value) -> Filter {
    greaterThanOrEquals(lower) && lessThanOrEquals(upper)
  }

  public func isNull() -> Filter { compared(.isNull, .none) }
  public func isNotNull() -> Filter { compared(.isNotNull, .none) }
  /// Whether it is a number other than 0. A NULL is not.
  public func isTrue() -> Filter { compared(.isTrue, .none) }
  /// Whether it is 0. A NULL is not.
  public func isFalse() -> Filter { compared(.isFalse, .none) }

  /// Not equal, where NULL is a value like another. A value that SQLite can't hold is not taken for NULL: the route
  /// is ``RouterError/Code/invalidRoute`` as it runs.
  public func isDistinct<Value: RouteValue>(from value: Value?) -> Filter {
    compared(.isDistinct, Self.operand(value))
  }
  /// Equal, where NULL is a value like another. A value that SQLite can't hold is not taken for NULL: the route is
  /// ``RouterError/Code/invalidRoute`` as it runs.
  public func isNotDistinct<Value: RouteValue>(from value: Value?) -> Filter {
    compared(.isNotDistinct, Self.operand(value))
  }

  /// No row, where the list is empty.
  public func `in`(_ values: some Sequence<some RouteValue>) -> Filter {
    compared(.in, .list(values.map(\.routeValue)))
  }
  public func `in`<Value: RouteValue>(_ values: Value...) -> Filter {
    compared(.in, .list(values.map(\.routeValue)))
  }
  /// Every row, where the list is empty; otherwise a NULL is left out.
  public func notIn(_ values: some Sequence<some RouteValue>) -> Filter {
    compared(.notIn, .list(values.map(\.routeValue)))
  }
  public func notIn<Value: RouteValue>(_ values: Value...) -> Filter {
    compared(.notIn, .list(values.map(\.routeValue)))
  }

  /// An operator with one at least of a list.
  public func any(_ operator: DatabaseRoute.Operator, _ values: [some RouteValue]) -> Filter {
    compared(`operator`, Self.operand(`operator`, values).map { .any($0) } ?? .none)
  }
  /// An operator with each of a list.
  public func each(_ operator: DatabaseRoute.Operator, _ values: [some RouteValue]) -> Filter {
    compared(`operator`, Self.operand(`operator`, values).map { .each($0) } ?? .none)
  }

  /// What stands for a value where NULL is one like another; nothing for one that can't be bound.
  private static func operand(_ value: (some RouteValue)?) -> DatabaseRoute.Operand {
    guard let value else { return .value(.null) }
    let plain = value.routeValue
    let isMeant = !plain.isBoundAsNull || (value as? SQLiteValue)?.isNull ?? false
    return isMeant ? .value(plain) : .none
  }

  /// The values of a list, if there is none among them that can't be bound where NULL is one like another.
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

/// Conditions on texts.
extension DatabaseRoute.Column {
  /// By a pattern: `%` stands for any text, `_` for any character, `\` before one takes it as it is. Case matters.
  public func like(_ pattern: String) -> Filter { compared(.like, pattern) }
  /// As ``like(_:)``, but for the case of letters of ASCII.
  public func iLike(_ pattern: String) -> Filter { compared(.iLike, pattern) }
  public func like(anyOf patterns: [String]) -> Filter { any(.like, patterns) }
  public func like(allOf patterns: [String]) -> Filter { each(.like, patterns) }
  public func iLike(anyOf patterns: [String]) -> Filter { any(.iLike, patterns) }
  public func iLike(allOf patterns: [String]) -> Filter { each(.iLike, patterns) }

  /// Whether the text begins so. Case matters.
  public func hasPrefix(_ text: String) -> Filter { like(Self.escaped(text) + "%") }
  /// Whether the text ends so. Case matters.
  public func hasSuffix(_ text: String) -> Filter { like("%" + Self.escaped(text)) }
  /// Whether the text has this in it. Case matters.
  public func containsText(_ text: String) -> Filter { like("%" + Self.escaped(text) + "%") }

  /// By a regular expression, where the database has them.
  public func matches(_ pattern: String) -> Filter { compared(.matches, pattern) }
  /// By a regular expression in either case, where the database has them.
  public func iMatches(_ pattern: String) -> Filter { compared(.iMatches, pattern) }

  /// By full text: a column of an FTS5 table, or the whole of it by its own name.
  public func search(_ query: String, as kind: DatabaseRoute.Operator = .plainSearch) -> Filter {
    compared(kind, query)
  }

  /// Takes each character as it is.
  private static func escaped(_ text: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }
}

/// Conditions on JSON arrays. A column that holds none is neither true nor false.
extension DatabaseRoute.Column {
  /// Whether the array holds each of a list.
  public func contains(_ values: [some RouteValue]) -> Filter {
    compared(.contains, .list(values.map(\.routeValue)))
  }
  /// Whether each element of the array is in a list.
  public func containedBy(_ values: [some RouteValue]) -> Filter {
    compared(.containedBy, .list(values.map(\.routeValue)))
  }
  /// Whether the array holds one at least of a list.
  public func overlaps(_ values: [some RouteValue]) -> Filter {
    compared(.overlaps, .list(values.map(\.routeValue)))
  }
}
