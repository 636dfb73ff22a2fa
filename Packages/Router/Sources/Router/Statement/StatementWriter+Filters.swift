internal import SQLiteCore

extension StatementWriter {
  /// Writes ` WHERE …` if there is a filter.
  mutating func writeWhere(_ filter: DatabaseRoute.Filter?, in scope: Scope) throws {
    guard let filter else { return }
    write(" WHERE ")
    try write(filter, in: scope)
  }

  /// Writes a filter as a self-contained expression.
  mutating func write(_ filter: DatabaseRoute.Filter, in scope: Scope) throws {
    switch filter.form {
    case .all: write("1")
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
  mutating func writeBalanced<Part>(
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
    guard termCount <= settings.values.limits.filterTerms else {
      throw .invalid(
        "the filters have more than \(settings.values.limits.filterTerms) conditions "
          + "(`DatabaseRoute.Limits.filterTerms`)")
    }
  }

  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    switch comparison.operand {
    case .any(let values): try write(comparison, with: values, " OR ", ifEmpty: "0", in: scope)
    case .each(let values): try write(comparison, with: values, " AND ", ifEmpty: "1", in: scope)
    default:
      try countTerms(1)
      try writeOne(comparison, in: scope)
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
      try writer.writeOne(one, in: scope)
    }
  }

  private mutating func writeOne(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    let column = comparison.column
    switch comparison.operator {
    case .equals: try write(comparison, "=", in: scope)
    case .notEquals: try write(comparison, "<>", in: scope)
    case .greaterThan: try write(comparison, ">", in: scope)
    case .greaterThanOrEquals: try write(comparison, ">=", in: scope)
    case .lessThan: try write(comparison, "<", in: scope)
    case .lessThanOrEquals: try write(comparison, "<=", in: scope)
    case .isNull: try write(comparison, test: "IS NULL", in: scope)
    case .isNotNull: try write(comparison, test: "IS NOT NULL", in: scope)
    case .isTrue: try write(comparison, test: "IS TRUE", in: scope)
    case .isFalse: try write(comparison, test: "IS FALSE", in: scope)
    case .isDistinct:
      try write(column, "IS NOT", try value(of: comparison, orNull: true), in: scope)
    case .isNotDistinct: try write(column, "IS", try value(of: comparison, orNull: true), in: scope)
    case .like:
      try write(column, "GLOB", .text(try Self.glob(try text(of: comparison))), in: scope)
    case .iLike:
      let pattern = try text(of: comparison)
      try Self.checkPattern(pattern)
      try write(column, "LIKE", .text(pattern), after: " ESCAPE '\\'", in: scope)
    case .in: try write(comparison, list: "IN", in: scope)
    case .notIn: try write(comparison, list: "NOT IN", in: scope)
    case .contains, .containedBy, .overlaps: try writeArrayCondition(comparison, in: scope)
    case .search, .plainSearch, .phraseSearch, .webSearch: try writeSearch(comparison, in: scope)
    case .matches, .iMatches: try writeMatch(comparison, in: scope)
    default: throw unsupported(comparison, "SQLite has no operator \(comparison.operator)", scope)
    }
  }

  /// Writes a comparison of a column with a value.
  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, _ symbol: String, in scope: Scope
  ) throws {
    try write(comparison.column, symbol, try value(of: comparison), in: scope)
  }

