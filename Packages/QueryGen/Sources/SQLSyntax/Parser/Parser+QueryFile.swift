internal import Primitives

extension Parser {
  /// Reads a file of named queries: `DEFINE QUERY name AS …;`, `name: …;`, or `…;` below a comment
  /// such as `-- name: Name :many`.
  ///
  /// A block, `BEGIN …; …; END`, can be in the place of a statement. The last `;` of the file is
  /// optional. An unnamed statement, a duplicate name and a header without a
  /// statement are errors.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - options: The extensions of SQLite's grammar to accept.
  ///   - diagnostics: The list to which errors are appended.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parseQueryFile(
    _ source: SourceText, options: ParserOptions = ParserOptions(),
    diagnostics: inout DiagnosticList
  ) -> QueryFile {
    guard
      var parser = Parser(
        source, options: options, allowsLabels: true, diagnostics: &diagnostics)
    else { return QueryFile(queries: [], declarations: []) }
    var file = QueryFile(queries: [], declarations: parser.parseDeclarations())
    var names: [String: Identifier] = [:]
    while true {
      let before = parser.index > 0 ? parser.previousEnd : nil
      let isMore = parser.skipToStatement()
      parser.checkHeaders(from: before)
      guard isMore else { break }
      guard let query = parser.parseNamedQuery(from: before) else { continue }
      if let first = names[query.name.folded] {
        parser.diagnostics.append(.duplicateQuery(query.name, first: first))
      } else {
        names[query.name.folded] = query.name
        file.queries.append(query)
      }
    }
    diagnostics = parser.diagnostics
    return file
  }

  /// Reports the headers in comments between `before` and the current token that have no statement:
  /// all but the last, and also the last at the end of the text.
  private mutating func checkHeaders(from before: ByteOffset?) {
    var headers = commentIndices(from: before, to: start).map { comments[$0] }
      .filter(isQueryHeader)
    if kind != .endOfText { headers = headers.dropLast() }
    for header in headers {
      guard let name = CommentScanner.queryHeader(source, header)?.name else { continue }
      diagnostics.append(.emptyQuery(name))
    }
  }

  /// Reads a header and its statement.
  private mutating func parseNamedQuery(from before: ByteOffset?) -> NamedQuery? {
    let first = index
    var query: (name: Identifier, header: NamedQuery.Header)?
    var cardinality: NamedQuery.Cardinality?
    var start = start
    let documentation: [ByteSpan]
    let comment = commentIndices(from: before, to: start).reversed().map { comments[$0] }
      .first(where: isQueryHeader)
    if let comment {
      documentation =
        self.documentation(above: comment.start, after: before)
        + self.documentation(above: start, after: comment.end)
      start = comment.start
      if let header = CommentScanner.queryHeader(source, comment) {
        query = (header.name, .comment)
        cardinality = header.cardinality
      } else {
        diagnostics.append(.malformedQueryHeader(at: comment))
      }
    } else {
      documentation = self.documentation(above: start, after: before)
      do throws(SyntaxError) {
        query = try parseHeader()
      } catch {
        skipStatement(from: first)
        return nil
      }
      if query == nil { diagnostics.append(.unnamedQuery(at: current.span)) }
    }
    if let query, kind == .semicolon || kind == .endOfText {
      diagnostics.append(.emptyQuery(query.name))
      return nil
    }
    annotatedClauses = []
    termAnnotations = []
    isNamedQuery = true
    let body = self.start
    guard let statements = parseBody(), let query else { return nil }
    let end = previousEnd
    checkTermAnnotations(from: query.header == .comment ? body : query.name.span.end)
    let annotated = ByteSpan(documentation.first?.start ?? start, end)
    return NamedQuery(
      name: query.name, header: query.header, cardinality: cardinality,
      documentation: documentation.flatMap(source.commentLines), statements: statements,
      annotations: QueryAnnotations(
        orders: parseChoices("order:", in: annotated),
        filters: parseChoices("filter:", in: annotated), clauses: annotatedClauses),
      span: ByteSpan(start, end))
  }

  /// Reads `DEFINE QUERY name AS` or `name:`, or returns `nil` if neither follows.
  mutating func parseHeader() throws(SyntaxError) -> (Identifier, NamedQuery.Header)? {
    if kind(ahead: 1) == .colon {
      let name = consumeIdentifier()
      advance()
      return (name, .label)
    }
    guard kind == .identifier, kind(ahead: 1) == .query,
      source[current.span].asciiLowercased == "define"
    else { return nil }
    advance()
    advance()
    let name = try parseName()
    try expect(.as)
    return (name, .define)
  }

  /// Returns whether a comment is a query header: `name:`, a word, and then the end or a `:`. Other
  /// comments that begin with `name:` are prose.
  func isQueryHeader(_ comment: ByteSpan) -> Bool {
    var scanner = CommentScanner(source, comment)
    return scanner.skipQueryHeader()
  }
}

