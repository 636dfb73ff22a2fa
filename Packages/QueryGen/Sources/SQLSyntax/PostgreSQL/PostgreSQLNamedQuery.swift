internal import Primitives

/// A named query of PostgreSQL: `DEFINE QUERY name AS …;`, `name: …;` or `-- name: name :many`.
///
/// The statement is not parsed. Its parameters, `:name` and `$1`, are numbered.
public struct PostgreSQLNamedQuery: Sendable {
  /// A parameter of the statement.
  public struct Parameter: Hashable, Sendable {
    /// The name; `nil` for a parameter such as `$1`.
    public var name: String?
    /// The uses of the parameter in the source.
    public var spans: [ByteSpan]
  }

  public var name: Identifier
  /// The number of rows that the header specifies, if any.
  public var cardinality: NamedQuery.Cardinality?
  /// The lines of the comments directly above the query, without comment markers.
  public var documentation: [String]
  /// The statement in the source, without the semicolon.
  public var statement: ByteSpan
  /// The statement as the server prepares it: with `$1` for the first parameter, and so on.
  public var sql: String
  /// The parameters, in the order of their numbers.
  public var parameters: [Parameter]
  /// The parts of ``sql``, in order.
  private var pieces: [Piece]

  private struct Piece: Hashable, Sendable {
    /// The position in ``sql``.
    var offset: Int
    var source: ByteSpan
    /// Indicates whether the part is the same in the source.
    var isCopied: Bool
  }

  /// Returns the position in the source of a byte of ``sql``.
  public func sourceOffset(ofByte offset: Int) -> ByteOffset {
    guard let piece = pieces.last(where: { $0.offset <= offset }) else { return statement.start }
    guard piece.isCopied else { return piece.source.start }
    return min(piece.source.start.advanced(by: offset - piece.offset), piece.source.end)
  }

  /// Returns the token of the statement that begins at a byte of ``sql``, or contains it.
  public func sourceSpan(ofByte offset: Int, in source: SourceText) -> ByteSpan {
    let start = sourceOffset(ofByte: offset)
    let parts = SourceText(bytes: Array(source.bytes[statement.range]))
    let base = statement.start.value
    let tokens = PostgreSQLLexer(parts).tokens
    for (index, token) in tokens.enumerated() where token.span.end.value + base > start.value {
      var end = token.span.end
      // A parameter that is numbered is a colon and a name in the source.
      if sql.utf8.dropFirst(offset).first == UInt8(ascii: "$"),
        source.bytes[start.value] == UInt8(ascii: ":"),
        index + 1 < tokens.count, tokens[index + 1].span.start == end
      {
        end = tokens[index + 1].span.end
      }
      let span = ByteSpan(token.span.start.value + base..<end.value + base)
      return span.start <= start ? span : ByteSpan(start, start.advanced(by: 1))
    }
    return ByteSpan(start, start)
  }
}

extension PostgreSQLNamedQuery {
  /// Reads a file of named queries of PostgreSQL.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - diagnostics: The list to which errors are appended.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parseFile(
    _ source: SourceText, diagnostics: inout DiagnosticList
  ) -> [PostgreSQLNamedQuery] {
    var reader = PostgreSQLQueryFileReader(source)
    let queries = reader.queries()
    for diagnostic in reader.diagnostics { diagnostics.append(diagnostic) }
    return queries
  }
}

/// Splits a file into named queries.
private struct PostgreSQLQueryFileReader {
  private let source: SourceText
  private let tokens: [PostgreSQLToken]
  private let comments: [ByteSpan]
  private(set) var diagnostics: [Diagnostic] = []
  private var index = 0

  init(_ source: SourceText) {
    self.source = source
    let lexer = PostgreSQLLexer(source)
    tokens = lexer.tokens
    comments = lexer.comments
  }

  private func text(_ token: PostgreSQLToken) -> String { source[token.span] }

  private func isWord(_ word: String, at index: Int) -> Bool {
    index < tokens.count && tokens[index].kind == .word
      && text(tokens[index]).asciiLowercased == word
  }

  private func isColon(at index: Int) -> Bool {
    index < tokens.count && tokens[index].kind == .symbol && text(tokens[index]) == ":"
  }

  mutating func queries() -> [PostgreSQLNamedQuery] {
    var queries: [PostgreSQLNamedQuery] = []
    var names: [String: Identifier] = [:]
    var end: ByteOffset?
    while true {
      while index < tokens.count, tokens[index].kind == .semicolon {
        end = tokens[index].span.end
        index += 1
      }
      checkHeaders(after: end)
      guard index < tokens.count else { break }
      let query = query(after: end)
      if index > 0 { end = tokens[index - 1].span.end }
      guard let query else { continue }
      if let first = names[query.name.folded] {
        diagnostics.append(.duplicateQuery(query.name, first: first))
      } else {
        names[query.name.folded] = query.name
        queries.append(query)
      }
    }
    return queries
  }

