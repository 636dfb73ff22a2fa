extension Parser {
  /// Reads `ALTER TABLE …`.
  mutating func parseAlterTable() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    try expect(.table)
    let table = try parseQualifiedName()
    let action = try parseAlteration()
    return .alterTable(AlterTable(table: table, action: action, span: span(from: start)))
  }

  private mutating func parseAlteration() throws(SyntaxError) -> AlterTable.Action {
    switch kind {
    case .rename:
      advance()
      if accept(.to) { return .rename(to: try parseName()) }
      _ = accept(.column)
      let column = try parseName()
      try expect(.to)
      return .renameColumn(column, to: try parseName())
    case .add:
      advance()
      if kind == .constraint || kind == .check {
        return .addConstraint(try parseAddedConstraint())
      }
      _ = accept(.column)
      return .addColumn(try parseColumnDefinition())
    case .drop:
      let start = start
      advance()
      if accept(.constraint) {
        let name = try parseName()
        try require(Self.constraintAlterationVersion, for: "DROP CONSTRAINT", at: span(from: start))
        return .dropConstraint(name)
      }
      _ = accept(.column)
      return .dropColumn(try parseName())
    case .alter:
      return try parseColumnAlteration()
    default:
      throw unexpected(.alteration)
    }
  }

  /// The first SQLite release that can change the constraints of an existing table.
  private static var constraintAlterationVersion: SQLiteVersion { SQLiteVersion(3, 53) }

  /// Reads `[CONSTRAINT name] CHECK (…)`, the only kind of constraint that can be added.
  private mutating func parseAddedConstraint() throws(SyntaxError) -> TableConstraint {
    let start = start
    let name = accept(.constraint) ? try parseName() : nil
    try expect(.check)
    let condition = try parseInParentheses(symbols: 6)
    let conflict = try parseOnConflict()
    try require(Self.constraintAlterationVersion, for: "ADD CONSTRAINT", at: span(from: start))
    return TableConstraint(
      name: name, kind: .check(condition, conflict: conflict), span: span(from: start))
  }

  /// Reads `ALTER [COLUMN] name` and its `SET NOT NULL` or `DROP NOT NULL`.
  private mutating func parseColumnAlteration() throws(SyntaxError) -> AlterTable.Action {
    let start = start
    advance()
    _ = accept(.column)
    let column = try parseName()
    let isSet = accept(.set)
    if !isSet, !accept(.drop) { throw unexpected(.eitherToken(.set, .drop)) }
    try expect(.not)
    try expect(.null)
    let conflict = isSet ? try parseOnConflict() : nil
    try require(Self.constraintAlterationVersion, for: "ALTER COLUMN", at: span(from: start))
    return isSet ? .setNotNull(column, conflict: conflict) : .dropNotNull(column)
  }

  /// Reads `DROP …`.
  mutating func parseDrop() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let object: Drop.Object
    switch kind {
    case .table: object = .table
    case .index: object = .index
    case .view: object = .view
    case .trigger: object = .trigger
    default: throw unexpected(.droppedObject)
    }
    advance()
    var ifExists = false
    if accept(.if) {
      try expect(.exists)
      ifExists = true
    }
    let name = try parseQualifiedName()
    return .drop(Drop(object: object, ifExists: ifExists, name: name, span: span(from: start)))
  }
}
