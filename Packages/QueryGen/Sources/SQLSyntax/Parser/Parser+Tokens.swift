/// A text's tokens as its grammar reads them, and its statements among them.
public struct ParsedTokens: Sendable {
  /// A statement, and where it stands among the tokens.
  public struct Part: Sendable {
    /// The tokens of its header in a file of queries: `DEFINE QUERY name AS` or `name:`.
    public var header: Range<Int>
    /// The statement's tokens, without the `;` after them.
    public var tokens: Range<Int>
    /// The statement.
    public var statement: Statement
  }

  /// The tokens; a keyword that stands for a name is a ``TokenKind/identifier``.
  public internal(set) var tokens: [Token]
  /// The comments, in order.
  public internal(set) var comments: [ByteSpan]
  /// The statements, in order.
  public internal(set) var parts: [Part] = []
}

extension Parser {
  /// Reads a text for its tokens: for a formatter, say.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - isQueryFile: Whether statements may have headers.
  ///   - options: What to take beyond SQLite's own grammar.
  ///   - diagnostics: Where to add what is wrong.
  /// - Returns: The tokens; `nil` where anything can't be read.
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
        do throws(SyntaxFailure) {
          _ = try parser.parseHeader()
        } catch {
          parser.skipStatement(from: first)
          continue
        }
      }
      let start = parser.index
      guard let statement = parser.parseWholeStatement() else { continue }
      result.parts.append(
        ParsedTokens.Part(
          header: first..<start, tokens: start..<parser.index, statement: statement))
    }
    diagnostics = parser.diagnostics
    guard !diagnostics.hasErrors else { return nil }
    result.tokens = parser.tokens
    for index in parser.keywordNames { result.tokens[index].kind = .identifier }
    return result
  }
}
