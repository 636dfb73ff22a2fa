/// What a token is.
///
/// Keywords stand in groups, by where SQLite takes them for names: those it falls back to a name
/// wherever its grammar has no other use for them, those that begin a join, those that are
/// keywords by their neighbours alone, and those that are always reserved.
public enum TokenKind: UInt8, Hashable, Sendable {
  /// The end of the text.
  case endOfText
  /// Bytes that begin no token; see ``LexicalFault``.
  case illegal

  case semicolon, leftParenthesis, rightParenthesis, comma, dot, colon, star
  case plus, minus, slash, percent, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case shiftLeft, shiftRight, ampersand, bar, concatenate, tilde, arrow, doubleArrow

  /// A number without point and exponent, decimal or hexadecimal.
  case integer
  /// A number with a point or an exponent.
  case real
  /// `'text'`
  case string
  /// `x'00'`
  case blob
  /// `?`, `?1`, `:a`, `@a`, `$a`
  case parameter
  /// A name, bare, in `"…"`, `[…]` or in backticks.
  case identifier

  // Names wherever they can be one.
  case abort, action, after, always, analyze, asc, attach, before, begin, by, cascade, cast,
    column, conflict, current, currentDate, currentTime, currentTimestamp, database, deferred,
    desc, detach, `do`, each, end, exclude, exclusive, explain, fail, first, following, `for`,
    generated, glob, groups, `if`, ignore, immediate, initially, instead, key, last, like, match,
    materialized, no, nulls, of, offset, others, partition, plan, pragma, preceding, query, raise,
    range, recursive, regexp, reindex, release, rename, replace, restrict, rollback, row, rows,
    savepoint, temp, ties, trigger, unbounded, vacuum, view, virtual, with, without
  /// `INDEXED`, a name except as an alias.
  case indexed

  // Words of joins, and names of tables and columns.
  case cross, full, inner, left, natural, outer, right

  // Keywords only among certain neighbours, and names elsewhere.
  case window, over, filter

  // Reserved.
  case add, all, alter, and, `as`, autoincrement, between, `case`, check, collate, commit,
    constraint, create, `default`, deferrable, delete, distinct, drop, `else`, escape, except,
    exists, foreign, from, group, having, `in`, index, insert, intersect, into, `is`, isnull,
    join, limit, not, nothing, notnull, null, on, or, order, primary, references, returning,
    select, set, table, then, to, transaction, union, unique, update, using, values, when, `where`

  /// Whether SQLite falls back to a name where its grammar has no other use for this keyword.
  @inlinable public var isFallback: Bool {
    rawValue >= TokenKind.abort.rawValue && rawValue <= TokenKind.without.rawValue
  }

  /// Whether this is a word such as `LEFT` that begins a join.
  @inlinable public var isJoinWord: Bool {
    rawValue >= TokenKind.cross.rawValue && rawValue <= TokenKind.right.rawValue
  }

  /// Whether this is a keyword of any group.
  @inlinable public var isKeyword: Bool { rawValue >= TokenKind.abort.rawValue }
}

extension TokenKind {
  /// How the token is written, where it has one way: `(`, `SELECT`. `nil` for names and literals.
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