/// A scanner for a query header in a comment: `-- name: Name :many`, `/* name: Name :many */`.
struct CommentScanner {
  private let source: SourceText
  private var position: Int
  private let end: Int

  init(_ source: SourceText, _ comment: ByteSpan) {
    self.source = source
    position = comment.start.value + 2
    var end = comment.end.value
    if source.bytes[comment.start.value] == UInt8(ascii: "/"), end - position >= 2,
      source.bytes[end - 1] == UInt8(ascii: "/"), source.bytes[end - 2] == UInt8(ascii: "*")
    {
      end -= 2
    }
    self.end = max(end, position)
  }

  /// Indicates whether only whitespace remains.
  var isAtEnd: Bool {
    source.bytes[position..<end].allSatisfy(Lexer.isSpace)
  }

  /// Indicates whether a `:` follows, after any whitespace.
  var isAtCommand: Bool {
    source.bytes[position..<end].first { !Lexer.isSpace($0) } == UInt8(ascii: ":")
  }

  /// Reads `name: Name :many` in a comment, or returns `nil` if it is malformed.
  static func queryHeader(
    _ source: SourceText, _ comment: ByteSpan
  ) -> (name: Identifier, cardinality: NamedQuery.Cardinality?)? {
    var scanner = CommentScanner(source, comment)
    guard scanner.skipHeaderStart(), let name = scanner.readWord() else { return nil }
    let identifier = Identifier(source[name], span: name)
    guard scanner.isAtCommand else { return scanner.isAtEnd ? (identifier, nil) : nil }
    guard let command = scanner.readCommand(),
      let cardinality = NamedQuery.Cardinality(rawValue: source[command]), scanner.isAtEnd
    else { return nil }
    return (identifier, cardinality)
  }

  /// Skips `name:` and a word.
  ///
  /// - Returns: `true` if the comment contains both, and then ends or continues with a `:`.
  mutating func skipQueryHeader() -> Bool {
    skipHeaderStart() && readWord() != nil && (isAtEnd || isAtCommand)
  }

  /// Skips `name:`.
  ///
  /// - Returns: `true` if the comment contains `name:` at this position.
  mutating func skipHeaderStart() -> Bool {
    skipSpace()
    let word = Array("name:".utf8)
    guard end - position >= word.count,
      source.bytes[position..<position + word.count].elementsEqual(word)
    else { return false }
    position += word.count
    return true
  }

  /// Reads letters, digits and underscores.
  mutating func readWord() -> ByteSpan? {
    skipSpace()
    let start = position
    while position < end, Lexer.isIdentifierByte(source.bytes[position]) { position += 1 }
    return position > start ? ByteSpan(start..<position) : nil
  }

  /// Reads `:word`. The returned span excludes the colon.
  mutating func readCommand() -> ByteSpan? {
    skipSpace()
    guard position < end, source.bytes[position] == UInt8(ascii: ":") else { return nil }
    position += 1
    return readWord()
  }

  private mutating func skipSpace() {
    while position < end, Lexer.isSpace(source.bytes[position]) { position += 1 }
  }
}
