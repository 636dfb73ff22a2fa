internal import QueryGenDriver
public import SQLSyntax

/// A change of a text: the span to replace, and its replacement.
public typealias TextChange = Diagnostic.FixIt

/// Formatting, folding and selection, which depend only on a file's tokens.
extension LanguageProject {
  /// Returns the changes that format a file, or the statements that overlap a span. There are none
  /// if the text can't be parsed.
  public func format(_ path: String, in span: ByteSpan? = nil) -> [TextChange] {
    guard let file = file(path), let (source, tokens) = tokens(path) else { return [] }
    let formatter = SQLFormatter(options: input.configuration.format)
    guard let span else {
      // The source lacks the carriage returns of Windows line endings, which editors keep.
      guard case .formatted(let text) = formatter.format(source.bytes, path: file.path) else {
        return []
      }
      return Self.changes(from: source.bytes[...], at: 0, to: text)
    }
    return tokens.statements.flatMap { statement -> [TextChange] in
      let place = tokens.span(of: statement)
      guard place.start < span.end || place.start == span.start, span.start <= place.end else {
        return []
      }
      let bytes = source.bytes[place.range]
      guard case .formatted(var text) = formatter.format(Array(bytes), path: file.path) else {
        return []
      }
      if text.last == 10 { text.removeLast() }
      return Self.changes(from: bytes, at: place.start.value, to: text)
    }
  }

  /// Returns the changes that format the statement that ends with a `;` before an offset.
  public func formatStatement(_ path: String, endingAt offset: ByteOffset) -> [TextChange] {
    guard let (_, tokens) = tokens(path),
      let statement = tokens.statements.last(where: { tokens.span(of: $0).end <= offset }),
      tokens.span(of: statement).end == offset
    else { return [] }
    return format(path, in: ByteSpan(tokens.span(of: statement).start, offset))
  }

  /// Returns the replacement of the lines that differ, without common lines at the start and end.
  private static func changes(
    from old: ArraySlice<UInt8>, at start: Int, to new: [UInt8]
  ) -> [TextChange] {
    guard !old.elementsEqual(new) else { return [] }
    let old = Array(old)
    var prefix = 0
    var line = 0
    while prefix < old.count, prefix < new.count, old[prefix] == new[prefix] {
      prefix += 1
      if old[prefix - 1] == 10 { line = prefix }
    }
    prefix = line
    var suffix = 0
    var kept = 0
    while suffix < old.count - prefix, suffix < new.count - prefix,
      old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
    {
      suffix += 1
      // A common ending counts if a line starts with it in both.
      if suffix < old.count, suffix < new.count, old[old.count - 1 - suffix] == 10,
        new[new.count - 1 - suffix] == 10
      {
        kept = suffix
      }
    }
    return [
      TextChange(
        replace: ByteSpan(start + prefix..<start + old.count - kept),
        with: String(decoding: new[prefix..<new.count - kept], as: UTF8.self))
    ]
  }

  /// A range of lines that an editor can fold.
  public struct Fold: Hashable, Sendable {
    public var lines: ClosedRange<Int>
    public var isComment: Bool
  }

