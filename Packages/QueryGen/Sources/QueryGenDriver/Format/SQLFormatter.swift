internal import SQLSyntax

/// Writes SQL in one way.
///
/// Nothing changes but spaces, line ends and the letters of keywords: the tokens stay what they are, in
/// their order, and comments stay where they stand. What is formatted already stays as it is.
///
/// ```swift
/// let formatter = SQLFormatter(options: FormatOptions(width: 80))
/// ```
public struct SQLFormatter: Sendable {
  public var options: FormatOptions

  public init(options: FormatOptions = FormatOptions()) { self.options = options }

  /// What came of a text.
  public enum Result: Hashable, Sendable {
    case formatted([UInt8])
    /// The text can't be read, and so not be formatted: the errors, with their lines.
    case refused(report: String)
  }

  /// Formats a file of migrations or of queries.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: What errors call it.
  ///   - usesColor: Whether the report is for a terminal that shows colours.
  /// - Complexity: O(*n*) in the number of bytes.
  public func format(_ bytes: [UInt8], path: String, usesColor: Bool = false) -> Result {
    var file = InputFile(path: path, name: path, source: SourceText(bytes: bytes))
    file.checkText()
    if file.isText {
      let parsed = Self.parse(file.source)
      if let tokens = parsed.tokens { return .formatted(format(file.source, tokens)) }
      for diagnostic in parsed.diagnostics.diagnostics { file.diagnostics.append(diagnostic) }
    }
    var rendering = Rendering(usesColor: usesColor)
    rendering.add(file)
    return .refused(report: rendering.text)
  }

  /// A text's tokens, be it a script or a file of queries; else what is wrong with what it is sooner.
  private static func parse(
    _ source: SourceText
  ) -> (tokens: ParsedTokens?, diagnostics: DiagnosticList) {
    // What a newer SQLite reads can be formatted too, whatever the project's target is.
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
    let isWindows = hasWindowsLines(source, parsed, tokens)
    var printer = DocumentPrinter(options: options, lineEnd: isWindows ? [13, 10] : [10])
    var next = 0
    /// Prints the `;` of empty statements, and goes to a new line for the next.
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

  /// Whether lines end as Windows ends them: as the first does that is not kept as it is, within a
  /// comment, a quoted text or a module's arguments. Where there is none, the first of all tells.
  private func hasWindowsLines(
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

  /// Goes to a new line, and leaves an empty one where there was one.
  private func startStatement(
    _ index: Int, _ tokens: FormatTokens, _ printer: inout DocumentPrinter
  ) {
    guard index > 0 else { return }
    let isWide = tokens.lineEnds(before: index) > 1 && index < tokens.tokens.count - 1
    printer.print(.freshLine(isWide: isWide))
  }

  private func header(_ range: Range<Int>, _ tokens: FormatTokens) -> Document {
    .sequence(
      range.flatMap { index in
        let isFirst = index == range.lowerBound || tokens.kind(index) == .colon
        return (isFirst ? [] : [Document.space]) + [tokens.document(of: index)]
      })
  }
}
