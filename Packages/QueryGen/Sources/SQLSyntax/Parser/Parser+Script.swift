extension Parser {
  /// Reads a file of plain statements, such as a migration.
  ///
  /// The last `;` is optional. A statement with a syntax error is reported and skipped; the others
  /// are still parsed.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - options: The extensions of SQLite's grammar to accept.
  ///   - diagnostics: The list to which errors are appended.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parseScript(
    _ source: SourceText, options: ParserOptions = ParserOptions(),
    diagnostics: inout DiagnosticList
  ) -> Script {
    guard var parser = Parser(source, options: options, diagnostics: &diagnostics) else {
      return Script(statements: [], declarations: [])
    }
    let declarations = parser.parseDeclarations()
    var statements: [ScriptStatement] = []
    while parser.skipToStatement() {
      let first = parser.index
      guard let statement = parser.parseWholeStatement() else { continue }
      statements.append(
        ScriptStatement(
          statement: statement, documentation: parser.documentation(before: first)))
    }
    diagnostics = parser.diagnostics
    return Script(statements: statements, declarations: declarations)
  }

  /// Reads a text that must hold exactly one statement.
  ///
  /// - Returns: The statement, or `nil` if the text contains no statement or a syntax error, which
  ///   is then added to the diagnostics.
  public static func parseStatement(
    _ source: SourceText, options: ParserOptions = ParserOptions(),
    diagnostics: inout DiagnosticList
  ) -> Statement? {
    guard var parser = Parser(source, options: options, diagnostics: &diagnostics) else {
      return nil
    }
    defer { diagnostics = parser.diagnostics }
    guard parser.skipToStatement() else {
      _ = parser.unexpected(.statement)
      return nil
    }
    guard let statement = parser.parseWholeStatement() else { return nil }
    guard parser.skipToStatement() else { return statement }
    _ = parser.unexpected(.endOfText)
    return nil
  }

  /// Reads the first statement of a text and ignores everything after its `;`, as
  /// `sqlite3_prepare_v2` does.
  ///
  /// - Returns: The statement, or `nil` if the text contains no statement, which is not an error,
  ///   or a syntax error, which is then added to the diagnostics.
  public static func parseFirstStatement(
    _ source: SourceText, options: ParserOptions = ParserOptions(),
    diagnostics: inout DiagnosticList
  ) -> Statement? {
    guard var parser = Parser(source, options: options, diagnostics: &diagnostics) else {
      return nil
    }
    defer { diagnostics = parser.diagnostics }
    return parser.skipToStatement() ? parser.parseWholeStatement() : nil
  }

  /// Creates a parser at the first token of a text. Fails if the text is too long.
  init?(
    _ source: SourceText, options: ParserOptions, allowsLabels: Bool = false,
    diagnostics: inout DiagnosticList
  ) {
    guard source.byteCount <= SourceText.maximumByteCount else {
      diagnostics.append(.textTooLong(source))
      return nil
    }
    self.init(
      source,
      tokens: Lexer.tokenize(
        source, allowsLabels: allowsLabels,
        allowsDigitSeparators: options.target >= SQLiteVersion(3, 46)), options: options,
      diagnostics: diagnostics)
    isQueryFile = allowsLabels
  }

  /// Skips the `;` of empty statements.
  ///
  /// - Returns: `true` if another statement follows and the diagnostics are not full.
  mutating func skipToStatement() -> Bool {
    while kind == .semicolon { advance() }
    return kind != .endOfText && !diagnostics.isFull
  }

  /// Reads a statement up to its `;`, or reports an error and skips the statement.
  mutating func parseWholeStatement() -> Statement? {
    stackDepth = 0
    isInTrigger = false
    let first = index
    let known = diagnostics
    do throws(SyntaxError) {
      let statement = try parseStatement()
      guard kind == .semicolon || kind == .endOfText else { throw unexpected(.endOfStatement) }
      if containsNextQuery(from: first) { throw SyntaxError() }
      return statement
    } catch {
      let (isRecovered, statement) = recoverMissingSemicolon(from: first, known)
      if isRecovered { return statement }
      skipStatement(from: first)
      return nil
    }
  }

  /// Advances to the end of the statement that began at `first`: its `;`, or for a trigger or a block
  /// the `;` after its `END`.
  mutating func skipStatement(from first: Int) {
    let end = isQueryFile ? tokens.endOfBlock(from: first) : nil
    if let end = end ?? endOfTriggerBody(from: first) {
      while index < end { advance() }
    }
    while kind != .semicolon, kind != .endOfText { advance() }
  }

  /// Returns the index of the `END` of the trigger that begins at `first`, or `nil` if the
  /// statement has no trigger body.
  private func endOfTriggerBody(from first: Int) -> Int? {
    guard tokens[first].kind == .create,
      tokens[first..<min(first + 3, tokens.count)].contains(where: { $0.kind == .trigger }),
      var position = tokens[first...].firstIndex(where: {
        $0.kind == .begin || $0.kind == .semicolon
      }),
      tokens[position].kind == .begin
    else { return nil }
    var openCases = 0
    while tokens[position].kind != .endOfText {
      position += 1
      switch tokens[position].kind {
      case .case: openCases += 1
      case .semicolon: openCases = 0
      case .end where openCases > 0: openCases -= 1
      case .end:
        let next = tokens[position + 1].kind
        if position >= index, next == .semicolon || next == .endOfText { return position }
      default: break
      }
    }
    return position
  }
}
