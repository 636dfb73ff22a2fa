extension Parser {
  /// Indicates whether a select begins at the current token. After `(`, `WITH` always begins a
  /// select.
  @inline(__always)
  var isAtSelect: Bool { kind == .select || kind == .values || kind == .with }

  /// Reads a select before which SQLite's parser pushes `symbols` more symbols.
  mutating func parseSelect(symbols: Int) throws(SyntaxError) -> Select {
    stackDepth += symbols
    let select = try parseSelect()
    stackDepth -= symbols
    return select
  }

  /// Reads a select with its optional `WITH` clause.
  mutating func parseSelect() throws(SyntaxError) -> Select {
    try checkStack()
    let start = start
    guard kind == .with else { return try parseSelect(after: nil, from: start) }
    let with = try parseWith()
    stackDepth += 2
    let select = try parseSelect(after: with, from: start)
    stackDepth -= 2
    return select
  }

  /// Reads a select after its `WITH` clause.
  ///
  /// Sets `height` to the height of the tallest expression outside `FROM`.
  mutating func parseSelect(
    after with: WithClause?, from start: ByteOffset
  ) throws(SyntaxError) -> Select {
    var maximumHeight = 0
    var select = try parseArm(with, from: start, &maximumHeight)
    while let op = parseCompoundOperator() {
      if !select.orderBy.isEmpty || select.limit != nil {
        let clause: TokenKind = select.orderBy.isEmpty ? .limit : .order
        throw fail(.clauseBeforeCompound(clause, op.operator, at: op.span))
      }
      stackDepth += 2
      let next = try parseArm(nil, from: self.start, &maximumHeight)
      stackDepth -= 2
      select.rest.append(
        CompoundArm(op: op.operator, arm: next.first, operatorSpan: op.span))
      select.orderBy = next.orderBy
      select.limit = next.limit
      guard select.rest.count < Self.maximumCompoundArms else {
        throw fail(.tooManyArms(at: op.span))
      }
    }
    select.span = span(from: start)
    height = maximumHeight
    return select
  }

  private mutating func parseCompoundOperator() -> (operator: CompoundOperator, span: ByteSpan)? {
    let start = start
    switch kind {
    case .union:
      advance()
      let isAll = accept(.all)
      return (isAll ? .unionAll : .union, span(from: start))
    case .intersect:
      advance()
      return (.intersect, span(from: start))
    case .except:
      advance()
      return (.except, span(from: start))
    default:
      return nil
    }
  }

  /// Reads one arm, with the `ORDER BY` and `LIMIT` that only the last arm may have.
  private mutating func parseArm(
    _ with: WithClause?, from start: ByteOffset, _ maximumHeight: inout Int
  ) throws(SyntaxError) -> Select {
    switch kind {
    case .select:
      let query = try parseQuery(&maximumHeight)
      let order = index
      let orderBy = try parseOrderBy(symbols: 9, &maximumHeight)
      recordOrder(orderBy, keyword: order)
      let limit = try parseLimit(symbols: 9, &maximumHeight)
      return Select(
        with: with, first: .query(query), rest: [], orderBy: orderBy, limit: limit,
        span: span(from: start))
    case .values:
      let values = try parseValues(&maximumHeight)
      return Select(
        with: with, first: .values(values), rest: [], orderBy: [], limit: nil,
        span: span(from: start))
    default:
      throw unexpected(.select)
    }
  }

  private mutating func parseQuery(_ maximumHeight: inout Int) throws(SyntaxError) -> SelectQuery {
    let start = start
    advance()
    let quantifier = parseQuantifier()
    var columns: [ResultColumn] = []
    stackDepth += 4
    repeat {
      columns.append(try parseResultColumn())
      maximumHeight = max(maximumHeight, height)
    } while accept(.comma)
    stackDepth -= 4
    let from = kind == .from ? try parseFrom() : nil
    var condition: Expression?
    if accept(.where) {
      condition = try parseCondition(.where, symbols: 5)
      maximumHeight = max(maximumHeight, height)
    }
    var groupBy: [Expression] = []
    if accept(.group) {
      try expect(.by)
      groupBy = try parseExpressions(symbols: 7)
      maximumHeight = max(maximumHeight, height)
    }
    var having: Expression?
    if accept(.having) {
      having = try parseCondition(.having, symbols: 7)
      maximumHeight = max(maximumHeight, height)
    }
    let windows = kind == .window ? try parseWindows() : []
    return SelectQuery(
      quantifier: quantifier, columns: columns, from: from, where: condition, groupBy: groupBy,
      having: having, windows: windows, span: span(from: start))
  }

  private mutating func parseWindows() throws(SyntaxError) -> [WindowDefinition] {
    advance()
    return try parseList { (parser) throws(SyntaxError) in
      let start = parser.start
      let name = try parser.parseName()
      try parser.expect(.as)
      let window = try parser.parseWindowSpecification(symbols: 11)
      return WindowDefinition(name: name, window: window, span: parser.span(from: start))
    }
  }

  private mutating func parseValues(_ maximumHeight: inout Int) throws(SyntaxError) -> ValuesClause
  {
    let start = start
    advance()
    var rows: [[Expression]] = []
    repeat {
      try expect(.leftParenthesis)
      rows.append(try parseExpressions(symbols: rows.isEmpty ? 2 : 3))
      maximumHeight = max(maximumHeight, height)
      try expect(.rightParenthesis)
    } while accept(.comma)
    return ValuesClause(rows: rows, span: span(from: start))
  }

  /// Reads one result column and sets `height` to the height of its expression.
  mutating func parseResultColumn() throws(SyntaxError) -> ResultColumn {
    let start = start
    if accept(.star) {
      height = 1
      return ResultColumn(kind: .star, span: span(from: start))
    }
    if isAtName, kind(ahead: 1) == .dot, kind(ahead: 2) == .star, !isAtExpressionKeyword {
      height = 1
      let table = consumeIdentifier()
      advance()
      advance()
      return ResultColumn(kind: .tableStar(table), span: span(from: start))
    }
    let expression = try parseExpression()
    let alias = try parseAlias()
    return ResultColumn(kind: .expression(expression, alias: alias), span: span(from: start))
  }
}
