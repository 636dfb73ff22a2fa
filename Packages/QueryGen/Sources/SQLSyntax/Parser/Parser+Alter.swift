extension Parser {
  /// Reads `ALTER TABLE …`.
  mutating func parseAlterTable() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    try expect(.table)
    let table = try parseQualifiedName()
    let action = try parseAlteration()
    return .alterTable(AlterTable(table: table, action: action, span: span(from: start)))
  }

  private mutating func parseAlteration() throws(SyntaxFailure) -> AlterTable.Action {
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
      _ = accept(.column)
      return .addColumn(try parseColumnDefinition())
    case .drop:
      advance()
      _ = accept(.column)
      return .dropColumn(try parseName())
    default:
      throw unexpected(.alteration)
    }
  }

  /// Reads `DROP …`.
  mutating func parseDrop() throws(SyntaxFailure) -> Statement {
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
