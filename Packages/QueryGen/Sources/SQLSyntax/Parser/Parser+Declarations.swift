/// Declarations of functions, collations and modules in comments.
extension Parser {
  /// Reads a declaration without its keyword, such as `median(value REAL) -> REAL`.
  ///
  /// - Parameters:
  ///   - kind: The kind of declaration.
  ///   - source: The text that contains the declaration.
  ///   - span: The declaration's span in the text.
  ///   - diagnostics: The list to which errors are appended.
  /// - Returns: The declaration, or `nil` if it is malformed.
  public static func parseDeclaration(
    _ kind: Declaration.Kind, in source: SourceText, at span: ByteSpan,
    diagnostics: inout DiagnosticList
  ) -> Declaration? {
    var parser = Parser(
      source, tokens: tokens(of: source, in: span), options: ParserOptions(),
      diagnostics: diagnostics)
    defer { diagnostics = parser.diagnostics }
    return parser.parseDeclaration(kind)
  }

  /// Reads the declarations in all comments, and records their comments, which document nothing
  /// else. A declaration continues on lines that are indented further, and up to the end of its
  /// parentheses.
  mutating func parseDeclarations() -> [Declaration] {
    var lines: [DeclarationLine] = []
    for (index, comment) in comments.enumerated() {
      lines += source.annotationLines(comment).map { DeclarationLine(span: $0, comment: index) }
    }
    var declarations: [Declaration] = []
    var next = 0
    var end = 0
    while next < lines.count {
      let first = next
      next += 1
      guard let (kind, content) = source.declaration(in: lines[first].span) else { continue }
      var part = content
      var margins: [ByteSpan] = []
      while next < lines.count, source.isAdjacent(lines[next - 1].span, lines[next].span),
        source.hasOpenParenthesis(part)
          || source.margin(of: lines[next].span).count > source.margin(of: lines[first].span).count
      {
        margins.append(ByteSpan(lines[next - 1].span.end, lines[next].span.start))
        part.end = lines[next].span.end
        next += 1
      }
      defer { end = next }
      declarationComments.formUnion(lines[first..<next].map(\.comment))
      var parser = Parser(
        source, tokens: Self.tokens(of: source, in: part, blanking: margins), options: options,
        diagnostics: diagnostics)
      let declaration = parser.parseDeclaration(kind)
      diagnostics = parser.diagnostics
      guard var declaration else { continue }
      declaration.documentation =
        documentation(above: first, after: end, in: lines) + declaration.documentation
      declarations.append(declaration)
    }
    return declarations
  }

  /// Returns the lines directly above a declaration, after the line at `end` and after any SQL.
  private mutating func documentation(
    above first: Int, after end: Int, in lines: [DeclarationLine]
  ) -> [String] {
    var start = first
    while start > end, source.isAdjacent(lines[start - 1].span, lines[start].span),
      source.margin(of: lines[start - 1].span).allSatisfy({
        Lexer.isSpace($0) || "-*/".utf8.contains($0)
      })
    {
      start -= 1
    }
    declarationComments.formUnion(lines[start..<first].map(\.comment))
    return lines[start..<first].map { line in
      var text = Substring(source[line.span])
      while let last = text.last, last.isWhitespace { text.removeLast() }
      return String(text)
    }
  }

  private struct DeclarationLine {
    var span: ByteSpan
    /// The index of the comment that contains the line.
    var comment: Int
  }

  /// Returns the tokens of a part of a text, except of the given parts of it.
  static func tokens(
    of source: SourceText, in part: ByteSpan, blanking blanks: [ByteSpan] = [],
    options: ParserOptions = ParserOptions()
  ) -> TokenList {
    let start = part.start.value
    var bytes = Array(source.bytes[part.range])
    for blank in blanks {
      for offset in blank.range { bytes[offset - start] = UInt8(ascii: " ") }
    }
    var list = Lexer.tokenize(
      SourceText(bytes: bytes), allowsDigitSeparators: options.target >= SQLiteVersion(3, 46))
    for index in list.tokens.indices {
      let span = list.tokens[index].span
      list.tokens[index].span = ByteSpan(
        span.start.advanced(by: start), span.end.advanced(by: start))
    }
    return list
  }
}

extension SourceText {
  /// Returns the kind and the text of the declaration in a line. Comments in which neither
  /// parentheses nor `->` follow a name are prose.
  fileprivate func declaration(in line: ByteSpan) -> (Declaration.Kind, ByteSpan)? {
    let text = bytes[line.range]
    for kind in Declaration.Kind.allCases {
      guard text.starts(with: kind.rawValue.utf8),
        text.dropFirst(kind.rawValue.utf8.count).first == UInt8(ascii: ":"),
        let start = text.dropFirst(kind.rawValue.utf8.count + 1)
          .firstIndex(where: { !Lexer.isSpace($0) })
      else { continue }
      let content = ByteSpan(ByteOffset(start), line.end)
      let rest = text[start...].drop { Lexer.isIdentifierByte($0) }.drop { Lexer.isSpace($0) }
      let words = self[content].split(whereSeparator: \.isWhitespace)
      let isDeclaration =
        kind == .collation
        ? words.count == 1
          || words.dropFirst().map(String.init) == [Declaration.Attribute.extension.rawValue]
        : rest.first == UInt8(ascii: "(") && rest.startIndex > start || rest.starts(with: "->".utf8)
          || "\"`[".utf8.contains(text[start])
      return isDeclaration ? (kind, content) : nil
    }
    return nil
  }

  /// Returns whether a part has more opening than closing parentheses outside of quotes.
  fileprivate func hasOpenParenthesis(_ part: ByteSpan) -> Bool {
    var depth = 0
    var quote: UInt8?
    for offset in part.range {
      let byte = bytes[offset]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
      }
    }
    return depth > 0
  }

  /// Returns the text before a span in its line.
  fileprivate func margin(of span: ByteSpan) -> ArraySlice<UInt8> {
    let before = bytes[..<span.start.value]
    return before[(before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
  }

  /// Returns whether only comment markers and a single line break separate two lines of comments.
  fileprivate func isAdjacent(_ first: ByteSpan, _ second: ByteSpan) -> Bool {
    let between = bytes[first.end.value..<max(first.end.value, second.start.value)]
    return between.count { $0 == UInt8(ascii: "\n") } == 1
      && between.allSatisfy { Lexer.isSpace($0) || "-*/".utf8.contains($0) }
  }
}
