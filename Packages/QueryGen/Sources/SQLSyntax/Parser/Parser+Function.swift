extension Parser {
  /// Reads a function call with its `FILTER` and `OVER`. The current token is the name, the next is
  /// `(`.
  mutating func parseFunctionCall() throws(SyntaxError) -> Expression {
    let start = start
    let name = consumeIdentifier()
    advance()
    let (arguments, orderBy) = try parseArguments(of: name)
    var maximumHeight = height
    var filter: Expression?
    if kind == .filter {
      filter = try parseFilter()
      maximumHeight = max(maximumHeight, height)
    }
    let over = kind == .over ? try parseOver() : nil
    try updateHeight(maximumHeight, from: start)
    return .function(
      FunctionCall(
        name: name, arguments: arguments, orderBy: orderBy, filter: filter, over: over,
        span: span(from: start)))
  }

  private mutating func parseArguments(
    of name: Identifier
  ) throws(SyntaxError) -> (FunctionCall.Arguments, [OrderingTerm]) {
    height = 0
    if kind == .star {
      advance()
      try expect(.rightParenthesis)
      return (.star, [])
    }
    let quantifier = parseQuantifier()
    if kind == .rightParenthesis {
      advance()
      return (.list([], quantifier: quantifier), [])
    }
    let expressions = try parseExpressions(symbols: 3)
    if kind == .order {
      try require(SQLiteVersion(3, 44), for: "ORDER BY in a function call", at: current.span)
    }
    let orderBy = try parseOrderBy()
    try expect(.rightParenthesis)
    guard expressions.count <= Self.maximumArgumentCount else {
      throw fail(.tooManyArguments(name))
    }
    return (.list(expressions, quantifier: quantifier), orderBy)
  }

  /// Reads `DISTINCT` or `ALL`, if present.
  mutating func parseQuantifier() -> SetQuantifier? {
    if accept(.distinct) { return .distinct }
    return accept(.all) ? .all : nil
  }

  private mutating func parseFilter() throws(SyntaxError) -> Expression {
    advance()
    try expect(.leftParenthesis)
    try expect(.where)
    let condition = try parseExpression(symbols: 7)
    try expect(.rightParenthesis)
    return condition
  }

  private mutating func parseOver() throws(SyntaxError) -> OverClause {
    advance()
    guard kind == .leftParenthesis else { return .named(try parseName()) }
    return .specification(try parseWindowSpecification(symbols: 5))
  }

  /// Reads `(base PARTITION BY … ORDER BY … frame)`.
  mutating func parseWindowSpecification(
    symbols: Int
  ) throws(SyntaxError) -> WindowSpecification {
    let start = start
    try expect(.leftParenthesis)
    stackDepth += symbols
    var base: Identifier?
    switch kind {
    case .partition, .order, .range, .rows, .groups, .rightParenthesis: break
    default: base = try parseName()
    }
    var partitionBy: [Expression] = []
    if accept(.partition) {
      try expect(.by)
      partitionBy = try parseExpressions(symbols: 2)
    }
    let orderBy = try parseOrderBy()
    let frame = try parseFrame()
    stackDepth -= symbols
    try expect(.rightParenthesis)
    return WindowSpecification(
      base: base, partitionBy: partitionBy, orderBy: orderBy, frame: frame,
      span: span(from: start))
  }

  private mutating func parseFrame() throws(SyntaxError) -> WindowFrame? {
    let start = start
    let unit: WindowFrame.Unit
    switch kind {
    case .rows: unit = .rows
    case .range: unit = .range
    case .groups: unit = .groups
    default: return nil
    }
    advance()
    let first: WindowFrame.Bound
    var second: WindowFrame.Bound?
    if accept(.between) {
      first = try parseBound(isEnd: false)
      try expect(.and)
      second = try parseBound(isEnd: true)
    } else {
      first = try parseBound(isEnd: false)
    }
    guard Self.isSupported(first, second) else {
      throw fail(.unsupportedFrame(at: span(from: start)))
    }
    let exclusion = accept(.exclude) ? try parseExclusion() : nil
    return WindowFrame(
      unit: unit, start: first, end: second, exclusion: exclusion, span: span(from: start))
  }

  private mutating func parseBound(isEnd: Bool) throws(SyntaxError) -> WindowFrame.Bound {
    if accept(.unbounded) {
      try expect(isEnd ? .following : .preceding)
      return isEnd ? .unboundedFollowing : .unboundedPreceding
    }
    if accept(.current) {
      try expect(.row)
      return .currentRow
    }
    let distance = try parseExpression(symbols: isEnd ? 4 : 2)
    if accept(.preceding) { return .preceding(distance) }
    if accept(.following) { return .following(distance) }
    throw unexpected(.frameBound)
  }

  /// Returns whether the frame doesn't end before it starts. A frame without an end ends at the
  /// current row.
  private static func isSupported(
    _ start: WindowFrame.Bound, _ end: WindowFrame.Bound?
  ) -> Bool {
    switch (start, end ?? .currentRow) {
    case (.currentRow, .preceding), (.following, .preceding), (.following, .currentRow): false
    default: true
    }
  }

  private mutating func parseExclusion() throws(SyntaxError) -> WindowFrame.Exclusion {
    if accept(.no) {
      try expect(.others)
      return .noOthers
    }
    if accept(.current) {
      try expect(.row)
      return .currentRow
    }
    if accept(.group) { return .group }
    if accept(.ties) { return .ties }
    throw unexpected(.frameExclusion)
  }
}
