internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
public import SQLSyntax

/// A text that can be inserted at the cursor.
public struct Completion: Hashable, Sendable {
  public enum Kind: Int, Hashable, Sendable {
    case column, join, table, view, commonTable, alias, parameter, value, function, keyword, snippet
    case collation
  }

  public var label: String
  public var kind: Kind
  public var detail: String?
  /// The text to insert. In a snippet, `$1` is the position of the cursor afterwards.
  public var text: String
  public var isSnippet = false
  /// The rank among the completions, the lowest first.
  public var rank: Int
}

/// The completions at a place, and the span that they replace.
public struct CompletionList: Sendable {
  public var span: ByteSpan
  public var items: [Completion]
}

extension LanguageProject {
  /// Returns the completions at an offset.
  public mutating func completions(_ path: String, at offset: ByteOffset) -> CompletionList? {
    replay()
    guard let (source, tokens) = tokens(path), tokens.comment(at: offset) == nil else { return nil }
    var word = ByteSpan(offset, offset)
    let next = tokens.tokens.first { $0.span.start >= offset }
    // A name directly before a number would become one word with it.
    if let next, next.span.start == offset, next.kind == .integer || next.kind == .real {
      return nil
    }
    if let index = tokens.token(at: offset) {
      let token = tokens.tokens[index]
      let text = source[token.span]
      let isBegun = token.kind == .illegal && "\"`[:@$".contains(text.first ?? " ")
      if token.kind == .string || token.kind == .integer || token.kind == .real { return nil }
      if token.kind == .illegal, !isBegun { return nil }
      if token.isWord || isBegun {
        // An unclosed quote extends to the end of the text.
        word = ByteSpan(token.span.start, isBegun ? offset : max(offset, token.span.end))
      }
    }
    let statement = tokens.statement(at: word.start)
    let range = statement.map { tokens.tokens[$0] } ?? []
    let start = Self.startOfStatement(range, source) ?? word.start
    guard start <= word.start else {
      return nil
    }
    let end: ByteOffset =
      range.last.map { $0.kind == .semicolon ? $0.span.start : $0.span.end } ?? word.end
    let (catalog, tables) = schema(path, before: start)
    let broken = BrokenStatement(
      source, Array(range), start: start, word: word, end: max(end, word.end), catalog: catalog)
    var items = CompletionBuilder(
      broken: broken, context: CompletionContext(broken.before, source), catalog: catalog,
      tables: tables, prefix: source[ByteSpan(word.start, offset)],
      parameters: Self.parameters(Array(range), source),
      isQueryFile: Self.isQueries(kind(of: path))
        && range.first.map { $0.span.start >= start } ?? true
    )
    // A word directly after the cursor is kept.
    let replaced = word.start == offset ? ByteSpan(offset, offset) : word
    var list = CompletionList(span: replaced, items: items.build())
    // Before a period, only a qualifier makes sense.
    if let after = tokens.tokens.first(where: { $0.span.start >= word.end }), after.kind == .dot,
      after.span.start == word.end
    {
      list.items = list.items.filter { [.alias, .table, .view, .commonTable].contains($0.kind) }
    }
    return list
  }

  /// Returns the schema that is visible in a statement. A migration contains the objects that its
  /// earlier statements create.
  private mutating func schema(
    _ path: String, before offset: ByteOffset
  ) -> (Catalog, [QueryModel.TableDefinition]) {
    guard case .migration(let index) = kind(of: path), let source = file(path)?.source else {
      return (catalog, compilation.project.tables)
    }
    var catalog = catalog(beforeMigration: index)
    var ignored = DiagnosticList()
    for entry in statements(at: index) where entry.statement.span.end <= offset {
      catalog.apply(entry.statement, source: source, diagnostics: &ignored)
    }
    return (catalog, catalog.tables())
  }

  private static func isQueries(_ kind: FileKind?) -> Bool {
    if case .queries = kind { true } else { false }
  }

  /// The names of the parameters of a statement.
  private static func parameters(_ tokens: [Token], _ source: SourceText) -> [String] {
    Set(tokens.filter { $0.kind == .parameter }.map { source[$0.span] })
      .filter { $0.count > 1 }.sorted()
  }

  /// Returns the offset at which a statement begins, after the header of a query and the `BEGIN` of an
  /// unfinished block.
  static func startOfStatement(_ tokens: ArraySlice<Token>, _ source: SourceText) -> ByteOffset? {
    guard let first = tokens.first else { return nil }
    var start = StatementTokens.headerEnd(tokens)
    if start < tokens.endIndex, Array(tokens).startsBlock(at: start - tokens.startIndex) {
      start += 1
    }
    return start > tokens.startIndex ? tokens[start - 1].span.end : first.span.start
  }
}
