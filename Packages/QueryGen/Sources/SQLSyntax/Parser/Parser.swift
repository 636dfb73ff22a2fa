internal import Primitives

/// A recursive-descent parser that builds syntax trees from tokens.
///
/// The parser accepts and rejects the same input as SQLite 3.40's parser, including its limits.
/// Each statement with a syntax error yields one diagnostic; parsing continues after the next `;`.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// let script = Parser.parseScript("CREATE TABLE t (a)", diagnostics: &diagnostics)
/// ```
public struct Parser: Sendable {
  /// The maximum depth of an expression tree in SQLite.
  public static let maximumExpressionDepth = 1000
  /// The maximum number of arms in a compound select.
  public static let maximumCompoundArms = 500
  /// The maximum number of arguments of a function.
  public static let maximumArgumentCount = 127
  /// The maximum number of tables and subqueries in one `FROM` clause.
  public static let maximumSourceCount = 200
  /// The largest parameter number in Debian's build of SQLite. The default elsewhere is 32,766.
  public static let maximumParameterNumber = 250_000
  /// The capacity of the SQLite parser's stack, in symbols.
  static let maximumStackDepth = 99

  let source: SourceText
  var options: ParserOptions
  let tokens: [Token]
  let comments: [ByteSpan]
  var index = 0
  /// The kind of the current token.
  var kind: TokenKind
  var diagnostics: DiagnosticList
  /// The indices of the keyword tokens that were used as names.
  var keywordNames: [Int] = []

  /// The number of symbols on the SQLite parser's stack before the current construct. It bounds the
  /// recursion of this parser at the same depth at which SQLite fails.
  var stackDepth = 0
  /// The depth of the last expression's tree, as SQLite counts it.
  var height = 0
  /// Indicates whether a trigger's body is being parsed.
  var isInTrigger = false
  /// Indicates whether the statements have headers.
  var isQueryFile = false
  /// The clauses of the current named query with terms that may be absent.
  var annotatedClauses: [AnnotatedClause] = []
  /// The indices of the comments that are annotations of the terms in ``annotatedClauses``.
  var termAnnotations: Set<Int> = []
  /// The indices of the comments that declare functions, collations or modules.
  var declarationComments: Set<Int> = []
  /// Indicates whether the statement is a named query, whose comments may be annotations.
  var isNamedQuery = false

  init(
    _ source: SourceText, tokens: TokenList, options: ParserOptions, diagnostics: DiagnosticList
  ) {
    self.source = source
    self.options = options
    self.tokens = tokens.tokens
    comments = tokens.comments
    self.diagnostics = diagnostics
    kind = tokens.tokens[0].kind
  }
}

/// An error that aborts the current statement. The diagnostics already describe the cause.
struct SyntaxError: Error {}

extension Parser {
  /// The current token.
  @inline(__always)
  var current: Token { tokens[index] }

  /// The start of the current token.
  @inline(__always)
  var start: ByteOffset { tokens[index].span.start }

  /// The end of the token before the current one.
  @inline(__always)
  var previousEnd: ByteOffset { tokens[max(index - 1, 0)].span.end }

  /// Returns the kind of the token `count` positions after the current one.
  @inline(__always)
  func kind(ahead count: Int) -> TokenKind {
    StepCounter.step()
    return index + count < tokens.count ? tokens[index + count].kind : .endOfText
  }

  /// Returns the span from `start` to the end of the previous token.
  @inline(__always)
  func span(from start: ByteOffset) -> ByteSpan { ByteSpan(start, previousEnd) }

  /// Advances to the next token, but never past the end of the text.
  @inline(__always)
  mutating func advance() {
    guard kind != .endOfText else { return }
    StepCounter.step()
    index += 1
    kind = tokens[index].kind
  }

  /// Consumes the current token if it is of the given kind.
  @inline(__always)
  mutating func accept(_ wanted: TokenKind) -> Bool {
    guard kind == wanted else { return false }
    advance()
    return true
  }

  /// Consumes the current token, which must be of the given kind.
  @inline(__always)
  mutating func expect(_ wanted: TokenKind) throws(SyntaxError) {
    guard kind == wanted else { throw unexpected(.token(wanted)) }
    advance()
  }

  /// Fails if the target is older than the SQLite release that introduced a feature.
  mutating func require(
    _ version: SQLiteVersion, for what: String, at span: ByteSpan
  ) throws(SyntaxError) {
    guard options.target < version else { return }
    throw fail(.newerThanTarget(what, needs: version, target: options.target, at: span))
  }

  /// Reports the current token as unexpected.
  @inline(never)
  mutating func unexpected(_ expectation: Expectation) -> SyntaxError {
    if kind == .illegal, let fault = digitSeparatorDiagnostic() { return fail(fault) }
    if let fault = dialectDiagnostic() { return fail(fault) }
    var diagnostic = Diagnostic.expected(expectation, found: current, in: source)
    if diagnostic.fixIt == nil, let (fixIt, hint) = suggestedFix(for: expectation) {
      diagnostic.fixIt = fixIt
      diagnostic.message += "; \(hint)"
    }
    return fail(diagnostic)
  }

