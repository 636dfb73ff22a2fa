extension Parser {
  /// Indicates whether the current token can be a name: `nm` in SQLite's grammar.
  @inline(__always)
  var isAtName: Bool { Self.isName(kind) }

  @inline(__always)
  static func isName(_ kind: TokenKind) -> Bool {
    kind == .identifier || kind == .string || kind == .indexed || kind.isFallback
      || kind.isJoinKeyword
  }

  /// Indicates whether the current token can be an alias without `AS` or a word of a type name:
  /// `ids` in SQLite's grammar.
  @inline(__always)
  var isAtWord: Bool { kind == .identifier || kind == .string || kind.isFallback }

  /// Indicates whether the current token is a keyword that could be a name elsewhere, but always
  /// begins its own kind of expression at the start of an expression.
  var isAtExpressionKeyword: Bool {
    switch kind {
    case .cast, .raise, .currentDate, .currentTime, .currentTimestamp: true
    default: false
    }
  }

  /// Reads a name.
  mutating func parseName() throws(SyntaxError) -> Identifier {
    guard isAtName else { throw unexpected(.name) }
    return consumeIdentifier()
  }

  /// Consumes the current token as a name, regardless of its kind.
  mutating func consumeIdentifier() -> Identifier {
    let span = current.span
    if kind.isKeyword { keywordNames.append(index) }
    advance()
    return identifier(at: span)
  }

  /// Returns the name at `span`.
  func identifier(at span: ByteSpan) -> Identifier {
    let quoting: Identifier.Quoting
    switch source.bytes[span.start.value] {
    case UInt8(ascii: "\""): quoting = .double
    case UInt8(ascii: "`"): quoting = .backtick
    case UInt8(ascii: "["): quoting = .bracket
    case UInt8(ascii: "'"): quoting = .single
    default: return Identifier(text(span.range), quoting: .bare, span: span)
    }
    return Identifier(unquoted(span), quoting: quoting, span: span)
  }

  @inline(__always)
  func text(_ range: Range<Int>) -> String {
    String(decoding: source.bytes[range], as: UTF8.self)
  }

  /// Returns the text between the quotes, with doubled quotes unescaped.
  func unquoted(_ span: ByteSpan) -> String {
    let inner = span.start.value + 1..<max(span.start.value + 1, span.end.value - 1)
    let quote = source.bytes[span.start.value]
    guard quote != UInt8(ascii: "["), source.bytes[inner].contains(quote) else {
      return text(inner)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(inner.count)
    var index = inner.lowerBound
    while index < inner.upperBound {
      bytes.append(source.bytes[index])
      index += source.bytes[index] == quote ? 2 : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads `name` or `schema.name`.
  mutating func parseQualifiedName() throws(SyntaxError) -> QualifiedName {
    let first = try parseName()
    guard accept(.dot) else { return QualifiedName(schema: nil, name: first, span: first.span) }
    let second = try parseName()
    return QualifiedName(schema: first, name: second, span: first.span.union(second.span))
  }

  /// Reads `AS alias` or `alias`, if present.
  mutating func parseAlias() throws(SyntaxError) -> Identifier? {
    if accept(.as) { return try parseName() }
    return isAtWord ? consumeIdentifier() : nil
  }

  /// Reads `(name, name)`.
  mutating func parseNamesInParentheses() throws(SyntaxError) -> [Identifier] {
    try expect(.leftParenthesis)
    let names = try parseList { (parser) throws(SyntaxError) in try parser.parseName() }
    try expect(.rightParenthesis)
    return names
  }

  /// Reads `(name, name)`, if present.
  mutating func parseOptionalNames() throws(SyntaxError) -> [Identifier] {
    kind == .leftParenthesis ? try parseNamesInParentheses() : []
  }

  /// Reads a type name, or returns `nil` if none follows.
  mutating func parseTypeName() throws(SyntaxError) -> TypeName? {
    guard isAtWord else { return nil }
    let start = start
    var words = [consumeIdentifier()]
    while isAtWord { words.append(consumeIdentifier()) }
    var arguments: [String] = []
    if accept(.leftParenthesis) {
      arguments.append(try parseSignedNumber())
      if accept(.comma) { arguments.append(try parseSignedNumber()) }
      try expect(.rightParenthesis)
    }
    return TypeName(words: words, arguments: arguments, span: span(from: start))
  }

  /// Reads a number with an optional sign, as text without spaces.
  mutating func parseSignedNumber() throws(SyntaxError) -> String {
    var sign = ""
    if kind == .plus || kind == .minus {
      sign = kind == .plus ? "+" : "-"
      advance()
    }
    guard kind == .integer || kind == .real else { throw unexpected(.typeArgument) }
    let number = text(current.span.range)
    advance()
    return sign + number
  }
}

/// A text's tokens, classified by the parser, with its statements.
public struct ParsedTokens: Sendable {
  /// A statement or a block, and its range of tokens.
  public struct Part: Sendable {
    /// The tokens of the header in a query file: `DEFINE QUERY name AS` or `name:`.
    public var header: Range<Int>
    /// The statement's tokens, without the `;` after them.
    public var tokens: Range<Int>
    /// The statement, or the statements of a block.
    public var statements: [Statement]
  }

  /// The tokens. A keyword used as a name is a ``TokenKind/identifier``.
  public internal(set) var tokens: [Token]
  /// The comments, in order.
  public internal(set) var comments: [ByteSpan]
  /// The statements, in order.
  public internal(set) var parts: [Part] = []
}

extension Parser {
  /// Parses a text and returns its tokens, for example for a formatter.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - isQueryFile: Whether statements may have headers.
  ///   - options: The extensions of SQLite's grammar to accept.
  ///   - diagnostics: The list to which errors are appended.
  /// - Returns: The tokens, or `nil` if the text contains an error.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parseTokens(
    _ source: SourceText, isQueryFile: Bool, options: ParserOptions = ParserOptions(),
    diagnostics: inout DiagnosticList
  ) -> ParsedTokens? {
    guard
      var parser = Parser(
        source, options: options, allowsLabels: isQueryFile, diagnostics: &diagnostics)
    else { return nil }
    var result = ParsedTokens(tokens: [], comments: parser.comments)
    while parser.skipToStatement() {
      let first = parser.index
      if isQueryFile {
        do throws(SyntaxError) {
          _ = try parser.parseHeader()
        } catch {
          parser.skipStatement(from: first)
          continue
        }
      }
      let start = parser.index
      let statements =
        isQueryFile ? parser.parseBody() : parser.parseWholeStatement().map { [$0] }
      guard let statements else { continue }
      result.parts.append(
        ParsedTokens.Part(
          header: first..<start, tokens: start..<parser.index, statements: statements))
    }
    diagnostics = parser.diagnostics
    guard !diagnostics.hasErrors else { return nil }
    result.tokens = parser.tokens
    for index in parser.keywordNames { result.tokens[index].kind = .identifier }
    return result
  }
}
