internal import Primitives

extension Parser {
  /// Returns a fix-it and a hint for an unexpected token if the intended text is almost certain.
  func suggestedFix(for expectation: Expectation) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    doubledAmpersandFix ?? trailingCommaFix(before: expectation) ?? misspelledKeywordFix(
      for: expectation)
      ?? misspelledClauseFix(for: expectation)
  }

  /// The correction of `a && b` to `AND`. (`||` is valid SQL, so its intent is unknown.)
  private var doubledAmpersandFix: (fixIt: Diagnostic.FixIt, hint: String)? {
    guard kind == .ampersand, index > 0, tokens[index - 1].kind == .ampersand,
      tokens[index - 1].span.end == start
    else { return nil }
    let span = tokens[index - 1].span.union(current.span)
    return (Diagnostic.FixIt(replace: span, with: "AND"), "use AND instead of &&")
  }

  /// Returns the correction of a comma after the last element of a list: `SELECT a, FROM t`.
  private func trailingCommaFix(
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
        "remove the trailing comma"
      )
    default: return nil
    }
  }

  /// Returns the correction of a misspelled keyword if one of a few keywords is expected.
  private func misspelledKeywordFix(
    for expectation: Expectation
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    spellingFix(at: index, as: expectation.keywords)
  }

  /// Returns the correction of a misspelled clause keyword, which may have been parsed as an alias:
  /// `SELECT * FORM t`, `SELECT a FORM t`.
  private func misspelledClauseFix(
    for expectation: Expectation
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    guard case .endOfStatement = expectation else { return nil }
    let clauses: [TokenKind] = [
      .from, .where, .group, .having, .order, .limit, .join, .values, .returning, .union, .set,
    ]
    return spellingFix(at: index, as: clauses) ?? spellingFix(at: index - 1, as: clauses)
  }

  /// Returns the correction of the bare word at `place` to the keyword with the most similar
  /// spelling.
  private func spellingFix(
    at place: Int, as keywords: [TokenKind]
  ) -> (fixIt: Diagnostic.FixIt, hint: String)? {
    guard place >= 0, tokens[place].kind == .identifier else { return nil }
    let span = tokens[place].span
    let word = source[span]
    guard word.utf8.count > 2,
      word.utf8.allSatisfy({ Lexer.isIdentifierByte($0) && !Lexer.isDigit($0) }),
      let nearest = EditDistance.nearest(to: word, among: keywords.compactMap(\.spelling))
    else { return nil }
    return (Diagnostic.FixIt(replace: span, with: nearest), "did you mean \(nearest)?")
  }
}

extension Expectation {
  /// The keywords that satisfy the expectation.
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
