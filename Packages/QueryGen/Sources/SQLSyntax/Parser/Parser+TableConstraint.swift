extension Parser {
  /// Whether a constraint of a whole table begins here.
  var isAtTableConstraint: Bool {
    switch kind {
    case .constraint, .primary, .unique, .check, .foreign: true
    default: false
    }
  }

  /// Reads the constraints of a table; the commas between them may be left out.
  mutating func parseTableConstraints() throws(SyntaxFailure) -> [TableConstraint] {
    var constraints: [TableConstraint] = []
    repeat {
      guard isAtTableConstraint else { throw unexpected(.tableConstraint) }
      constraints.append(try parseTableConstraint())
    } while accept(.comma) || isAtTableConstraint
    return constraints
  }

  private mutating func parseTableConstraint() throws(SyntaxFailure) -> TableConstraint {
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

  private mutating func parseTableConstraintKind() throws(SyntaxFailure) -> TableConstraint.Kind {
    switch kind {
    case .primary:
      advance()
      try expect(.key)
      try expect(.leftParenthesis)
      var greatest = 0
      let columns = try parseOrderingTerms(symbols: 8, &greatest)
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

  /// Reads `REFERENCES …`; the current token is that word.
  mutating func parseForeignKeyReference() throws(SyntaxFailure) -> ForeignKeyReference {
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

  private mutating func parseForeignKeyAction() throws(SyntaxFailure) -> ForeignKeyReference.Action
  {
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

  /// Reads `[NOT] DEFERRABLE …`; it is there.
  mutating func parseDeferral() throws(SyntaxFailure) -> Deferral {
    let isNegated = accept(.not)
    try expect(.deferrable)
    guard accept(.initially) else { return Deferral(isNegated: isNegated, initially: nil) }
    if accept(.deferred) { return Deferral(isNegated: isNegated, initially: .deferred) }
    guard accept(.immediate) else { throw unexpected(.eitherToken(.deferred, .immediate)) }
    return Deferral(isNegated: isNegated, initially: .immediate)
  }
}
