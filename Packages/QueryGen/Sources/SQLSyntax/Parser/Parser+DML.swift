extension Parser {
  /// Reads `INSERT …` or `REPLACE …` after its `WITH` clause.
  mutating func parseInsert(
    after with: WithClause?, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    let isReplace = kind == .replace
    advance()
    let conflict = isReplace ? nil : try parseOrConflict()
    try expect(.into)
    let table = try parseTarget(allowsIndexing: false)
    let columns = try parseOptionalNames()
    let source: Insert.Source
    var upserts: [Upsert] = []
    if kind == .default, !isInTrigger {
      advance()
      try expect(.values)
      source = .defaultValues
    } else if let rows = try parseRows() {
      source = .rows(rows)
      upserts = try parseUpserts()
    } else {
      guard isAtSelect else { throw unexpected(.insertSource) }
      source = .select(try parseSelect(symbols: 5))
      upserts = try parseUpserts()
    }
    let returning = try parseReturning()
    return .insert(
      Insert(
        with: with, isReplace: isReplace, conflict: conflict, table: table, columns: columns,
        source: source, upserts: upserts, returning: returning, span: span(from: start)))
  }

  /// Reads `VALUES :rows` or `VALUES (:row.*)`, or returns `nil` if neither follows.
  private mutating func parseRows() throws(SyntaxError) -> InsertedRows? {
    guard kind == .values, options.allowsListParameters, !isInTrigger else { return nil }
    if kind(ahead: 1) == .parameter {
      advance()
      let parameter = try parseParameter()
      return InsertedRows(parameter: parameter, isList: true, span: parameter.span)
    }
    guard kind(ahead: 1) == .leftParenthesis, kind(ahead: 2) == .parameter, kind(ahead: 3) == .dot
    else { return nil }
    advance()
    let start = start
    advance()
    let parameter = try parseParameter()
    advance()
    try expect(.star)
    try expect(.rightParenthesis)
    return InsertedRows(parameter: parameter, isList: false, span: span(from: start))
  }

  /// Reads `ON CONFLICT …` clauses. A clause without a target must be the last.
  private mutating func parseUpserts() throws(SyntaxError) -> [Upsert] {
    var upserts: [Upsert] = []
    let depth = stackDepth
    while kind == .on {
      try checkStack(for: 6)
      let upsert = try parseUpsert()
      upserts.append(upsert)
      guard !upsert.target.isEmpty else { break }
      // SQLite's parser keeps all clauses on its stack until it has read the last.
      if case .nothing = upsert.action { stackDepth += 8 } else { stackDepth += 11 }
    }
    stackDepth = depth
    return upserts
  }

  private mutating func parseUpsert() throws(SyntaxError) -> Upsert {
    let start = start
    advance()
    try expect(.conflict)
    var target: [OrderingTerm] = []
    var targetWhere: Expression?
    if kind == .leftParenthesis {
      target = try parseKeyColumns(symbols: 9)
      if accept(.where) { targetWhere = try parseExpression(symbols: 11) }
    } else if kind != .do {
      throw unexpected(.conflictTarget)
    }
    try expect(.do)
    if accept(.nothing) {
      return Upsert(
        target: target, targetWhere: targetWhere, action: .nothing, span: span(from: start))
    }
    guard accept(.update) else { throw unexpected(.eitherToken(.nothing, .update)) }
    let assignments = try parseAssignments(symbols: 16)
    let condition = accept(.where) ? try parseExpression(symbols: 17) : nil
    return Upsert(
      target: target, targetWhere: targetWhere,
      action: .update(assignments, where: condition), span: span(from: start))
  }

  /// Reads `SET …`.
  private mutating func parseAssignments(symbols: Int) throws(SyntaxError) -> [Assignment] {
    try expect(.set)
    stackDepth += symbols
    var assignments: [Assignment] = []
    repeat {
      let start = start
      let target: Assignment.Target =
        kind == .leftParenthesis
        ? .columns(try parseNamesInParentheses()) : .column(try parseName())
      try expect(.equal)
      let value = try parseExpression()
      assignments.append(Assignment(target: target, value: value, span: span(from: start)))
    } while accept(.comma)
    stackDepth -= symbols
    return assignments
  }

  /// Reads the target table of a statement: its name, `AS alias`, and `INDEXED BY`.
  private mutating func parseTarget(allowsIndexing: Bool) throws(SyntaxError) -> TableReference {
    let start = start
    let name = try parseQualifiedName()
    if isInTrigger, name.schema != nil {
      throw fail(.qualifiedNameInTrigger(at: name.span))
    }
    let alias = !isInTrigger && accept(.as) ? try parseName() : nil
    let indexingStart = self.start
    let indexing = allowsIndexing ? try parseIndexing() : nil
    if isInTrigger, indexing != nil {
      throw fail(.indexingInTrigger(at: span(from: indexingStart)))
    }
    return TableReference(name: name, alias: alias, indexing: indexing, span: span(from: start))
  }

  /// Reads `UPDATE …` after its `WITH` clause.
  mutating func parseUpdate(
    after with: WithClause?, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    advance()
    let conflict = try parseOrConflict()
    let table = try parseTarget(allowsIndexing: true)
    let assignments = try parseAssignments(symbols: 8)
    let from = kind == .from ? try parseFrom() : nil
    let condition = accept(.where) ? try parseCondition(.changeWhere, symbols: 9) : nil
    let tail = try parseTail()
    return .update(
      Update(
        with: with, conflict: conflict, table: table, assignments: assignments, from: from,
        where: condition, returning: tail.returning, orderBy: tail.orderBy, limit: tail.limit,
        span: span(from: start)))
  }

  /// Reads `DELETE …` after its `WITH` clause.
  mutating func parseDelete(
    after with: WithClause?, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    advance()
    try expect(.from)
    let table = try parseTarget(allowsIndexing: true)
    let condition = accept(.where) ? try parseCondition(.changeWhere, symbols: 6) : nil
    let tail = try parseTail()
    return .delete(
      Delete(
        with: with, table: table, where: condition, returning: tail.returning,
        orderBy: tail.orderBy, limit: tail.limit, span: span(from: start)))
  }

  /// Reads `RETURNING` after the condition of an update or delete, and outside a trigger also
  /// `ORDER BY` and `LIMIT`.
  private mutating func parseTail() throws(SyntaxError) -> (
    returning: [ResultColumn], orderBy: [OrderingTerm], limit: LimitClause?
  ) {
    let returning = try parseReturning()
    guard !isInTrigger else { return (returning, [], nil) }
    var maximumHeight = 0
    let orderBy = try parseOrderBy(symbols: 10, &maximumHeight)
    let limit = try parseLimit(symbols: 11, &maximumHeight)
    return (returning, orderBy, limit)
  }
}

extension Parser {
  /// Reads the rest of a statement after `CREATE [TEMP] TRIGGER`.
  mutating func parseCreateTrigger(
    isTemporary: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
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

  private mutating func parseTiming() throws(SyntaxError) -> CreateTrigger.Timing? {
    if accept(.before) { return .before }
    if accept(.after) { return .after }
    guard accept(.instead) else { return nil }
    try expect(.of)
    return .insteadOf
  }

  private mutating func parseTriggerEvent() throws(SyntaxError) -> CreateTrigger.Event {
    if accept(.delete) { return .delete }
    if accept(.insert) { return .insert }
    guard accept(.update) else { throw unexpected(.triggerEvent) }
    guard accept(.of) else { return .update(of: []) }
    return .update(
      of: try parseList { (parser) throws(SyntaxError) in try parser.parseName() })
  }

  /// Reads a statement in a trigger's body. Inserts, updates and deletes there have no `WITH`,
  /// `ORDER BY`, `LIMIT`, alias or schema.
  private mutating func parseTriggerStatement() throws(SyntaxError) -> Statement {
    if isAtSelect { return .select(try parseSelect()) }
    // SQLite's parser stack holds two symbols fewer than outside a trigger.
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
