extension Parser {
  /// Reads what follows `CREATE [TEMP] TRIGGER`.
  mutating func parseCreateTrigger(
    isTemporary: Bool, from start: ByteOffset
  ) throws(SyntaxFailure) -> Statement {
    let ifNotExists = try parseIfNotExists()
    let name = try parseQualifiedName()
    let timing = try parseTiming()
    let event = try parseTriggerEvent()
    try expect(.on)
    let table = try parseQualifiedName()
    var isForEachRow = false
    if accept(.for) {
      try expect(.each)
      try expect(.row)
      isForEachRow = true
    }
    let condition = accept(.when) ? try parseExpression(symbols: 11) : nil
    try expect(.begin)
    isInTrigger = true
    stackDepth += 4
    var body: [Statement] = []
    repeat {
      body.append(try parseTriggerStatement())
      try expect(.semicolon)
    } while kind != .end
    stackDepth -= 4
    isInTrigger = false
    advance()
    return .createTrigger(
      CreateTrigger(
        isTemporary: isTemporary, ifNotExists: ifNotExists, name: name, timing: timing,
        event: event, table: table, isForEachRow: isForEachRow, when: condition, body: body,
        span: span(from: start)))
  }

  private mutating func parseTiming() throws(SyntaxFailure) -> CreateTrigger.Timing? {
    if accept(.before) { return .before }
    if accept(.after) { return .after }
    guard accept(.instead) else { return nil }
    try expect(.of)
    return .insteadOf
  }

  private mutating func parseTriggerEvent() throws(SyntaxFailure) -> CreateTrigger.Event {
    if accept(.delete) { return .delete }
    if accept(.insert) { return .insert }
    guard accept(.update) else { throw unexpected(.triggerEvent) }
    guard accept(.of) else { return .update(of: []) }
    return .update(
      of: try parseList { (parser) throws(SyntaxFailure) in try parser.parseName() })
  }

  /// Reads a statement of a trigger: without `WITH` before a change, and without `ORDER BY`,
  /// `LIMIT`, aliases and schemas in one.
  private mutating func parseTriggerStatement() throws(SyntaxFailure) -> Statement {
    if isAtSelect { return .select(try parseSelect()) }
    // SQLite's parser holds two symbols less than before a change outside a trigger.
    stackDepth -= 2
    defer { stackDepth += 2 }
    return switch kind {
    case .insert, .replace: try parseInsert(after: nil, from: start)
    case .update: try parseUpdate(after: nil, from: start)
    case .delete: try parseDelete(after: nil, from: start)
    default: throw unexpected(.triggerStatement)
    }
  }
}
