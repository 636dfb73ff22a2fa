extension Parser {
  /// Indicates whether a select begins at the current token. After `(`, `WITH` always begins a
  /// select.
  @inline(__always)
  var isAtSelect: Bool { kind == .select || kind == .values || kind == .with }

  /// Reads a select before which SQLite's parser pushes `symbols` more symbols.
  mutating func parseSelect(symbols: Int) throws(SyntaxFailure) -> Select {
    stackDepth += symbols
    let select = try parseSelect()
    stackDepth -= symbols
    return select
  }

  /// Reads a select with its optional `WITH` clause.
  mutating func parseSelect() throws(SyntaxFailure) -> Select {
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
  ) throws(SyntaxFailure) -> Select {
    var greatest = 0
    var select = try parseArm(with, from: start, &greatest)
    while let op = parseCompoundOperator() {
      if !select.orderBy.isEmpty || select.limit != nil {
        let clause: TokenKind = select.orderBy.isEmpty ? .limit : .order
        throw fail(.clauseBeforeCompound(clause, op.operator, at: op.span))
      }
      stackDepth += 2
      let next = try parseArm(nil, from: self.start, &greatest)
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
    height = greatest
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
    _ with: WithClause?, from start: ByteOffset, _ greatest: inout Int
  ) throws(SyntaxFailure) -> Select {
    switch kind {
    case .select:
      let query = try parseQuery(&greatest)
      let orderBy = try parseOrderBy(symbols: 9, &greatest)
      let limit = try parseLimit(symbols: 9, &greatest)
      return Select(
        with: with, first: .query(query), rest: [], orderBy: orderBy, limit: limit,
        span: span(from: start))
    case .values:
      let values = try parseValues(&greatest)
      return Select(
        with: with, first: .values(values), rest: [], orderBy: [], limit: nil,
        span: span(from: start))
    default:
      throw unexpected(.select)
    }
  }

  private mutating func parseQuery(_ greatest: inout Int) throws(SyntaxFailure) -> SelectQuery {
    let start = start
    advance()
    let quantifier = parseQuantifier()
    var columns: [ResultColumn] = []
    stackDepth += 4
    repeat {
      columns.append(try parseResultColumn())
      greatest = max(greatest, height)
    } while accept(.comma)
    stackDepth -= 4
    let from = kind == .from ? try parseFrom() : nil
    var condition: Expression?
    if accept(.where) {
      condition = try parseExpression(symbols: 5)
      greatest = max(greatest, height)
    }
    var groupBy: [Expression] = []
    if accept(.group) {
      try expect(.by)
      groupBy = try parseExpressions(symbols: 7)
      greatest = max(greatest, height)
    }
    var having: Expression?
    if accept(.having) {
      having = try parseExpression(symbols: 7)
      greatest = max(greatest, height)
    }
    let windows = kind == .window ? try parseWindows() : []
    return SelectQuery(
      quantifier: quantifier, columns: columns, from: from, where: condition, groupBy: groupBy,
      having: having, windows: windows, span: span(from: start))
  }

  private mutating func parseWindows() throws(SyntaxFailure) -> [WindowDefinition] {
    advance()
    return try parseList { (parser) throws(SyntaxFailure) in
      let start = parser.start
      let name = try parser.parseName()
      try parser.expect(.as)
      let window = try parser.parseWindowSpecification(symbols: 11)
      return WindowDefinition(name: name, window: window, span: parser.span(from: start))
    }
  }

  private mutating func parseValues(_ greatest: inout Int) throws(SyntaxFailure) -> ValuesClause {
    let start = start
    advance()
    var rows: [[Expression]] = []
    repeat {
      try expect(.leftParenthesis)
      rows.append(try parseExpressions(symbols: rows.isEmpty ? 2 : 3))
      greatest = max(greatest, height)
      try expect(.rightParenthesis)
    } while accept(.comma)
    return ValuesClause(rows: rows, span: span(from: start))
  }

  /// Reads one result column and sets `height` to the height of its expression.
  mutating func parseResultColumn() throws(SyntaxFailure) -> ResultColumn {
    let start = start
    if accept(.star) {
      height = 1
      return ResultColumn(kind: .star, span: span(from: start))
    }
    if isAtName, kind(ahead: 1) == .dot, kind(ahead: 2) == .star, !isAtExpressionKeyword {
      height = 1
      let table = takeIdentifier()
      advance()
      advance()
      return ResultColumn(kind: .tableStar(table), span: span(from: start))
    }
    let expression = try parseExpression()
    let alias = try parseAlias()
    return ResultColumn(kind: .expression(expression, alias: alias), span: span(from: start))
  }
}
