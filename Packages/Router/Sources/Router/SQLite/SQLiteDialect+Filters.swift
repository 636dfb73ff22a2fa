internal import SQLiteCore

extension SQLiteDialect {
  static func write(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope, to writer: inout Writer
  ) throws {
    let column = comparison.column
    switch comparison.operator {
    case .equals: try writer.write(comparison, "=", in: scope)
    case .notEquals: try writer.write(comparison, "<>", in: scope)
    case .greaterThan: try writer.write(comparison, ">", in: scope)
    case .greaterThanOrEquals: try writer.write(comparison, ">=", in: scope)
    case .lessThan: try writer.write(comparison, "<", in: scope)
    case .lessThanOrEquals: try writer.write(comparison, "<=", in: scope)
    case .isNull: try writer.write(comparison, test: "IS NULL", in: scope)
    case .isNotNull: try writer.write(comparison, test: "IS NOT NULL", in: scope)
    case .isTrue: try writer.write(comparison, test: "IS TRUE", in: scope)
    case .isFalse: try writer.write(comparison, test: "IS FALSE", in: scope)
    case .isDistinct:
      try writer.write(
        column, "IS NOT", try writer.value(of: comparison, orNull: true), in: scope)
    case .isNotDistinct:
      try writer.write(column, "IS", try writer.value(of: comparison, orNull: true), in: scope)
    case .like:
      try writer.write(
        column, "GLOB", .text(Self.glob(try writer.pattern(of: comparison))), in: scope)
    case .iLike:
      try writer.write(
        column, "LIKE", .text(try writer.pattern(of: comparison)), after: " ESCAPE '\\'", in: scope)
    case .in: try writer.write(comparison, list: "IN", in: scope)
    case .notIn: try writer.write(comparison, list: "NOT IN", in: scope)
    case .contains, .containedBy, .overlaps: try writer.writeArrayCondition(comparison, in: scope)
    case .search, .plainSearch, .phraseSearch, .webSearch:
      try writer.writeSearch(comparison, in: scope)
    case .matches, .iMatches: try writer.writeMatch(comparison, in: scope)
    default:
      throw writer.unsupported(
        comparison, "SQLite has no operator \(comparison.operator)", scope)
    }
  }

  /// Returns the equivalent `GLOB` pattern, which is case-sensitive, unlike SQLite's `LIKE`.
  private static func glob(_ pattern: String) -> String {
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

extension StatementWriter<SQLiteDialect> {
  /// Writes a comparison of a column with a value.
  fileprivate mutating func write(
    _ comparison: DatabaseRoute.Comparison, _ symbol: String, in scope: Scope
  ) throws {
    try write(comparison.column, symbol, try value(of: comparison), in: scope)
  }

  fileprivate mutating func write(
    _ column: DatabaseRoute.Column, _ symbol: String, _ value: SQLiteValue, after: String = "",
    in scope: Scope
  ) throws {
    write("(")
    try write(column, in: scope)
    write(" \(symbol) ")
    bind(value)
    write("\(after))")
  }

  fileprivate mutating func write(
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

  fileprivate mutating func write(
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

  fileprivate mutating func writeMatch(
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

  fileprivate mutating func writeSearch(
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
  fileprivate mutating func writeArrayCondition(
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
