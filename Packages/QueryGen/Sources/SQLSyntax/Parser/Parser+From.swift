extension Parser {
  /// Reads `FROM …`; the current token is `FROM`.
  mutating func parseFrom() throws(SyntaxError) -> FromClause {
    advance()
    stackDepth += 4
    let from = try parseSources()
    stackDepth -= 4
    return from
  }

  /// Reads a source and the sources joined to it.
  private mutating func parseSources() throws(SyntaxError) -> FromClause {
    let start = start
    let first = try parseSource()
    if kind == .on || kind == .using {
      let isUpsert = kind(ahead: 1) == .conflict
      throw fail(
        isUpsert ? .ambiguousUpsert(at: current.span) : .constraintWithoutJoin(at: current.span))
    }
    var joins: [Join] = []
    while kind == .comma || kind == .join || kind.isJoinKeyword {
      joins.append(try parseJoin())
      if joins.count == Self.maximumSourceCount {
        throw fail(.tooManySources(at: span(from: start)))
      }
    }
    return FromClause(first: first, joins: joins, span: span(from: start))
  }

  private mutating func parseJoin() throws(SyntaxError) -> Join {
    let start = start
    let (kind, isNatural) = try parseJoinOperator()
    let operatorSpan = span(from: start)
    let source = try parseSource()
    var constraint: JoinConstraint?
    if self.kind == .on || self.kind == .using {
      if isNatural { throw fail(.constraintOnNaturalJoin(at: current.span)) }
      constraint = try parseConstraint()
    }
    return Join(
      kind: kind, isNatural: isNatural, source: source, constraint: constraint,
      operatorSpan: operatorSpan, span: span(from: start))
  }

  private mutating func parseConstraint() throws(SyntaxError) -> JoinConstraint {
    let onSpan = current.span
    if accept(.on) {
      let isConflict = kind == .conflict
      let condition = try parseCondition(.on, symbols: 5)
      if isConflict, kind == .do { throw fail(.ambiguousUpsert(at: onSpan)) }
      return .on(condition)
    }
    advance()
    return .using(try parseNamesInParentheses())
  }

  /// Reads a join operator: a comma, `JOIN`, or up to three words before `JOIN`.
  ///
  /// SQLite combines the words: `LEFT RIGHT JOIN` is a full join. See
  /// https://www.sqlite.org/lang_select.html.
  private mutating func parseJoinOperator() throws(SyntaxError) -> (Join.Kind, Bool) {
    if accept(.comma) { return (.comma, false) }
    if accept(.join) { return (.plain, false) }
    let start = start
    var words: JoinKeywords = []
    var count = 0
    while count < 3, count == 0 || isAtName {
      words.insert(JoinKeywords(kind))
      advance()
      count += 1
    }
    let wordSpan = span(from: start)
    try expect(.join)
    guard let kind = words.joinKind else {
      throw fail(.unknownJoin(source[wordSpan], at: wordSpan))
    }
    return (kind, words.contains(.natural))
  }

  /// Reads one source and its alias.
  private mutating func parseSource() throws(SyntaxError) -> TableSource {
    try checkStack(for: 5)
    let start = start
    if accept(.leftParenthesis) {
      if isAtSelect {
        let select = try parseSelect(symbols: 2)
        try expect(.rightParenthesis)
        let alias = try parseAlias()
        return .subquery(SubquerySource(select: select, alias: alias, span: span(from: start)))
      }
      stackDepth += 2
      let from = try parseSources()
      stackDepth -= 2
      try expect(.rightParenthesis)
      let alias = try parseAlias()
      return .parenthesized(
        ParenthesizedSource(from: from, alias: alias, span: span(from: start)))
    }
    guard isAtName else { throw unexpected(.tableSource) }
    let name = try parseQualifiedName()
    if accept(.leftParenthesis) {
      let arguments = kind == .rightParenthesis ? [] : try parseExpressions(symbols: 4)
      try expect(.rightParenthesis)
      let alias = try parseAlias()
      return .function(
        TableFunction(name: name, arguments: arguments, alias: alias, span: span(from: start)))
    }
    let alias = try parseAlias()
    let indexing = try parseIndexing()
    return .table(
      TableReference(name: name, alias: alias, indexing: indexing, span: span(from: start)))
  }

  /// Reads `INDEXED BY …` or `NOT INDEXED`, if present.
  mutating func parseIndexing() throws(SyntaxError) -> TableReference.Indexing? {
    if accept(.indexed) {
      try expect(.by)
      return .indexedBy(try parseName())
    }
    guard accept(.not) else { return nil }
    try expect(.indexed)
    return .notIndexed
  }
}

/// The set of words before `JOIN`.
struct JoinKeywords: OptionSet {
  let rawValue: UInt8

  static let natural = JoinKeywords(rawValue: 1)
  static let left = JoinKeywords(rawValue: 2)
  static let right = JoinKeywords(rawValue: 4)
  static let full: JoinKeywords = [left, right]
  static let inner = JoinKeywords(rawValue: 8)
  static let cross = JoinKeywords(rawValue: 16)
  static let outer = JoinKeywords(rawValue: 32)
  /// Any other word, including a quoted one.
  static let unknown = JoinKeywords(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ kind: TokenKind) {
    switch kind {
    case .natural: self = .natural
    case .left: self = .left
    case .right: self = .right
    case .full: self = .full
    case .inner: self = .inner
    case .cross: self = .cross
    case .outer: self = .outer
    default: self = .unknown
    }
  }

  /// The kind of join that the words specify, or `nil` if they are invalid together.
  var joinKind: Join.Kind? {
    let isOuter = !isDisjoint(with: [.left, .right, .outer])
    let isInner = !isDisjoint(with: [.inner, .cross])
    if contains(.unknown) || isInner && isOuter { return nil }
    if isSuperset(of: .full) { return .full }
    if contains(.left) { return .left }
    if contains(.right) { return .right }
    if isOuter { return nil }
    if contains(.cross) { return .cross }
    return contains(.inner) ? .inner : .plain
  }
}
