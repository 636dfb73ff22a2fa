/// The kind of a token.
///
/// Keywords are grouped by how SQLite accepts them as names: keywords that fall back to a name
/// wherever the grammar does not expect them, keywords that begin a join, contextual keywords, and
/// reserved keywords.
public enum TokenKind: UInt8, Hashable, Sendable {
  /// The end of the text.
  case endOfText
  /// Bytes that form no valid token; see ``LexicalError``.
  case illegal

  case semicolon, leftParenthesis, rightParenthesis, comma, dot, colon, star
  case plus, minus, slash, percent, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case shiftLeft, shiftRight, ampersand, bar, concatenate, tilde, arrow, doubleArrow

  /// A number without a decimal point or exponent, decimal or hexadecimal.
  case integer
  /// A number with a decimal point or an exponent.
  case real
  /// `'text'`
  case string
  /// `x'00'`
  case blob
  /// `?`, `?1`, `:a`, `@a`, `$a`
  case parameter
  /// A name, bare or quoted in `"…"`, `[…]` or backticks.
  case identifier

  // Fall back to a name wherever the grammar does not expect the keyword.
  case abort, action, after, always, analyze, asc, attach, before, begin, by, cascade, cast,
    column, conflict, current, currentDate, currentTime, currentTimestamp, database, deferred,
    desc, detach, `do`, each, end, exclude, exclusive, explain, fail, first, following, `for`,
    generated, glob, groups, `if`, ignore, immediate, initially, instead, key, last, like, match,
    materialized, no, nulls, of, offset, others, partition, plan, pragma, preceding, query, raise,
    range, recursive, regexp, reindex, release, rename, replace, restrict, rollback, row, rows,
    savepoint, temp, ties, trigger, unbounded, vacuum, view, virtual, with, without
  /// `INDEXED`, a name except as an alias.
  case indexed

  // Begin a join; also accepted as names of tables and columns.
  case cross, full, inner, left, natural, outer, right

  // Contextual: keywords depending on their neighbors, names elsewhere.
  case window, over, filter

  // Reserved.
  case add, all, alter, and, `as`, autoincrement, between, `case`, check, collate, commit,
    constraint, create, `default`, deferrable, delete, distinct, drop, `else`, escape, except,
    exists, foreign, from, group, having, `in`, index, insert, intersect, into, `is`, isnull,
    join, limit, not, nothing, notnull, null, on, or, order, primary, references, returning,
    select, set, table, then, to, transaction, union, unique, update, using, values, when, `where`

  /// Indicates whether SQLite treats this keyword as a name wherever the grammar does not expect
  /// it.
  @inlinable public var isFallback: Bool {
    rawValue >= TokenKind.abort.rawValue && rawValue <= TokenKind.without.rawValue
  }

  /// Indicates whether this is a keyword that begins a join, such as `LEFT`.
  @inlinable public var isJoinKeyword: Bool {
    rawValue >= TokenKind.cross.rawValue && rawValue <= TokenKind.right.rawValue
  }

  /// Indicates whether this is a keyword of any group.
  @inlinable public var isKeyword: Bool { rawValue >= TokenKind.abort.rawValue }
}

extension TokenKind {
  /// The token's fixed spelling, such as `(` or `SELECT`; `nil` for names and literals.
  public var spelling: String? {
    switch self {
    case .semicolon: ";"
    case .leftParenthesis: "("
    case .rightParenthesis: ")"
    case .comma: ","
    case .dot: "."
    case .colon: ":"
    case .star: "*"
    case .plus: "+"
    case .minus: "-"
    case .slash: "/"
    case .percent: "%"
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .shiftLeft: "<<"
    case .shiftRight: ">>"
    case .ampersand: "&"
    case .bar: "|"
    case .concatenate: "||"
    case .tilde: "~"
    case .arrow: "->"
    case .doubleArrow: "->>"
    default: KeywordTable.all.first { $0.kind == self }?.text.description
    }
  }
}