  /// Returns the diagnostic for a number with `_` between its digits if the target doesn't support
  /// digit separators.
  private func digitSeparatorDiagnostic() -> Diagnostic? {
    let version = SQLiteVersion(3, 46)
    guard options.target < version,
      Lexer.fault(at: current.span, in: source) == .malformedNumber
    else { return nil }
    let bytes = source.bytes[current.span.range]
    guard bytes.allSatisfy({ Lexer.isDigit($0) || $0 == UInt8(ascii: "_") }),
      bytes.last != UInt8(ascii: "_")
    else { return nil }
    return .newerThanTarget(
      "a number with \"_\" between its digits", needs: version, target: options.target,
      at: current.span)
  }

  /// Reports an error and returns the failure to throw.
  @inline(never)
  mutating func fail(_ diagnostic: Diagnostic) -> SyntaxError {
    diagnostics.append(diagnostic)
    return SyntaxError()
  }

  /// Checks that the SQLite parser's stack has room for `symbols` more symbols.
  @inline(__always)
  mutating func checkStack(for symbols: Int = 1) throws(SyntaxError) {
    guard stackDepth + symbols <= Self.maximumStackDepth else {
      throw fail(.nestingTooDeep(at: current.span))
    }
  }

  /// Reads comma-separated elements.
  mutating func parseList<Element>(
    _ parseElement: (inout Parser) throws(SyntaxError) -> Element
  ) throws(SyntaxError) -> [Element] {
    var elements: [Element] = []
    repeat { elements.append(try parseElement(&self)) } while accept(.comma)
    return elements
  }
}

extension Parser {
  /// Returns the lines of the comments directly above the token at `first`, without comment
  /// markers.
  ///
  /// A comment belongs to the token if only single line breaks separate them. A comment on the last
  /// line of the previous statement does not.
  func documentation(before first: Int) -> [String] {
    documentation(
      above: tokens[first].span.start, after: first > 0 ? tokens[first - 1].span.end : nil
    ).flatMap(source.commentLines)
  }

  /// Returns the comments directly above `offset` that begin after `limit`.
  func documentation(above offset: ByteOffset, after limit: ByteOffset?) -> [ByteSpan] {
    var found: [ByteSpan] = []
    var next = offset
    let earliest = limit.map { lineEnd(in: ByteSpan($0, offset)) } ?? ByteOffset(0)
    for index in commentIndices(from: limit, to: offset).reversed() {
      let comment = comments[index]
      guard lineEnds(in: ByteSpan(comment.end, next)) <= 1 else { break }
      if comment.start < earliest || isQueryHeader(comment) || declarationComments.contains(index) {
        break
      }
      found.append(comment)
      next = comment.start
    }
    return found.reversed()
  }

  /// Returns the indices of the comments between two offsets.
  func commentIndices(from start: ByteOffset?, to end: ByteOffset) -> Range<Int> {
    func firstIndex(notBefore offset: ByteOffset) -> Int {
      var low = 0
      var high = comments.count
      while low < high {
        let middle = (low + high) / 2
        if comments[middle].start < offset { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let upper = firstIndex(notBefore: end)
    return min(start.map(firstIndex(notBefore:)) ?? 0, upper)..<upper
  }

  /// Returns the first line break in a span, or the span's end if it contains none.
  private func lineEnd(in span: ByteSpan) -> ByteOffset {
    let newline = span.range.first { source.bytes[$0] == UInt8(ascii: "\n") }
    return newline.map { ByteOffset($0) } ?? span.end
  }

  /// Returns the number of line breaks in a span, counting up to two.
  private func lineEnds(in span: ByteSpan) -> Int {
    var count = 0
    for index in span.range where source.bytes[index] == UInt8(ascii: "\n") {
      count += 1
      if count == 2 { break }
    }
    return count
  }
}

extension Parser {
  /// Reads `RAISE(…)`; the current token is `RAISE`.
  mutating func parseRaise() throws(SyntaxError) -> Expression {
    height = 1
    let start = start
    advance()
    try expect(.leftParenthesis)
    let word = kind
    guard word == .ignore || word == .rollback || word == .abort || word == .fail else {
      throw unexpected(.raiseAction)
    }
    advance()
    let action: RaiseExpression.Action
    if word == .ignore {
      action = .ignore
    } else {
      try expect(.comma)
      let message = try parseRaiseMessage(from: start)
      action =
        switch word {
        case .rollback: .rollback(message: message)
        case .abort: .abort(message: message)
        default: .fail(message: message)
        }
    }
    try expect(.rightParenthesis)
    return .raise(RaiseExpression(action: action, span: span(from: start)))
  }

  /// Reads the message: an expression since SQLite 3.47, a name or string literal before that.
  private mutating func parseRaiseMessage(
    from start: ByteOffset
  ) throws(SyntaxError) -> RaiseExpression.Message {
    let version = SQLiteVersion(3, 47)
    if options.target >= version {
      let expression = try parseExpression(symbols: 4)
      try updateHeight(height, from: start)
      return .expression(expression)
    }
    if isAtName, kind(ahead: 1) == .rightParenthesis { return .name(consumeIdentifier()) }
    // If the message is an expression, report the required release; otherwise report a syntax
    // error.
    let messageStart = self.start
    var trial = self
    trial.options.target = version
    if (try? trial.parseExpression(symbols: 4)) != nil, trial.kind == .rightParenthesis {
      try require(
        version, for: "a computed message", at: trial.span(from: messageStart))
    }
    return .name(try parseName())
  }
}
