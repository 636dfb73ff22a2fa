internal import Primitives

extension Parser {
  /// What mends the text at the current token, where hardly anything else can be meant.
  func remedy(for expectation: Expectation) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    doubledOperator ?? trailingComma(before: expectation) ?? misspeltKeyword(for: expectation)
      ?? misspeltClause(for: expectation)
  }

  /// `a && b`, as other languages write it. (`||` joins texts, so it can't be told.)
  private var doubledOperator: (fixIt: Diagnostic.FixIt, hint: String)? {
    guard kind == .ampersand, index > 0, tokens[index - 1].kind == .ampersand,
      tokens[index - 1].span.end == start
    else { return nil }
    let span = tokens[index - 1].span.union(current.span)
    return (Diagnostic.FixIt(replace: span, with: "AND"), "SQL's word for && is AND")
  }

  /// `SELECT a, FROM t`: a comma after the last of a list.
  private func trailingComma(
    before expectation: Expectation
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    guard index > 0, tokens[index - 1].kind == .comma else { return nil }
    switch expectation {
    case .expression, .resultColumn, .name, .tableSource, .tableConstraint, .select: break
    default: return nil
    }
    switch kind {
    case .rightParenthesis, .semicolon, .endOfText, .from, .where, .group, .having, .order, .limit,
      .union, .except, .intersect, .returning, .on:
      return (
        Diagnostic.FixIt(replace: tokens[index - 1].span, with: ""),
        "there is nothing after the comma"
      )
    default: return nil
    }
  }

  /// A word where one keyword, or one of a few, has to stand, and is meant.
  private func misspeltKeyword(
    for expectation: Expectation
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    rewritten(at: index, as: expectation.keywords)
  }

  /// `SELECT * FORM t` and `SELECT a FORM t`, where the word may have been taken for an alias.
  private func misspeltClause(
    for expectation: Expectation
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    guard case .endOfStatement = expectation else { return nil }
    let clauses: [TokenKind] = [
      .from, .where, .group, .having, .order, .limit, .join, .values, .returning, .union, .set,
    ]
    return rewritten(at: index, as: clauses) ?? rewritten(at: index - 1, as: clauses)
  }

  /// A bare word that stands at `place`, written as the one of some keywords that it nearly is.
  private func rewritten(
    at place: Int, as keywords: [TokenKind]
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    guard place >= 0, tokens[place].kind == .identifier else { return nil }
    let span = tokens[place].span
    let word = source[span]
    guard word.utf8.count > 2,
      word.utf8.allSatisfy({ Lexer.isIdentifierByte($0) && !Lexer.isDigit($0) }),
      let nearest = Suggestion.nearest(to: word, among: keywords.compactMap(\.spelling))
    else { return nil }
    return (Diagnostic.FixIt(replace: span, with: nearest), "did you mean \(nearest)?")
  }
}

extension Expectation {
  /// The keywords that can stand there.
  fileprivate var keywords: [TokenKind] {
    switch self {
    case .token(let kind): kind.isKeyword ? [kind] : []
    case .eitherToken(let first, let second): [first, second].filter(\.isKeyword)
    case .statement:
      [
        .select, .insert, .update, .delete, .create, .alter, .drop, .with, .values, .replace,
        .pragma, .begin, .commit, .rollback, .savepoint, .release, .attach, .detach, .analyze,
        .reindex, .vacuum, .explain,
      ]
    case .triggerStatement: [.select, .insert, .update, .delete, .end]
    case .select: [.select, .values, .with]
    case .insertSource: [.values, .select, .default]
    case .createdObject: [.table, .index, .view, .trigger, .virtual, .unique]
    case .droppedObject: [.table, .index, .view, .trigger]
    case .alteration: [.rename, .add, .drop, .alter]
    case .joinWord: [.join]
    case .triggerEvent: [.delete, .insert, .update]
    case .columnConstraint:
      [
        .primary, .not, .null, .unique, .check, .default, .collate, .references, .generated,
        .constraint, .autoincrement,
      ]
    case .tableConstraint: [.primary, .unique, .check, .foreign, .constraint]
    case .foreignKeyEvent: [.delete, .update]
    case .conflictResolution: [.rollback, .abort, .fail, .ignore, .replace]
    default: []
    }
  }
}
