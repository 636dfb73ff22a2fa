extension Parser {
  /// Reads `CREATE …`.
  mutating func parseCreate() throws(SyntaxFailure) -> Statement {
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

  /// Reads `IF NOT EXISTS`, if there is one.
  mutating func parseIfNotExists() throws(SyntaxFailure) -> Bool {
    guard accept(.if) else { return false }
    try expect(.not)
    try expect(.exists)
    return true
  }

  private mutating func parseCreateIndex(
    isUnique: Bool, from start: ByteOffset
  ) throws(SyntaxFailure) -> Statement {
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
  ) throws(SyntaxFailure) -> Statement {
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
  ) throws(SyntaxFailure) -> Statement {
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

  /// Reads arguments of any tokens, with commas between them and parentheses in pairs. SQLite
  /// drops an empty one.
  private mutating func parseModuleArguments() throws(SyntaxFailure) -> [ModuleArgument] {
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
