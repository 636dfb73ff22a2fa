extension Parser {
  /// Reads a primary expression, without operators before or after it.
  mutating func parsePrimary() throws(SyntaxError) -> Expression {
    switch kind {
    case .identifier, .indexed:
      return try parseNamed()
    case .integer, .real, .blob, .null, .currentTime, .currentDate, .currentTimestamp:
      return try parseLiteral()
    case .string:
      return kind(ahead: 1) == .dot ? try parseColumn() : try parseLiteral()
    case .parameter:
      return .parameter(try parseParameter())
    case .leftParenthesis:
      return try parseParenthesized()
    case .case:
      return try parseCase()
    case .cast:
      return try parseCast()
    case .exists:
      return try parseExists()
    case .raise:
      return try parseRaise()
    default:
      if kind.isFallback { return try parseNamed() }
      if kind.isJoinKeyword { return try parseColumn() }
      throw unexpected(.expression)
    }
  }

  @inline(__always)
  private mutating func parseNamed() throws(SyntaxError) -> Expression {
    kind(ahead: 1) == .leftParenthesis ? try parseFunctionCall() : try parseColumn()
  }

  private mutating func parseColumn() throws(SyntaxError) -> Expression {
    height = 1
    let first = consumeIdentifier()
    guard accept(.dot) else {
      return .column(ColumnReference(schema: nil, table: nil, column: first, span: first.span))
    }
    let second = try parseName()
    guard accept(.dot) else {
      return .column(
        ColumnReference(
          schema: nil, table: first, column: second, span: first.span.union(second.span)))
    }
    let third = try parseName()
    return .column(
      ColumnReference(
        schema: first, table: second, column: third, span: first.span.union(third.span)))
  }

  /// Reads a literal; the current token must be one.
  mutating func parseLiteral() throws(SyntaxError) -> Expression {
    height = 1
    let span = current.span
    let value: Literal
    switch kind {
    case .integer:
      let digits = number(span)
      value = .integer(digits)
      if span.count > 18, source.bytes[span.start.value + 1] | 0x20 == UInt8(ascii: "x"),
        value.integerValue == nil
      {
        throw fail(.hexNumberTooLarge(at: span))
      }
    case .real: value = .real(number(span))
    case .string: value = .string(unquoted(span))
    case .blob: value = .blob(blob(span))
    case .currentTime: value = .currentTime
    case .currentDate: value = .currentDate
    case .currentTimestamp: value = .currentTimestamp
    default: value = .null
    }
    advance()
    return .literal(LiteralExpression(value: value, span: span))
  }

  /// Returns the number's text without digit separators.
  private func number(_ span: ByteSpan) -> String {
    let written = text(span.range)
    return options.target >= SQLiteVersion(3, 46) && written.contains("_")
      ? written.replacing("_", with: "") : written
  }

  private func blob(_ span: ByteSpan) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 { byte < 0x40 ? byte & 0x0F : (byte & 0x0F) + 9 }
    return stride(from: span.start.value + 2, to: span.end.value - 1, by: 2).map {
      digit(source.bytes[$0]) << 4 | digit(source.bytes[$0 + 1])
    }
  }

  /// Reads a parameter; the current token must be one.
  mutating func parseParameter() throws(SyntaxError) -> Parameter {
    height = 1
    let span = current.span
    let text = text(span.range)
    let isNumbered = text.utf8.first == UInt8(ascii: "?")
    if isNumbered, span.count > 1 {
      guard let number = Int(text.dropFirst()), number >= 1,
        number <= Self.maximumParameterNumber
      else { throw fail(.parameterNumberOutOfRange(at: span)) }
      advance()
      return Parameter(kind: .numbered(number), span: span)
    }
    // `#1` is an internal register of SQLite, which no statement can name.
    if source.bytes[span.start.value] == UInt8(ascii: "#"),
      Lexer.isDigit(source.bytes[span.start.value + 1])
    {
      throw unexpected(.expression)
    }
    advance()
    if let warning = castDiagnostic(of: span) { diagnostics.append(warning) }
    return Parameter(kind: isNumbered ? .anonymous : .named(text), span: span)
  }

  private mutating func parseParenthesized() throws(SyntaxError) -> Expression {
    let start = start
    advance()
    if isAtSelect {
      let select = try parseSelect(symbols: 1)
      try expect(.rightParenthesis)
      try updateHeight(height, from: start)
      return .subquery(SubqueryExpression(select: select, span: span(from: start)))
    }
    try checkStack(for: 3)
    let inner = try parseExpression(symbols: 1)
    guard accept(.comma) else {
      try expect(.rightParenthesis)
      return .parenthesized(ParenthesizedExpression(inner: inner, span: span(from: start)))
    }
    var maximumHeight = height
    let others = try parseExpressions(symbols: 3)
    maximumHeight = max(maximumHeight, height)
    try expect(.rightParenthesis)
    try updateHeight(maximumHeight, from: start)
    return .row(RowExpression(elements: [inner] + others, span: span(from: start)))
  }

  private mutating func parseExists() throws(SyntaxError) -> Expression {
    let start = start
    advance()
    try expect(.leftParenthesis)
    let select = try parseSelect(symbols: 2)
    try expect(.rightParenthesis)
    try updateHeight(height, from: start)
    return .exists(ExistsExpression(select: select, span: span(from: start)))
  }

  private mutating func parseCast() throws(SyntaxError) -> Expression {
    let start = start
    advance()
    try expect(.leftParenthesis)
    let operand = try parseExpression(symbols: 2)
    try expect(.as)
    let type = try parseTypeName()
    try expect(.rightParenthesis)
    try updateHeight(height, from: start)
    return .cast(CastExpression(operand: operand, type: type, span: span(from: start)))
  }

  private mutating func parseCase() throws(SyntaxError) -> Expression {
    let start = start
    advance()
    var maximumHeight = 0
    var base: Expression?
    if kind != .when {
      base = try parseExpression(symbols: 1)
      maximumHeight = height
    }
    var branches: [CaseExpression.Branch] = []
    repeat {
      try expect(.when)
      let symbols = branches.isEmpty ? 3 : 4
      let condition = try parseExpression(symbols: symbols)
      maximumHeight = max(maximumHeight, height)
      try expect(.then)
      let result = try parseExpression(symbols: symbols + 2)
      maximumHeight = max(maximumHeight, height)
      branches.append(CaseExpression.Branch(condition: condition, result: result))
    } while kind == .when
    var otherwise: Expression?
    if accept(.else) {
      otherwise = try parseExpression(symbols: 4)
      maximumHeight = max(maximumHeight, height)
    }
    try expect(.end)
    try updateHeight(maximumHeight, from: start)
    return .case(
      CaseExpression(
        base: base, branches: branches, otherwise: otherwise, span: span(from: start)))
  }
}