  /// The comments between two positions.
  private func comments(after start: ByteOffset?, before end: ByteOffset) -> [ByteSpan] {
    comments.filter { $0.start >= (start ?? ByteOffset(0)) && $0.end <= end }
  }

  private func isHeader(_ comment: ByteSpan) -> Bool {
    var scanner = CommentScanner(source, comment)
    return scanner.skipQueryHeader()
  }

  /// Reports the headers in comments that have no statement: all but the last, and also the last at the end of the text.
  private mutating func checkHeaders(after start: ByteOffset?) {
    let next = index < tokens.count ? tokens[index].span.start : ByteOffset(source.byteCount)
    var headers = comments(after: start, before: next).filter(isHeader)
    if index < tokens.count { headers = headers.dropLast() }
    for comment in headers {
      if let name = CommentScanner.queryHeader(source, comment)?.name {
        diagnostics.append(.emptyQuery(name))
      }
    }
  }

  /// Reads a header and its statement, to the semicolon.
  private mutating func query(after start: ByteOffset?) -> PostgreSQLNamedQuery? {
    let first = tokens[index]
    let comment = comments(after: start, before: first.span.start).last(where: isHeader)
    var name: Identifier?
    var cardinality: NamedQuery.Cardinality?
    var documentation = documentation(above: first.span.start, after: comment?.end ?? start)
    if let comment {
      documentation = self.documentation(above: comment.start, after: start) + documentation
      if let header = CommentScanner.queryHeader(source, comment) {
        (name, cardinality) = header
      } else {
        diagnostics.append(.malformedQueryHeader(at: comment))
      }
    } else if first.kind == .word, isColon(at: index + 1) {
      name = Identifier(text(first), span: first.span)
      index += 2
    } else if isWord("define", at: index), isWord("query", at: index + 1), index + 2 < tokens.count,
      isWord("as", at: index + 3)
    {
      let token = tokens[index + 2]
      name = Identifier(unquoted(text(token)), span: token.span)
      index += 4
    } else {
      diagnostics.append(.unnamedQuery(at: first.span))
    }
    let body = statement()
    guard let name else { return nil }
    guard let last = body.last, let begin = body.first else {
      diagnostics.append(.emptyQuery(name))
      return nil
    }
    if let open = body.first(where: { $0.kind == .unterminated }) {
      let quote = ByteSpan(open.span.start, open.span.start.advanced(by: 1))
      diagnostics.append(
        Diagnostic(
          .unterminatedString, at: quote, "this string, quoted name or comment has no end"))
      return nil
    }
    return rewrite(
      body, name: name, cardinality: cardinality, documentation: documentation,
      in: ByteSpan(begin.span.start, last.span.end))
  }

  /// Returns the tokens up to the semicolon or the end, and skips them.
  private mutating func statement() -> ArraySlice<PostgreSQLToken> {
    let start = min(index, tokens.count)
    while index < tokens.count, tokens[index].kind != .semicolon { index += 1 }
    return tokens[start..<max(start, index)]
  }

  private func unquoted(_ text: String) -> String {
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count >= 2 else { return text }
    return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  /// Returns the lines of the comments directly above a position.
  private func documentation(above offset: ByteOffset, after limit: ByteOffset?) -> [String] {
    var found: [ByteSpan] = []
    var next = offset
    for comment in comments(after: limit, before: offset).reversed() {
      let between = source.bytes[comment.end.value..<next.value]
      // A comment on the line of the previous statement belongs to that.
      let isTrailing =
        limit.map { !source.bytes[$0.value..<comment.start.value].contains(UInt8(ascii: "\n")) }
        ?? false
      if isTrailing || isHeader(comment) || between.count(where: { $0 == UInt8(ascii: "\n") }) > 1 {
        break
      }
      found.append(comment)
      next = comment.start
    }
    return found.reversed().flatMap(source.commentLines)
  }

  /// Numbers the parameters, and writes `IN :list` as `= ANY ($1)`.
  private mutating func rewrite(
    _ body: ArraySlice<PostgreSQLToken>, name: Identifier, cardinality: NamedQuery.Cardinality?,
    documentation: [String], in span: ByteSpan
  ) -> PostgreSQLNamedQuery? {
    var rewriter = PostgreSQLParameterRewriter(source, span)
    for position in body.indices {
      let token = body[position]
      switch token.kind {
      case .namedParameter, .numberedParameter:
        var operators: (span: ByteSpan, text: String)?
        if position > body.startIndex, isWord("in", at: position - 1) {
          let isNegated = position - 1 > body.startIndex && isWord("not", at: position - 2)
          let first = tokens[isNegated ? position - 2 : position - 1]
          operators = (
            ByteSpan(first.span.start, token.span.start), isNegated ? "<> ALL " : "= ANY "
          )
        }
        rewriter.add(token, text(token), replacing: operators)
      default: break
      }
    }
    if let problem = rewriter.problem {
      diagnostics.append(problem)
      return nil
    }
    rewriter.finish()
    var query = PostgreSQLNamedQuery(
      name: name, cardinality: cardinality, documentation: documentation, statement: span,
      sql: "", parameters: [])
    rewriter.apply(to: &query)
    return query
  }
}

extension PostgreSQLNamedQuery {
  fileprivate init(
    name: Identifier, cardinality: NamedQuery.Cardinality?, documentation: [String],
    statement: ByteSpan, sql: String, parameters: [Parameter]
  ) {
    self.name = name
    self.cardinality = cardinality
    self.documentation = documentation
    self.statement = statement
    self.sql = sql
    self.parameters = parameters
    pieces = []
  }