  /// Returns the statements, parentheses, `CASE` expressions and comments of several lines.
  public func folds(of path: String, _ positions: PositionMap) -> [Fold] {
    guard let (source, tokens) = tokens(path) else { return [] }
    var folds: Set<Fold> = []
    func add(_ start: ByteOffset, _ end: ByteOffset, isComment: Bool = false) {
      let first = positions.line(of: start.value)
      let last = positions.line(of: end.value)
      if last > first { folds.insert(Fold(lines: first...last, isComment: isComment)) }
    }
    for statement in tokens.statements {
      let span = tokens.span(of: statement)
      add(span.start, span.end)
    }
    for group in Self.groups(tokens) {
      // The line of the closing parenthesis stays visible.
      let end = tokens.tokens[group.upperBound].span.start
      let line = positions.line(of: end.value)
      let first = positions.line(of: tokens.tokens[group.lowerBound].span.start.value)
      if line - 1 > first { folds.insert(Fold(lines: first...line - 1, isComment: false)) }
    }
    // Consecutive lines of comments are one fold.
    var start: ByteSpan?
    var last: ByteSpan?
    for comment in tokens.comments {
      if let end = last,
        source.bytes[end.end.value..<comment.start.value].count(where: { $0 == 10 })
          <= 1, source.bytes[end.end.value..<comment.start.value].allSatisfy({ $0 <= 32 })
      {
        last = comment
        continue
      }
      if let start, let last { add(start.start, last.end, isComment: true) }
      start = comment
      last = comment
    }
    if let start, let last { add(start.start, last.end, isComment: true) }
    return folds.sorted {
      ($0.lines.lowerBound, $0.lines.upperBound) < ($1.lines.lowerBound, $1.lines.upperBound)
    }
  }

  /// Returns the spans around an offset, from the inside out: a token, the contents of parentheses,
  /// clauses, the statement and the file.
  public func selections(_ path: String, at offset: ByteOffset) -> [ByteSpan] {
    guard let (source, tokens) = tokens(path) else { return [] }
    var spans: [ByteSpan] = []
    func add(_ span: ByteSpan) {
      guard span.start <= offset, offset <= span.end else { return }
      if let last = spans.last {
        guard span.start <= last.start, last.end <= span.end, span != last else { return }
      }
      spans.append(span)
    }
    if let index = tokens.token(at: offset) { add(tokens.tokens[index].span) }
    if let statement = tokens.statements.first(where: {
      let span = tokens.span(of: $0)
      return span.start <= offset && offset <= span.end
    }) {
      let groups = Self.groups(tokens).filter {
        statement.contains($0.lowerBound) && tokens.tokens[$0.lowerBound].span.start <= offset
          && offset <= tokens.tokens[$0.upperBound].span.end
      }
      for group in groups.sorted(by: { $0.count < $1.count }) {
        let inner = group.lowerBound + 1..<group.upperBound
        for range in Self.clauses(tokens, inner) { add(range) }
        if !inner.isEmpty {
          add(tokens.tokens[inner.lowerBound].span.union(tokens.tokens[inner.upperBound - 1].span))
        }
        add(tokens.tokens[group.lowerBound].span.union(tokens.tokens[group.upperBound].span))
      }
      for range in Self.clauses(tokens, statement) { add(range) }
      add(tokens.span(of: statement))
    }
    add(source.span)
    return spans
  }

  /// Returns the pairs of parentheses, and of `CASE` and `END`, as ranges of their tokens.
  private static func groups(_ tokens: StatementTokens) -> [ClosedRange<Int>] {
    var open: [Int] = []
    var groups: [ClosedRange<Int>] = []
    for (index, token) in tokens.tokens.enumerated() {
      switch token.kind {
      case .leftParenthesis, .case: open.append(index)
      case .rightParenthesis, .end:
        let wanted: TokenKind = token.kind == .end ? .case : .leftParenthesis
        guard let last = open.last, tokens.tokens[last].kind == wanted else { continue }
        open.removeLast()
        groups.append(last...index)
      case .semicolon: open = []
      default: break
      }
    }
    return groups
  }

  /// Returns the spans of the clauses at the outer level of a range of tokens.
  private static func clauses(_ tokens: StatementTokens, _ range: Range<Int>) -> [ByteSpan] {
    var starts: [Int] = []
    var depth = 0
    for index in range {
      switch tokens.tokens[index].kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis: depth -= 1
      case .select, .from, .where, .group, .having, .order, .limit, .values, .set, .returning,
        .union,
        .except, .intersect, .window, .with:
        if depth == 0 { starts.append(index) }
      default: break
      }
    }
    return starts.enumerated().map { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] : range.upperBound
      return tokens.tokens[start].span.union(tokens.tokens[end - 1].span)
    }
  }
}
