extension Parser {
  /// Reads `WITH …`; the current token is `WITH`.
  mutating func parseWith() throws(SyntaxError) -> WithClause {
    let start = start
    advance()
    let isRecursive = accept(.recursive)
    var tables: [CommonTable] = []
    repeat {
      tables.append(try parseCommonTable(symbols: tables.isEmpty ? 5 : 7))
    } while accept(.comma)
    return WithClause(isRecursive: isRecursive, tables: tables, span: span(from: start))
  }

  private mutating func parseCommonTable(symbols: Int) throws(SyntaxError) -> CommonTable {
    let start = start
    let name = try parseName()
    let columns = try parseOptionalNames()
    try expect(.as)
    var materialization: CommonTable.Materialization?
    if accept(.not) {
      try expect(.materialized)
      materialization = .notMaterialized
    } else if accept(.materialized) {
      materialization = .materialized
    }
    try expect(.leftParenthesis)
    let select = try parseSelect(symbols: symbols)
    try expect(.rightParenthesis)
    return CommonTable(
      name: name, columns: columns, materialization: materialization, select: select,
      span: span(from: start))
  }

  /// Reads `ORDER BY …`, if present.
  mutating func parseOrderBy(
    symbols: Int = 2
  ) throws(SyntaxError) -> [OrderingTerm] {
    var maximumHeight = 0
    return try parseOrderBy(symbols: symbols, &maximumHeight)
  }

  mutating func parseOrderBy(
    symbols: Int, _ maximumHeight: inout Int
  ) throws(SyntaxError) -> [OrderingTerm] {
    guard accept(.order) else { return [] }
    try expect(.by)
    return try parseOrderingTerms(symbols: symbols, &maximumHeight)
  }

  /// Reads the parenthesized ordering terms of an index or key.
  mutating func parseKeyColumns(symbols: Int) throws(SyntaxError) -> [OrderingTerm] {
    var maximumHeight = 0
    try expect(.leftParenthesis)
    let terms = try parseOrderingTerms(symbols: symbols, &maximumHeight)
    try expect(.rightParenthesis)
    return terms
  }

  /// Reads comma-separated ordering terms.
  mutating func parseOrderingTerms(
    symbols: Int, _ maximumHeight: inout Int
  ) throws(SyntaxError) -> [OrderingTerm] {
    var terms: [OrderingTerm] = []
    stackDepth += symbols
    repeat {
      let start = start
      let expression = try parseExpression()
      maximumHeight = max(maximumHeight, height)
      let direction = parseDirection()
      let nulls = try parseNullsPlacement()
      terms.append(
        OrderingTerm(
          expression: expression, direction: direction, nulls: nulls, span: span(from: start)))
      if terms.count == 1 { stackDepth += 2 }
    } while accept(.comma)
    stackDepth -= symbols + 2
    return terms
  }

  /// Reads `ASC` or `DESC`, if present.
  mutating func parseDirection() -> SortDirection? {
    if accept(.asc) { return .ascending }
    return accept(.desc) ? .descending : nil
  }

  mutating func parseNullsPlacement() throws(SyntaxError) -> NullsPlacement? {
    guard accept(.nulls) else { return nil }
    if accept(.first) { return .first }
    guard accept(.last) else { throw unexpected(.eitherToken(.first, .last)) }
    return .last
  }

  /// Reads `LIMIT …`, if present.
  mutating func parseLimit(
    symbols: Int, _ maximumHeight: inout Int
  ) throws(SyntaxError) -> LimitClause? {
    let start = start
    guard accept(.limit) else { return nil }
    let first = try parseExpression(symbols: symbols)
    maximumHeight = max(maximumHeight, height)
    guard kind == .offset || kind == .comma else {
      return LimitClause(
        count: first, offset: nil, isOffsetFirst: false, span: span(from: start))
    }
    let isOffsetFirst = kind == .comma
    advance()
    let second = try parseExpression(symbols: symbols + 2)
    maximumHeight = max(maximumHeight, height)
    return LimitClause(
      count: isOffsetFirst ? second : first, offset: isOffsetFirst ? first : second,
      isOffsetFirst: isOffsetFirst, span: span(from: start))
  }

  /// Reads `RETURNING …`, if present.
  mutating func parseReturning() throws(SyntaxError) -> [ResultColumn] {
    let start = start
    guard accept(.returning) else { return [] }
    stackDepth += 8
    let columns = try parseList { (parser) throws(SyntaxError) in
      try parser.parseResultColumn()
    }
    stackDepth -= 8
    if isInTrigger { throw fail(.returningInTrigger(at: span(from: start))) }
    return columns
  }

  /// Reads the conflict resolution after `OR` or `ON CONFLICT`.
  mutating func parseConflictResolution() throws(SyntaxError) -> ConflictResolution {
    let resolution: ConflictResolution
    switch kind {
    case .rollback: resolution = .rollback
    case .abort: resolution = .abort
    case .fail: resolution = .fail
    case .ignore: resolution = .ignore
    case .replace: resolution = .replace
    default: throw unexpected(.conflictResolution)
    }
    advance()
    return resolution
  }

  /// Reads `OR …`, if present.
  mutating func parseOrConflict() throws(SyntaxError) -> ConflictResolution? {
    accept(.or) ? try parseConflictResolution() : nil
  }

  /// Reads `ON CONFLICT …`, if present.
  mutating func parseOnConflict() throws(SyntaxError) -> ConflictResolution? {
    guard accept(.on) else { return nil }
    try expect(.conflict)
    return try parseConflictResolution()
  }
}
