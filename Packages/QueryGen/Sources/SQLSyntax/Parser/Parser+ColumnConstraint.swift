extension Parser {
  /// Reads one constraint of a column; `nil` where there is none.
  mutating func parseColumnConstraint() throws(SyntaxFailure) -> ColumnConstraint? {
    let start = start
    var name: Identifier?
    if accept(.constraint) {
      name = try parseName()
      // A name may stand alone, before another or at the end.
      guard kind != .constraint else {
        return ColumnConstraint(name: name, kind: .nameOnly, span: span(from: start))
      }
    }
    guard let kind = try parseColumnConstraintKind() else {
      guard name != nil else { return nil }
      return ColumnConstraint(name: name, kind: .nameOnly, span: span(from: start))
    }
    return ColumnConstraint(name: name, kind: kind, span: span(from: start))
  }

  private mutating func parseColumnConstraintKind() throws(SyntaxFailure) -> ColumnConstraint.Kind?
  {
    switch kind {
    case .primary:
      return try parseColumnPrimaryKey()
    case .not:
      if kind(ahead: 1) == .deferrable { return .deferral(try parseDeferral()) }
      advance()
      guard accept(.null) else { throw unexpected(.eitherToken(.null, .deferrable)) }
      return .notNull(conflict: try parseOnConflict())
    case .null:
      advance()
      return .null(conflict: try parseOnConflict())
    case .unique:
      advance()
      return .unique(conflict: try parseOnConflict())
    case .check:
      advance()
      return .check(try parseInParentheses(symbols: 6))
    case .default:
      advance()
      return .default(try parseDefaultValue())
    case .collate:
      advance()
      guard isAtWord else { throw unexpected(.name) }
      return .collate(takeIdentifier())
    case .references:
      return .references(try parseForeignKeyReference())
    case .deferrable:
      return .deferral(try parseDeferral())
    case .generated, .as:
      return try parseGenerated()
    default:
      return nil
    }
  }

  private mutating func parseColumnPrimaryKey() throws(SyntaxFailure) -> ColumnConstraint.Kind {
    advance()
    try expect(.key)
    let direction = parseDirection()
    let conflict = try parseOnConflict()
    let isAutoincrement = accept(.autoincrement)
    return .primaryKey(
      direction: direction, conflict: conflict, isAutoincrement: isAutoincrement)
  }

  /// Reads `(expression)`.
  mutating func parseInParentheses(symbols: Int) throws(SyntaxFailure) -> Expression {
    try expect(.leftParenthesis)
    let expression = try parseExpression(symbols: symbols)
    try expect(.rightParenthesis)
    return expression
  }

  private mutating func parseDefaultValue() throws(SyntaxFailure) -> DefaultValue {
    let start = start
    switch kind {
    case .leftParenthesis:
      return .expression(try parseInParentheses(symbols: 8))
    case .plus, .minus:
      let op: UnaryExpression.Operator = kind == .plus ? .plus : .minus
      advance()
      guard Self.isLiteral(kind) else { throw unexpected(.typeArgument) }
      let operand = try parseLiteral()
      return .literal(
        .unary(UnaryExpression(op: op, operand: operand, span: span(from: start))))
    default:
      if Self.isLiteral(kind) { return .literal(try parseLiteral()) }
      guard kind == .identifier || kind == .indexed || kind.isFallback else {
        throw unexpected(.defaultValue)
      }
      return .identifier(takeIdentifier())
    }
  }

  private static func isLiteral(_ kind: TokenKind) -> Bool {
    switch kind {
    case .integer, .real, .blob, .string, .null, .currentTime, .currentDate, .currentTimestamp:
      true
    default: false
    }
  }

  private mutating func parseGenerated() throws(SyntaxFailure) -> ColumnConstraint.Kind {
    if accept(.generated) { try expect(.always) }
    try expect(.as)
    let expression = try parseInParentheses(symbols: 8)
    guard kind == .identifier || kind.isFallback else {
      return .generated(expression, storage: nil)
    }
    let storage = takeIdentifier()
    switch storage.folded {
    case "virtual" where storage.quoting == .bare: return .generated(expression, storage: .virtual)
    case "stored" where storage.quoting == .bare: return .generated(expression, storage: .stored)
    default: throw fail(.unknownGeneratedStorage(storage))
    }
  }
}
