extension Parser {
  /// Reads `CREATE …`.
  mutating func parseCreate() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    switch kind {
    case .unique:
      advance()
      try expect(.index)
      return try parseCreateIndex(isUnique: true, from: start)
    case .index:
      advance()
      return try parseCreateIndex(isUnique: false, from: start)
    case .virtual:
      advance()
      try expect(.table)
      return try parseCreateVirtualTable(from: start)
    default:
      break
    }
    let isTemporary = accept(.temp)
    switch kind {
    case .table:
      advance()
      return try parseCreateTable(isTemporary: isTemporary, from: start)
    case .view:
      advance()
      return try parseCreateView(isTemporary: isTemporary, from: start)
    case .trigger:
      advance()
      return try parseCreateTrigger(isTemporary: isTemporary, from: start)
    default:
      throw unexpected(.createdObject)
    }
  }

  /// Reads `IF NOT EXISTS`, if present.
  mutating func parseIfNotExists() throws(SyntaxError) -> Bool {
    guard accept(.if) else { return false }
    try expect(.not)
    try expect(.exists)
    return true
  }

  private mutating func parseCreateIndex(
    isUnique: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    let ifNotExists = try parseIfNotExists()
    let name = try parseQualifiedName()
    try expect(.on)
    let table = try parseName()
    let columns = try parseKeyColumns(symbols: 9)
    let condition = accept(.where) ? try parseExpression(symbols: 12) : nil
    return .createIndex(
      CreateIndex(
        isUnique: isUnique, ifNotExists: ifNotExists, name: name, table: table,
        columns: columns, where: condition, span: span(from: start)))
  }

  private mutating func parseCreateView(
    isTemporary: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    let ifNotExists = try parseIfNotExists()
    let name = try parseQualifiedName()
    let columns = try parseOptionalNames()
    try expect(.as)
    let select = try parseSelect(symbols: 8)
    return .createView(
      CreateView(
        isTemporary: isTemporary, ifNotExists: ifNotExists, name: name, columns: columns,
        select: select, span: span(from: start)))
  }

  private mutating func parseCreateVirtualTable(
    from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    let ifNotExists = try parseIfNotExists()
    let name = try parseQualifiedName()
    try expect(.using)
    let module = try parseName()
    let arguments = kind == .leftParenthesis ? try parseModuleArguments() : nil
    return .createVirtualTable(
      CreateVirtualTable(
        ifNotExists: ifNotExists, name: name, module: module, arguments: arguments,
        span: span(from: start)))
  }

  /// Reads a module's comma-separated arguments, which may contain any tokens with balanced
  /// parentheses. SQLite drops an empty argument.
  private mutating func parseModuleArguments() throws(SyntaxError) -> [ModuleArgument] {
    advance()
    var arguments: [ModuleArgument] = []
    var depth = 1
    var argumentStart = index
    while depth > 0 {
      switch kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis: depth -= 1
      case .illegal, .endOfText: throw unexpected(.token(.rightParenthesis))
      default: break
      }
      if depth == 0 || depth == 1 && kind == .comma {
        if argumentStart < index {
          let span = ByteSpan(tokens[argumentStart].span.start, previousEnd)
          arguments.append(ModuleArgument(text: source[span], span: span))
        }
        argumentStart = index + 1
      }
      advance()
    }
    return arguments
  }
}

extension Parser {
  /// Reads the rest of a statement after `CREATE [TEMP] TABLE`.
  mutating func parseCreateTable(
    isTemporary: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Statement {
    let ifNotExists = try parseIfNotExists()
    let name = try parseQualifiedName()
    let body: CreateTable.Body
    if accept(.as) {
      body = .select(try parseSelect(symbols: 2))
    } else {
      guard kind == .leftParenthesis else {
        throw unexpected(.eitherToken(.leftParenthesis, .as))
      }
      body = .definition(try parseTableDefinition())
    }
    return .createTable(
      CreateTable(
        isTemporary: isTemporary, ifNotExists: ifNotExists, name: name, body: body,
        span: span(from: start)))
  }

  private mutating func parseTableDefinition() throws(SyntaxError) -> TableDefinition {
    let start = start
    advance()
    var columns = [try parseColumnDefinition()]
    var constraints: [TableConstraint] = []
    while accept(.comma) {
      if isAtTableConstraint {
        constraints = try parseTableConstraints()
        break
      }
      columns.append(try parseColumnDefinition())
    }
    guard kind == .rightParenthesis else {
      throw unexpected(constraints.isEmpty ? .columnConstraint : .tableConstraint)
    }
    advance()
    var definition = TableDefinition(
      columns: columns, constraints: constraints, isWithoutRowID: false, isStrict: false,
      span: span(from: start))
    // SQLite also accepts a comma before the first option.
    if isAtName { try parseTableOption(of: &definition) }
    while accept(.comma) { try parseTableOption(of: &definition) }
    definition.span = span(from: start)
    return definition
  }

  private mutating func parseTableOption(
    of definition: inout TableDefinition
  ) throws(SyntaxError) {
    let start = start
    let isWithout = accept(.without)
    let name = try parseName()
    switch (isWithout, name.quoting == .bare ? name.folded : "") {
    case (true, "rowid"): definition.isWithoutRowID = true
    case (false, "strict"): definition.isStrict = true
    default:
      let span = span(from: start)
      throw fail(.unknownTableOption(source[span], at: span))
    }
  }

  /// Reads a column definition.
  mutating func parseColumnDefinition() throws(SyntaxError) -> ColumnDefinition {
    let start = start
    let name = try parseName()
    var type = try parseTypeName()
    let generatedStart = Self.removeGeneratedAlways(&type)
    var constraints: [ColumnConstraint] = []
    while let constraint = try parseColumnConstraint() { constraints.append(constraint) }
    if let generatedStart, let first = constraints.first, case .generated = first.kind {
      // `GENERATED ALWAYS` belongs to the constraint.
      constraints[0].span.start = generatedStart
    }
    return ColumnDefinition(
      name: name, type: type, constraints: constraints, span: span(from: start))
  }

  /// Removes `GENERATED ALWAYS` from the end of a type, as SQLite does after parsing the words as
  /// part of the type.
  private static func removeGeneratedAlways(_ type: inout TypeName?) -> ByteOffset? {
    guard var found = type, found.arguments.isEmpty, found.words.count >= 2,
      found.words.suffix(2).allSatisfy({ $0.quoting == .bare }),
      found.words[found.words.count - 1].folded == "always",
      found.words[found.words.count - 2].folded == "generated"
    else { return nil }
    let start = found.words[found.words.count - 2].span.start
    found.words.removeLast(2)
    if let last = found.words.last {
      found.span.end = last.span.end
      type = found
    } else {
      type = nil
    }
    return start
  }
}