  fileprivate mutating func addPiece(_ text: String, from source: ByteSpan, isCopied: Bool) {
    pieces.append(Piece(offset: sql.utf8.count, source: source, isCopied: isCopied))
    sql += text
  }
}

/// Writes a statement with numbered parameters.
private struct PostgreSQLParameterRewriter {
  private let source: SourceText
  private let span: ByteSpan
  private var position: ByteOffset
  private var numbers: [String: Int] = [:]
  private var parameters: [PostgreSQLNamedQuery.Parameter] = []
  private var pieces: [(text: String, source: ByteSpan, isCopied: Bool)] = []
  private(set) var problem: Diagnostic?
  private var firstNamed: ByteSpan?
  private var firstNumbered: ByteSpan?
  /// PostgreSQL's limit.
  private static let maximumCount = 65_535

  init(_ source: SourceText, _ span: ByteSpan) {
    self.source = source
    self.span = span
    position = span.start
  }

  private mutating func copy(to end: ByteOffset) {
    guard position < end else { return }
    let part = ByteSpan(position, end)
    pieces.append((source[part], part, true))
    position = end
  }

  mutating func add(
    _ token: PostgreSQLToken, _ text: String, replacing operators: (span: ByteSpan, text: String)?
  ) {
    let number: Int
    if token.kind == .namedParameter {
      firstNamed = firstNamed ?? token.span
      let name = String(text.dropFirst())
      number = numbers[name] ?? parameters.count + 1
      if numbers.updateValue(number, forKey: name) == nil {
        parameters.append(.init(name: name, spans: []))
      }
    } else {
      firstNumbered = firstNumbered ?? token.span
      number = Int(text.dropFirst()) ?? 0
      guard (1...Self.maximumCount).contains(number) else {
        problem = Diagnostic(
          .malformedParameter, at: token.span, "a parameter's number is from 1 to 65535")
        return
      }
      while parameters.count < number { parameters.append(.init(name: nil, spans: [])) }
    }
    if let firstNamed, let firstNumbered, problem == nil {
      problem = Diagnostic(
        .malformedParameter, at: token.span,
        "a query has parameters with names or with numbers, not both",
        notes: [
          .init(
            "the other kind is used here",
            at: token.kind == .namedParameter ? firstNumbered : firstNamed)
        ])
    }
    parameters[number - 1].spans.append(token.span)
    if let operators {
      copy(to: operators.span.start)
      pieces.append(
        (operators.text + "($\(number))", ByteSpan(operators.span.start, token.span.end), false))
    } else {
      copy(to: token.span.start)
      pieces.append(("$\(number)", token.span, false))
    }
    position = token.span.end
  }

  mutating func finish() { copy(to: span.end) }

  func apply(to query: inout PostgreSQLNamedQuery) {
    query.parameters = parameters
    for piece in pieces {
      query.addPiece(piece.text, from: piece.source, isCopied: piece.isCopied)
    }
  }
}

extension PostgreSQLNamedQuery {
  /// Returns the token of a text that contains a byte.
  public static func token(at offset: Int, in source: SourceText) -> ByteSpan {
    let tokens = PostgreSQLLexer(source).tokens
    return tokens.first { $0.span.end.value > offset && $0.span.start.value <= offset }?.span
      ?? ByteSpan(min(offset, source.byteCount)..<min(offset + 1, source.byteCount))
  }

  /// Returns the tokens of a text, separated by NUL: texts that differ in white space and comments only are equal.
  public static func canonicalText(of source: SourceText) -> [UInt8] {
    Array(PostgreSQLLexer(source).tokens.map { source.bytes[$0.span.range] }.joined(separator: [0]))
  }
}
