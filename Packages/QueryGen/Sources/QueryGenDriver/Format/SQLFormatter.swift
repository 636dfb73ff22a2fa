internal import SQLSyntax

/// Formats SQL in a uniform style.
///
/// Only spaces, line endings and the letter case of keywords change; the tokens and comments keep
/// their order. Formatted text stays unchanged.
///
/// ```swift
/// let formatter = SQLFormatter(options: FormatOptions(width: 80))
/// ```
public struct SQLFormatter: Sendable {
  public var options: FormatOptions

  public init(options: FormatOptions = FormatOptions()) { self.options = options }

  /// The result of formatting a text.
  public enum Result: Hashable, Sendable {
    case formatted([UInt8])
    /// The text can't be parsed. The report contains the errors with their lines.
    case refused(report: String)
  }

  /// Formats a migration or a query file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: The path of the file in error messages.
  ///   - usesColor: Whether the report contains terminal colors.
  /// - Complexity: O(*n*) in the number of bytes.
  public func format(_ bytes: [UInt8], path: String, usesColor: Bool = false) -> Result {
    var file = InputFile(path: path, name: path, source: SourceText(bytes: bytes))
    file.checkText()
    if file.isText {
      let parsed = Self.parse(file.source)
      if let tokens = parsed.tokens { return .formatted(format(file.source, tokens)) }
      for diagnostic in parsed.diagnostics.diagnostics { file.diagnostics.append(diagnostic) }
    }
    var rendering = DiagnosticRenderer(usesColor: usesColor)
    rendering.add(file)
    return .refused(report: rendering.text)
  }

  /// Returns the tokens of a script or a query file; if neither can be parsed, the shorter list of
  /// errors.
  private static func parse(
    _ source: SourceText
  ) -> (tokens: ParsedTokens?, diagnostics: DiagnosticList) {
    // Syntax of newer SQLite versions can be formatted too, regardless of the project's target.
    let options = ParserOptions(allowsListParameters: true, target: SQLiteVersion(3, 99))
    var asScript = DiagnosticList()
    if let tokens = Parser.parseTokens(
      source, isQueryFile: false, options: options, diagnostics: &asScript)
    {
      return (tokens, asScript)
    }
    var asQueries = DiagnosticList()
    let tokens = Parser.parseTokens(
      source, isQueryFile: true, options: options, diagnostics: &asQueries)
    return (tokens, asQueries.errorCount <= asScript.errorCount ? asQueries : asScript)
  }

  private func format(_ source: SourceText, _ parsed: ParsedTokens) -> [UInt8] {
    let tokens = FormatTokens(source, parsed, options)
    let layout = StatementLayout(tokens: tokens)
    let isWindows = usesCRLF(source, parsed, tokens)
    var printer = DocumentPrinter(options: options, lineEnd: isWindows ? [13, 10] : [10])
    var next = 0
    /// Prints the semicolons of empty statements.
    func printSemicolons(until end: Int) {
      while next < end {
        printer.print(tokens.document(of: next))
        next += 1
      }
    }
    for part in parsed.parts {
      printSemicolons(until: part.header.lowerBound)
      startStatement(part.header.lowerBound, tokens, &printer)
      if !part.header.isEmpty {
        printer.print(header(part.header, tokens))
        printer.print(.hardLine)
      }
      printer.print(layout.document(of: part))
      next = part.tokens.upperBound
    }
    printSemicolons(until: tokens.tokens.count - 1)
    startStatement(tokens.tokens.count - 1, tokens, &printer)
    printer.print(tokens.document(of: tokens.tokens.count - 1))
    printer.finish()
    return printer.output
  }

  /// Returns whether lines end with CRLF, as the first line outside of comments, quoted strings and
  /// module arguments does. If there is none, the first line of the text decides.
  private func usesCRLF(
    _ source: SourceText, _ parsed: ParsedTokens, _ tokens: FormatTokens
  ) -> Bool {
    func isWindows(_ end: Int) -> Bool { end > 0 && source.bytes[end - 1] == 13 }
    let verbatim = tokens.verbatim.values.map { range in
      tokens.tokens[range.lowerBound].span.union(tokens.tokens[range.upperBound - 1].span)
    }
    let kept = (parsed.tokens.map(\.span) + parsed.comments + verbatim).map(\.range)
    var position = 0
    for range in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if position < range.lowerBound,
        let end = source.bytes[position..<range.lowerBound].firstIndex(of: 10)
      {
        return isWindows(end)
      }
      position = max(position, range.upperBound)
    }
    return source.bytes.firstIndex(of: 10).map(isWindows) ?? false
  }

  /// Starts a new line, and keeps an empty line before it.
  private func startStatement(
    _ index: Int, _ tokens: FormatTokens, _ printer: inout DocumentPrinter
  ) {
    guard index > 0 else { return }
    let leavesBlankLine = tokens.lineEnds(before: index) > 1 && index < tokens.tokens.count - 1
    printer.print(.freshLine(leavesBlankLine: leavesBlankLine))
  }

  private func header(_ range: Range<Int>, _ tokens: FormatTokens) -> Document {
    .sequence(
      range.flatMap { index in
        let isFirst = index == range.lowerBound || tokens.kind(index) == .colon
        return (isFirst ? [] : [Document.space]) + [tokens.document(of: index)]
      })
  }
}
