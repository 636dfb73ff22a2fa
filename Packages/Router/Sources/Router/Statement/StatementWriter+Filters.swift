public import SQLiteCore

extension StatementWriter {
  /// Writes ` WHERE …` if there is a filter.
  mutating func writeWhere(_ filter: DatabaseRoute.Filter?, in scope: Scope) throws {
    guard let filter else { return }
    write(" WHERE ")
    try write(filter, in: scope)
  }

  /// Writes a filter as a self-contained expression.
  public mutating func write(_ filter: DatabaseRoute.Filter, in scope: Scope) throws {
    switch filter.form {
    case .all: write("(1 = 1)")
    case .not(let negated):
      if case .not(let filter) = negated.form { return try write(filter, in: scope) }
      // Only `AND`, `OR` and `NOT` are written around a filter, and all of them bind less tightly.
      write("NOT ")
      try write(negated, in: scope)
    case .and(let filters): try write(filters, joinedBy: " AND ", in: scope)
    case .or(let filters): try write(filters, joinedBy: " OR ", in: scope)
    case .comparison(let comparison): try write(comparison, in: scope)
    case .tooDeep: try filter.checkDepth()
    }
  }

  private mutating func write(
    _ filters: [DatabaseRoute.Filter], joinedBy separator: String, in scope: Scope
  ) throws {
    guard !filters.isEmpty else {
      throw RouterError.invalid("an `and` or `or` filter needs at least one condition")
    }
    // The deepest filters come first: SQLite's parser has a stack of 100 symbols, and everything
    // written before a filter in the same parentheses remains on it.
    let isFlat = filters.allSatisfy { $0.depth == 0 }
    let ordered = isFlat ? filters : filters.sorted { $0.depth > $1.depth }
    try writeBalanced(ordered[...], separator: separator) { writer, filter in
      try writer.write(filter, in: scope)
    }
  }

  /// Writes expressions that an associative operator joins, in parentheses.
  ///
  /// Long lists are written as nested halves. Without parentheses, the parse tree is as deep as the
  /// list is long, and SQLite rejects a depth above 1,000:
  /// https://sqlite.org/limits.html#max_expr_depth
  public mutating func writeBalanced<Part>(
    _ parts: ArraySlice<Part>, separator: String, ifEmpty: String = "",
    _ body: (inout StatementWriter, Part) throws -> Void
  ) throws {
    write("(")
    if parts.isEmpty { write(ifEmpty) }
    if parts.count <= 100 {
      try writeEach(parts, separator: separator, body)
    } else {
      let middle = parts.startIndex + parts.count / 2
      try writeBalanced(parts[..<middle], separator: separator, body)
      write(separator)
      try writeBalanced(parts[middle...], separator: separator, body)
    }
    write(")")
  }

  mutating func countTerms(_ count: Int) throws(RouterError) {
    termCount += count
    guard termCount <= settings.limits.filterTerms else {
      throw .invalid(
        "the filters have more than \(settings.limits.filterTerms) conditions "
          + "(`DatabaseRoute.Limits.filterTerms`)")
    }
  }

  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    switch comparison.operand {
    case .any(let values):
      try write(comparison, with: values, " OR ", ifEmpty: "(1 = 0)", in: scope)
    case .each(let values):
      try write(comparison, with: values, " AND ", ifEmpty: "(1 = 1)", in: scope)
    default:
      try countTerms(1)
      try Dialect.write(comparison, in: scope, to: &self)
    }
  }

  /// Writes a condition for each of several values.
  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, with values: [SQLiteValue], _ separator: String,
    ifEmpty: String, in scope: Scope
  ) throws {
    // The column must exist even if it is compared with no value.
    guard !values.isEmpty else {
      var unwritten = self
      try unwritten.write(comparison.column, in: scope)
      return write(ifEmpty)
    }
    try countTerms(values.count)
    try writeBalanced(values[...], separator: separator) { writer, value in
      var one = comparison
      one.operand = .value(value)
      try Dialect.write(one, in: scope, to: &writer)
    }
  }

  /// Returns the single value of a condition.
  ///
  /// - Throws: ``RouterError`` if there is another number of values, or NULL and `orNull` is `false`.
  public func value(
    of comparison: DatabaseRoute.Comparison, orNull: Bool = false
  ) throws(RouterError) -> SQLiteValue {
    guard case .value(let value) = comparison.operand,
      !orNull || value.isNull == value.isBoundAsNull
    else {
      throw .invalid(
        "\(comparison.operator) takes one value that \(Dialect.name) can store",
        column: comparison.column.name)
    }
    guard orNull || !value.isBoundAsNull else {
      throw .invalid(
        "\(comparison.operator) can't compare with NULL: use `isNull()` or `isDistinct(from:)`",
        column: comparison.column.name)
    }
    return value
  }

  /// Returns the text of a condition.
  ///
  /// - Throws: ``RouterError`` if the condition has no text.
  public func text(of comparison: DatabaseRoute.Comparison) throws(RouterError) -> String {
    guard case .text(let text) = try value(of: comparison) else {
      throw .invalid("\(comparison.operator) takes a text", column: comparison.column.name)
    }
    return text
  }

  /// Returns the values of a condition's list, none of which is NULL.
  ///
  /// - Throws: ``RouterError`` if the condition has no list, or a longer one than the limits allow.
  public func list(of comparison: DatabaseRoute.Comparison) throws(RouterError) -> [SQLiteValue] {
    guard case .list(let values) = comparison.operand else {
      throw .invalid("\(comparison.operator) takes a list", column: comparison.column.name)
    }
    guard values.count <= settings.limits.listCount else {
      throw .invalid(
        "a list has more than \(settings.limits.listCount) values",
        column: comparison.column.name)
    }
    guard !values.contains(where: \.isBoundAsNull) else {
      throw .invalid(
        "a list must not contain NULL, which equals no value", column: comparison.column.name)
    }
    return values
  }

  /// Returns an error for a condition that the engine does not support.
  public func unsupported(
    _ comparison: DatabaseRoute.Comparison, _ message: String, _ scope: Scope
  ) -> RouterError {
    RouterError(
      code: .unsupported, message: message, table: scope.table.name.name,
      column: comparison.column.name)
  }

  /// Returns the pattern of a `like` or an `iLike`.
  ///
  /// - Throws: ``RouterError`` if it is not a text, ends with a backslash, or contains a NUL character.
  public func pattern(of comparison: DatabaseRoute.Comparison) throws(RouterError) -> String {
    let pattern = try text(of: comparison)
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == 0 { throw .invalid("a pattern must not contain a NUL character") }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    if isEscaped { throw .invalid("a pattern must not end with a backslash") }
    return pattern
  }
}
