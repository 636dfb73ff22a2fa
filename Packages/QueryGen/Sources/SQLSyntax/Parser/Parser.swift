/// Reads tokens into syntax trees, by recursive descent.
///
/// It takes what SQLite 3.40 takes and refuses what that refuses at parsing, limits included. Each
/// statement that can't be read is one diagnostic; reading goes on after the next `;`.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// let script = Parser.parseScript("CREATE TABLE t (a)", diagnostics: &diagnostics)
/// ```
public struct Parser: Sendable {
  /// The deepest tree that SQLite builds for one expression.
  public static let maximumExpressionDepth = 1000
  /// The most arms of a compound select.
  public static let maximumCompoundArms = 500
  /// The most arguments of a function.
  public static let maximumArgumentCount = 127
  /// The most tables and subqueries of one `FROM`.
  public static let maximumSourceCount = 200
  /// The largest number of a parameter, as Debian builds SQLite; 32,766 is the default elsewhere.
  public static let maximumParameterNumber = 250_000
  /// The symbols that SQLite's own parser can hold at once.
  static let maximumStackDepth = 99

  let source: SourceText
  var options: ParserOptions
  let tokens: [Token]
  let comments: [ByteSpan]
  var index = 0
  /// The kind of the current token.
  var kind: TokenKind
  var diagnostics: DiagnosticList
  /// The places of the keywords that were taken for names.
  var keywordNames: [Int] = []

  /// How many symbols SQLite's parser would hold before the construct being read. It bounds the
  /// recursion here, at the very depth where SQLite gives up.
  var stackDepth = 0
  /// The depth of the tree of the expression read last, as SQLite counts it.
  var height = 0
  /// Whether a trigger's body is being read.
  var isInTrigger = false

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

/// A statement can't be read further; what is wrong is in the diagnostics already.
struct SyntaxFailure: Error {}

extension Parser {
  /// The current token.
  @inline(__always)
  var current: Token { tokens[index] }

  /// Where the current token starts.
  @inline(__always)
  var start: ByteOffset { tokens[index].span.start }

  /// Where the token before the current one ends.
  @inline(__always)
  var previousEnd: ByteOffset { tokens[max(index - 1, 0)].span.end }

  /// The kind of the token `count` after the current one.
  @inline(__always)
  func kind(ahead count: Int) -> TokenKind {
    index + count < tokens.count ? tokens[index + count].kind : .endOfText
  }

  /// From `start` to the end of the token before the current one.
  @inline(__always)
  func span(from start: ByteOffset) -> ByteSpan { ByteSpan(start, previousEnd) }

  /// Goes on to the next token; the end of the text is never passed.
  @inline(__always)
  mutating func advance() {
    guard kind != .endOfText else { return }
    index += 1
    kind = tokens[index].kind
  }

  /// Goes on past the current token if it is of this kind.
  @inline(__always)
  mutating func accept(_ wanted: TokenKind) -> Bool {
    guard kind == wanted else { return false }
    advance()
    return true
  }

  /// Goes on past the current token, which must be of this kind.
  @inline(__always)
  mutating func expect(_ wanted: TokenKind) throws(SyntaxFailure) {
    guard kind == wanted else { throw unexpected(.token(wanted)) }
    advance()
  }

  /// Refuses what only a newer release of SQLite than the target reads.
  mutating func require(
    _ version: SQLiteVersion, for what: String, at span: ByteSpan
  ) throws(SyntaxFailure) {
    guard options.target < version else { return }
    throw fail(.newerThanTarget(what, needs: version, target: options.target, at: span))
  }

  /// Says that the current token can't stand where it does.
  @inline(never)
  mutating func unexpected(_ expectation: Expectation) -> SyntaxFailure {
    if kind == .illegal, let fault = separatorFault() { return fail(fault) }
    var diagnostic = Diagnostic.expected(expectation, found: current, in: source)
    if diagnostic.fixIt == nil, let (fixIt, hint) = remedy(for: expectation) {
      diagnostic.fixIt = fixIt
      diagnostic.message += "; \(hint)"
    }
    return fail(diagnostic)
  }

  /// What to say of a number whose digits `_` sets apart, where the target does not read it.
  private func separatorFault() -> Diagnostic? {
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

  /// Says what is wrong.
  @inline(never)
  mutating func fail(_ diagnostic: Diagnostic) -> SyntaxFailure {
    diagnostics.append(diagnostic)
    return SyntaxFailure()
  }

  /// Checks that SQLite's parser has room for so many symbols more.
  @inline(__always)
  mutating func checkStack(for symbols: Int = 1) throws(SyntaxFailure) {
    guard stackDepth + symbols <= Self.maximumStackDepth else {
      throw fail(.nestingTooDeep(at: current.span))
    }
  }

  /// Reads elements with commas between them.
  mutating func parseList<Element>(
    _ parseElement: (inout Parser) throws(SyntaxFailure) -> Element
  ) throws(SyntaxFailure) -> [Element] {
    var elements: [Element] = []
    repeat { elements.append(try parseElement(&self)) } while accept(.comma)
    return elements
  }
}

extension Parser {
  /// The lines of the comments directly above the token at `first`, without their markers.
  ///
  /// Comments belong when nothing but single line ends lies between them and the token; one that
  /// shares its line with the end of the statement before does not.
  func documentation(before first: Int) -> [String] {
    documentation(
      above: tokens[first].span.start, after: first > 0 ? tokens[first - 1].span.end : nil)
  }

  /// The lines of the comments directly above `offset`, none of which begins before `limit`.
  func documentation(above offset: ByteOffset, after limit: ByteOffset?) -> [String] {
    var lines: [[String]] = []
    var next = offset
    let earliest = limit.map { lineEnd(in: ByteSpan($0, offset)) } ?? ByteOffset(0)
    for index in commentIndices(from: limit, to: offset).reversed() {
      let comment = comments[index]
      guard lineEnds(in: ByteSpan(comment.end, next)) <= 1 else { break }
      if comment.start < earliest || isQueryHeader(comment) { break }
      lines.append(source.commentLines(comment))
      next = comment.start
    }
    return lines.reversed().flatMap(\.self)
  }

  /// The comments between two places.
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

  /// The first line end in a span; the span's end where there is none.
  private func lineEnd(in span: ByteSpan) -> ByteOffset {
    let newline = span.range.first { source.bytes[$0] == UInt8(ascii: "\n") }
    return newline.map { ByteOffset($0) } ?? span.end
  }

  /// The number of line ends in a span; it stops counting at two.
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
  /// Reads `RAISE(…)`; the current token is that word.
  mutating func parseRaise() throws(SyntaxFailure) -> Expression {
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

  /// Reads the message: since SQLite 3.47 an expression, before that a name or a text.
  private mutating func parseRaiseMessage(
    from start: ByteOffset
  ) throws(SyntaxFailure) -> RaiseExpression.Message {
    let version = SQLiteVersion(3, 47)
    if options.target >= version {
      let expression = try parseExpression(symbols: 4)
      try grow(height, from: start)
      return .expression(expression)
    }
    if isAtName, kind(ahead: 1) == .rightParenthesis { return .name(takeIdentifier()) }
    // Whoever wrote an expression is told of the release, whoever wrote something else of that.
    let messageStart = self.start
    var trial = self
    trial.options.target = version
    if (try? trial.parseExpression(symbols: 4)) != nil, trial.kind == .rightParenthesis {
      try require(
        version, for: "a message that is computed", at: trial.span(from: messageStart))
    }
    return .name(try parseName())
  }
}