  mutating func write(
    _ column: DatabaseRoute.Column, _ symbol: String, _ value: SQLiteValue, after: String = "",
    in scope: Scope
  ) throws {
    write("(")
    try write(column, in: scope)
    write(" \(symbol) ")
    bind(value)
    write("\(after))")
  }

  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, test: String, in scope: Scope
  ) throws {
    guard case .none = comparison.operand else {
      throw RouterError.invalid(
        "\(comparison.operator) takes no value", column: comparison.column.name)
    }
    write("(")
    try write(comparison.column, in: scope)
    write(" \(test))")
  }

  private mutating func write(
    _ comparison: DatabaseRoute.Comparison, list symbol: String, in scope: Scope
  ) throws {
    let values = try list(of: comparison)
    write("(")
    try write(comparison.column, in: scope)
    // A single parameter holds the list, so that the text is independent of its length.
    write(" \(symbol) (SELECT value FROM array_each(")
    bind(list: values)
    write(")))")
  }

  /// Returns the single value of a condition.
  private func value(
    of comparison: DatabaseRoute.Comparison, orNull: Bool = false
  ) throws(RouterError) -> SQLiteValue {
    guard case .value(let value) = comparison.operand,
      !orNull || value.isNull == value.isBoundAsNull
    else {
      throw .invalid(
        "\(comparison.operator) takes one value that SQLite can store",
        column: comparison.column.name)
    }
    guard orNull || !value.isBoundAsNull else {
      throw .invalid(
        "\(comparison.operator) can't compare with NULL: use `isNull()` or `isDistinct(from:)`",
        column: comparison.column.name)
    }
    return value
  }

  func text(of comparison: DatabaseRoute.Comparison) throws(RouterError) -> String {
    guard case .text(let text) = try value(of: comparison) else {
      throw .invalid("\(comparison.operator) takes a text", column: comparison.column.name)
    }
    return text
  }

  func list(of comparison: DatabaseRoute.Comparison) throws(RouterError) -> [SQLiteValue] {
    guard case .list(let values) = comparison.operand else {
      throw .invalid("\(comparison.operator) takes a list", column: comparison.column.name)
    }
    guard values.count <= settings.values.limits.listCount else {
      throw .invalid(
        "a list has more than \(settings.values.limits.listCount) values",
        column: comparison.column.name)
    }
    guard !values.contains(where: \.isBoundAsNull) else {
      throw .invalid(
        "a list must not contain NULL, which equals no value", column: comparison.column.name)
    }
    return values
  }

  func unsupported(
    _ comparison: DatabaseRoute.Comparison, _ message: String, _ scope: Scope
  ) -> RouterError {
    RouterError(
      code: .unsupported, message: message, table: scope.table.name.name,
      column: comparison.column.name)
  }

  private mutating func writeMatch(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    if writesText, try !catalog.hasFunction("regexp") {
      throw unsupported(
        comparison, "\(comparison.operator) needs a function `regexp`, which the connection lacks",
        scope)
    }
    let pattern = try text(of: comparison)
    let prefix = comparison.operator == .iMatches ? "(?i)" : ""
    try write(comparison.column, "REGEXP", .text(prefix + pattern), in: scope)
  }

  private mutating func writeSearch(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    // The table of a cached statement was checked when the statement was generated.
    let isFullText = !writesText || scope.table.module?.name.isSameName(as: "fts5") ?? false
    guard isFullText, scope.groups == nil, comparison.column.path.isEmpty else {
      throw unsupported(comparison, "\(scope.table.name.name) is not a full-text table", scope)
    }
    let text = try text(of: comparison)
    let query: FullTextQuery =
      switch comparison.operator {
      case .plainSearch: .words(text)
      case .phraseSearch: .phrase(text)
      case .webSearch: .web(text)
      default: .raw(text)
      }
    if query.excludesOnly {
      throw RouterError.invalid("a search needs at least one term that is not excluded")
    }
    // A text without words matches nothing; an empty query would be a syntax error.
    try write(comparison.column, "MATCH", .text(query.expression ?? "\"\""), in: scope)
  }

  /// Writes a condition on a JSON array. It is unknown for a column that does not contain an array.
  private mutating func writeArrayCondition(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope
  ) throws {
    let wanted = try list(of: comparison)
    let (list, member) = (SQLName.quoted(freshAlias()), SQLName.quoted(freshAlias()))
    let column = comparison.column
    write("(CASE WHEN json_valid(")
    try write(column, in: scope)
    write(") THEN CASE WHEN json_type(")
    try write(column, in: scope)
    write(") = 'array' THEN ")
    let isSame = "\(member).value IS \(list).value"
    switch comparison.operator {
    case .contains:
      write("NOT EXISTS (SELECT 1 FROM array_each(")
      bind(list: wanted)
      write(") AS \(list) WHERE NOT EXISTS (SELECT 1 FROM json_each(")
      try write(column, in: scope)
      write(") AS \(member) WHERE \(isSame)))")
    case .containedBy:
      write("NOT EXISTS (SELECT 1 FROM json_each(")
      try write(column, in: scope)
      write(") AS \(member) WHERE NOT EXISTS (SELECT 1 FROM array_each(")
      bind(list: wanted)
      write(") AS \(list) WHERE \(isSame)))")
    default:
      write("EXISTS (SELECT 1 FROM json_each(")
      try write(column, in: scope)
      write(") AS \(member), array_each(")
      bind(list: wanted)
      write(") AS \(list) WHERE \(isSame))")
    }
    write(" END END)")
  }
}

extension StatementWriter {
  /// - Throws: ``RouterError`` if the pattern ends with a backslash or contains a NUL character.
  private static func checkPattern(_ pattern: String) throws(RouterError) {
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == 0 { throw .invalid("a pattern must not contain a NUL character") }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    if isEscaped { throw .invalid("a pattern must not end with a backslash") }
  }

  /// Returns the equivalent `GLOB` pattern, which is case-sensitive, unlike SQLite's `LIKE`.
  private static func glob(_ pattern: String) throws(RouterError) -> String {
    try checkPattern(pattern)
    var glob = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped {
        switch scalar {
        case "\\":
          isEscaped = true
          continue
        case "%":
          glob.unicodeScalars.append("*")
          continue
        case "_":
          glob.unicodeScalars.append("?")
          continue
        default: break
        }
      }
      isEscaped = false
      switch scalar {
      case "*", "?", "[":
        glob.unicodeScalars.append("[")
        glob.unicodeScalars.append(scalar)
        glob.unicodeScalars.append("]")
      default: glob.unicodeScalars.append(scalar)
      }
    }
    return glob
  }
}
