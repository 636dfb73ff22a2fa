internal import SQLSemantics
internal import SQLSyntax

/// A statement that is being typed, repaired so that it can be parsed, with the names that are
/// visible at the cursor.
///
/// The repairs are tried in turn, from the least to the most destructive one. Their diagnostics are
/// never shown.
struct BrokenStatement {
  /// The placeholder for the word to complete.
  static let placeholder = "qg_cursor_0"

  /// The statement's tokens before the word that is completed.
  let before: [Token]
  /// The statement's text before that word, without the header of a query.
  let head: [UInt8]
  /// The text after the word, up to the end of the statement.
  let tail: [UInt8]
  let source: SourceText
  private let start: Int
  /// The scope at the cursor; `nil` if no repair has one.
  private(set) var scope: StatementTrace.VisibleScope?
  /// The common tables that precede the cursor or enclose it.
  private(set) var commonTables: [CommonTable] = []

  /// - Parameters:
  ///   - start: The offset at which the statement begins, after its header.
  ///   - word: The span of the word to complete.
  ///   - end: The offset at which the statement ends, before its `;`.
  init(
    _ source: SourceText, _ tokens: [Token], start: ByteOffset, word: ByteSpan, end: ByteOffset,
    catalog: Catalog
  ) {
    self.source = source
    self.start = start.value
    before = tokens.filter { $0.span.start >= start && $0.span.end <= word.start }
    head = Array(source.bytes[start.value..<max(start.value, word.start.value)])
    tail = Array(source.bytes[word.end.value..<max(word.end.value, end.value)])
    for text in repairs() {
      guard let offset = text.firstRange(of: Array(Self.placeholder.utf8)) else { continue }
      let source = SourceText(bytes: text)
      var diagnostics = DiagnosticList()
      let options = ParserOptions(allowsListParameters: true, target: SQLiteVersion(3, 99))
      guard
        let statement = Parser.parseStatement(source, options: options, diagnostics: &diagnostics)
      else { continue }
      let trace = catalog.trace(statement, source: source)
      commonTables = trace.commonTables
      let place = ByteOffset(offset.lowerBound)
      scope = trace.scopes.filter { $0.span.start <= place && place <= $0.span.end }
        .min { $0.span.count < $1.span.count }
      if scope != nil || !mentionsTables { break }
    }
  }

  /// Indicates whether the statement names tables, so that a scope is expected.
  private var mentionsTables: Bool {
    before.contains { [.from, .join, .update, .into].contains($0.kind) }
      || SourceText(bytes: tail).mentionsFrom
  }

  // MARK: Repairs

  /// The repaired statements, in the order in which they are tried.
  private func repairs() -> [[UInt8]] {
    let name = Array(" \(Self.placeholder) ".utf8)
    let word = head.last == UInt8(ascii: ".") ? Array(Self.placeholder.utf8) : name
    let closing = Self.closing(head + word + tail)
    let rest = fromNextClause
    let shortened = withoutBrokenItem
    var texts: [[UInt8]] = [
      head + word + tail,
      head + word + tail + closing,
      // Between two operands an operator is missing.
      head + word + Array("=".utf8) + tail + closing,
      head + word + Array(",".utf8) + tail + closing,
      head + word + rest + Self.closing(head + word + rest),
      head + word + Self.closing(head + word) + rest,
      head + word + Self.closing(head + word),
      head + Array("=".utf8) + word + rest + Self.closing(head + word + rest),
      shortened + name + rest + Self.closing(shortened + name + rest),
      shortened + name + Self.closing(shortened + name),
    ]
    let select = Array("SELECT ".utf8) + name + sources()
    texts.append(select)
    return texts
  }

  /// The closing parentheses, and the ends of `CASE` and of a trigger's body, that a text lacks.
  private static func closing(_ text: [UInt8]) -> [UInt8] {
    var open: [TokenKind] = []
    let tokens = Lexer.tokenize(SourceText(bytes: text)).tokens
    let isTrigger =
      tokens.first?.kind == .create && tokens.prefix(3).contains { $0.kind == .trigger }
    for token in tokens {
      switch token.kind {
      case .leftParenthesis, .case: open.append(token.kind)
      case .begin where isTrigger: open.append(.begin)
      case .rightParenthesis: if open.last == .leftParenthesis { open.removeLast() }
      case .end: if open.last == .case || open.last == .begin { open.removeLast() }
      default: break
      }
    }
    let text = open.reversed().map { kind in
      switch kind {
      case .leftParenthesis: ")"
      case .begin: "; END"
      // A case may lack its first branch.
      default: " END"
      }
    }.joined()
    return Array(text.utf8)
  }

  /// The text after the cursor from the next clause of the same or an outer level on.
  private var fromNextClause: [UInt8] {
    let text = SourceText(bytes: tail)
    var depth = 0
    for token in Lexer.tokenize(text).tokens {
      switch token.kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis where depth == 0: return Array(tail[token.span.start.value...])
      case .rightParenthesis: depth -= 1
      case .from, .where, .group, .having, .order, .limit, .union, .except, .intersect, .set,
        .values,
        .returning, .window, .join, .left, .inner, .cross, .on:
        if depth == 0 { return Array(tail[token.span.start.value...]) }
      default: break
      }
    }
    return []
  }

  /// The text before the cursor without the item that is being typed.
  private var withoutBrokenItem: [UInt8] {
    var depth = 0
    for token in before.reversed() {
      switch token.kind {
      case .rightParenthesis: depth += 1
      case .leftParenthesis where depth > 0: depth -= 1
      case .leftParenthesis, .comma, .select, .from, .where, .having, .by, .set, .on, .and, .or,
        .join,
        .returning, .limit, .distinct, .when, .then, .else:
        if depth == 0 { return Array(head[..<(token.span.end.value - start)]) }
      default: break
      }
    }
    return head
  }

  /// A `FROM` clause with all tables that are named in the statement at the level of the cursor or
  /// an outer level.
  private func sources() -> [UInt8] {
    var found: [String] = []
    func scan(_ list: [Token], _ text: SourceText) {
      for (index, token) in list.enumerated() {
        guard [.from, .join, .into, .update, .comma].contains(token.kind), index + 1 < list.count,
          list[index + 1].kind == .identifier
        else { continue }
        if token.kind == .comma, found.isEmpty { continue }
        var entry = text[list[index + 1].span]
        var next = index + 2
        if next < list.count, list[next].kind == .as { next += 1 }
        if next < list.count, list[next].kind == .identifier {
          entry += " AS " + text[list[next].span]
        }
        if token.kind != .comma || !found.isEmpty { found.append(entry) }
      }
    }
    scan(before, source)
    let after = SourceText(bytes: tail)
    scan(Lexer.tokenize(after).tokens, after)
    return found.isEmpty ? [] : Array((" FROM " + found.joined(separator: ", ")).utf8)
  }
}

extension SourceText {
  fileprivate var mentionsFrom: Bool {
    Lexer.tokenize(self).tokens.contains { $0.kind == .from || $0.kind == .join }
  }
}
