extension Parser {
  /// Reads one column constraint, or returns `nil` if none follows.
  mutating func parseColumnConstraint() throws(SyntaxError) -> ColumnConstraint? {
    let start = start
    var name: Identifier?
    if accept(.constraint) {
      name = try parseName()
      // `CONSTRAINT name` needs no constraint after it: another one or the end may follow.
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

  private mutating func parseColumnConstraintKind() throws(SyntaxError) -> ColumnConstraint.Kind? {
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
      return .collate(consumeIdentifier())
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

  private mutating func parseColumnPrimaryKey() throws(SyntaxError) -> ColumnConstraint.Kind {
    advance()
    try expect(.key)
    let direction = parseDirection()
    let conflict = try parseOnConflict()
    let isAutoincrement = accept(.autoincrement)
    return .primaryKey(
      direction: direction, conflict: conflict, isAutoincrement: isAutoincrement)
  }

  /// Reads `(expression)`.
  mutating func parseInParentheses(symbols: Int) throws(SyntaxError) -> Expression {
    try expect(.leftParenthesis)
    let expression = try parseExpression(symbols: symbols)
    try expect(.rightParenthesis)
    return expression
  }

  private mutating func parseDefaultValue() throws(SyntaxError) -> DefaultValue {
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
      return .identifier(consumeIdentifier())
    }
  }

  private static func isLiteral(_ kind: TokenKind) -> Bool {
    switch kind {
    case .integer, .real, .blob, .string, .null, .currentTime, .currentDate, .currentTimestamp:
      true
    default: false
    }
  }

  private mutating func parseGenerated() throws(SyntaxError) -> ColumnConstraint.Kind {
    if accept(.generated) { try expect(.always) }
    try expect(.as)
    let expression = try parseInParentheses(symbols: 8)
    guard kind == .identifier || kind.isFallback else {
      return .generated(expression, storage: nil)
    }
    let storage = consumeIdentifier()
    switch storage.folded {
    case "virtual" where storage.quoting == .bare: return .generated(expression, storage: .virtual)
    case "stored" where storage.quoting == .bare: return .generated(expression, storage: .stored)
    default: throw fail(.unknownGeneratedStorage(storage))
    }
  }
}

extension Parser {
  /// Indicates whether the current token begins a table constraint.
  var isAtTableConstraint: Bool {
    switch kind {
    case .constraint, .primary, .unique, .check, .foreign: true
    default: false
    }
  }

  /// Reads table constraints. The commas between them are optional.
  mutating func parseTableConstraints() throws(SyntaxError) -> [TableConstraint] {
    var constraints: [TableConstraint] = []
    repeat {
      guard isAtTableConstraint else { throw unexpected(.tableConstraint) }
      constraints.append(try parseTableConstraint())
    } while accept(.comma) || isAtTableConstraint
    return constraints
  }

  private mutating func parseTableConstraint() throws(SyntaxError) -> TableConstraint {
    let start = start
    var name: Identifier?
    if accept(.constraint) {
      name = try parseName()
      guard isAtTableConstraint, kind != .constraint else {
        return TableConstraint(name: name, kind: .nameOnly, span: span(from: start))
      }
    }
    let kind = try parseTableConstraintKind()
    return TableConstraint(name: name, kind: kind, span: span(from: start))
  }

  private mutating func parseTableConstraintKind() throws(SyntaxError) -> TableConstraint.Kind {
    switch kind {
    case .primary:
      advance()
      try expect(.key)
      try expect(.leftParenthesis)
      var maximumHeight = 0
      let columns = try parseOrderingTerms(symbols: 8, &maximumHeight)
      let isAutoincrement = accept(.autoincrement)
      try expect(.rightParenthesis)
      return .primaryKey(
        columns, isAutoincrement: isAutoincrement, conflict: try parseOnConflict())
    case .unique:
      advance()
      let columns = try parseKeyColumns(symbols: 7)
      return .unique(columns, conflict: try parseOnConflict())
    case .check:
      advance()
      let condition = try parseInParentheses(symbols: 6)
      return .check(condition, conflict: try parseOnConflict())
    default:
      try expect(.foreign)
      try expect(.key)
      let columns = try parseNamesInParentheses()
      guard kind == .references else { throw unexpected(.token(.references)) }
      return .foreignKey(columns, try parseForeignKeyReference())
    }
  }

  /// Reads `REFERENCES …`; the current token is `REFERENCES`.
  mutating func parseForeignKeyReference() throws(SyntaxError) -> ForeignKeyReference {
    let start = start
    advance()
    let table = try parseName()
    let columns = try parseOptionalNames()
    var actions: [ForeignKeyReference.Action] = []
    var match: Identifier?
    while kind == .on || kind == .match {
      if accept(.match) {
        match = try parseName()
      } else {
        actions.append(try parseForeignKeyAction())
      }
    }
    var deferral: Deferral?
    if kind == .deferrable || kind == .not && kind(ahead: 1) == .deferrable {
      deferral = try parseDeferral()
    }
    return ForeignKeyReference(
      table: table, columns: columns, actions: actions, match: match, deferral: deferral,
      span: span(from: start))
  }

  private mutating func parseForeignKeyAction() throws(SyntaxError) -> ForeignKeyReference.Action {
    advance()
    let event: ForeignKeyReference.Event
    switch kind {
    case .delete: event = .delete
    case .update: event = .update
    case .insert: event = .insert
    default: throw unexpected(.foreignKeyEvent)
    }
    advance()
    let effect: ForeignKeyReference.Effect
    switch kind {
    case .cascade: effect = .cascade
    case .restrict: effect = .restrict
    case .no:
      advance()
      guard kind == .action else { throw unexpected(.token(.action)) }
      effect = .noAction
    case .set:
      advance()
      guard kind == .null || kind == .default else {
        throw unexpected(.eitherToken(.null, .default))
      }
      effect = kind == .null ? .setNull : .setDefault
    default: throw unexpected(.foreignKeyEffect)
    }
    advance()
    return ForeignKeyReference.Action(event: event, effect: effect)
  }

  /// Reads `[NOT] DEFERRABLE …`; the current token must begin it.
  mutating func parseDeferral() throws(SyntaxError) -> Deferral {
    let isNegated = accept(.not)
    try expect(.deferrable)
    guard accept(.initially) else { return Deferral(isNegated: isNegated, initially: nil) }
    if accept(.deferred) { return Deferral(isNegated: isNegated, initially: .deferred) }
    guard accept(.immediate) else { throw unexpected(.eitherToken(.deferred, .immediate)) }
    return Deferral(isNegated: isNegated, initially: .immediate)
  }
}
