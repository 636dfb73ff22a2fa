internal import SQLSemantics
internal import SQLSyntax

/// The kind of name that is expected at the cursor, as the tokens before it determine it.
enum CompletionContext: Equatable {
  /// The beginning of a statement, or of a query's header.
  case statement
  case expression
  /// An expression without columns, after `LIMIT`.
  case constant
  /// A table, after `FROM` or `JOIN`, for example.
  case table(isJoin: Bool)
  /// A column after a qualifier.
  case member(of: String)
  /// A column of the table that is written, after `SET` or in the column list of an insert.
  case targetColumn(table: String)
  /// A column in `USING (…)`.
  case joinedColumn
  case collation
  case pragma
  case typeName
  /// A new name, for which there are no completions.
  case newName

  init(_ tokens: [Token], _ source: SourceText) {
    guard let last = tokens.last else {
      self = .statement
      return
    }
    func name(_ index: Int) -> String? {
      guard tokens.indices.contains(index), tokens[index].isWord || tokens[index].kind == .string
      else { return nil }
      return source.unquoted(tokens[index].span)
    }
    switch last.kind {
    case .dot: self = name(tokens.count - 2).map { .member(of: $0) } ?? .newName
    case .from, .update, .into, .references, .in: self = .table(isJoin: false)
    case .join: self = .table(isJoin: true)
    case .as:
      self = Self.isInCast(tokens) ? .typeName : .newName
    case .collate: self = .collation
    case .pragma: self = .pragma
    case .table where tokens.first?.kind == .drop || tokens.first?.kind == .alter,
      .view where tokens.first?.kind == .drop:
      self = .table(isJoin: false)
    case .table where tokens.first?.kind == .create, .view, .index, .trigger: self = .newName
    default: self = Self.clause(tokens, source)
    }
  }

  /// Returns whether the cursor is after the `AS` of a cast.
  private static func isInCast(_ tokens: [Token]) -> Bool {
    var depth = 0
    for index in tokens.indices.reversed() {
      switch tokens[index].kind {
      case .rightParenthesis: depth += 1
      case .leftParenthesis:
        if depth == 0 { return index > 0 && tokens[index - 1].kind == .cast }
        depth -= 1
      default: break
      }
    }
    return false
  }

  /// Returns the context that the last clause of the cursor's level determines.
  private static func clause(_ tokens: [Token], _ source: SourceText) -> CompletionContext {
    var depth = 0
    for index in tokens.indices.reversed() {
      let token = tokens[index]
      switch token.kind {
      case .rightParenthesis: depth += 1
      case .leftParenthesis where depth > 0: depth -= 1
      case .leftParenthesis:
        return parentheses(tokens, at: index, source)
      case _ where depth > 0: break
      case .from, .join:
        // A comma in a `FROM` clause is followed by a table, but one in an `ON` clause is not
        // possible.
        return tokens.last?.kind == .comma ? .table(isJoin: false) : .expression
      case .set:
        let isTarget = tokens.last?.kind == .set || tokens.last?.kind == .comma
        guard isTarget, let table = writtenTable(tokens, source) else { return .expression }
        return .targetColumn(table: table)
      case .limit: return .constant
      case .select, .where, .group, .having, .order, .returning, .values, .on, .by, .when:
        return .expression
      default: break
      }
    }
    return .expression
  }

  private static func parentheses(
    _ tokens: [Token], at index: Int, _ source: SourceText
  ) -> CompletionContext {
    guard index > 0 else { return .expression }
    let isFirst = tokens.last?.kind == .leftParenthesis || tokens.last?.kind == .comma
    switch tokens[index - 1].kind {
    case .using: return .joinedColumn
    case .conflict:
      return writtenTable(tokens, source).map { .targetColumn(table: $0) } ?? .expression
    case .identifier where index > 1:
      // `INSERT INTO t (`, `REFERENCES t (` and `ON t (`.
      let before = tokens[index - 2].kind
      let isIndex = before == .on && tokens.first?.kind == .create
      guard before == .into || before == .references || isIndex, isFirst else {
        return .expression
      }
      return .targetColumn(table: source.unquoted(tokens[index - 1].span))
    default: return .expression
    }
  }

  /// Returns the table that an insert or update writes.
  private static func writtenTable(_ tokens: [Token], _ source: SourceText) -> String? {
    for index in tokens.indices.dropLast().reversed()
    where tokens[index].kind == .into || tokens[index].kind == .update {
      var next = index + 1
      // `UPDATE OR IGNORE t`
      if tokens[next].kind == .or { next += 2 }
      guard next < tokens.count, tokens[next].isWord else { return nil }
      if next + 2 < tokens.count, tokens[next + 1].kind == .dot { next += 2 }
      return source.unquoted(tokens[next].span)
    }
    return nil
  }
}
