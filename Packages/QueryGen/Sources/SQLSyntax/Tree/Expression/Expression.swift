/// An expression of SQL. Nested at most 1,000 deep, as SQLite's own are, so recursion over it is
/// bounded.
public indirect enum Expression: Equatable, Sendable {
  /// `1`, `'x'`, `NULL`, `CURRENT_TIME`
  case literal(LiteralExpression)
  /// `?`, `?1`, `:name`, `@name`, `$name`
  case parameter(Parameter)
  /// `column`, `table.column`, `schema.table.column`; `TRUE` and `FALSE` too, which SQLite takes
  /// for columns first.
  case column(ColumnReference)
  /// `-x`, `+x`, `~x`, `NOT x`
  case unary(UnaryExpression)
  /// `x + y` and all other operators of two operands, `IS` among them
  case binary(BinaryExpression)
  /// `x COLLATE name`
  case collate(CollateExpression)
  /// `x [NOT] LIKE y [ESCAPE z]`, and `GLOB`, `REGEXP`, `MATCH`
  case match(MatchExpression)
  /// `x ISNULL`, `x NOTNULL`, `x NOT NULL` (`x IS NULL` is a ``BinaryExpression``)
  case nullTest(NullTestExpression)
  /// `x [NOT] BETWEEN y AND z`
  case between(BetweenExpression)
  /// `x [NOT] IN …`
  case `in`(InExpression)
  /// `CASE … END`
  case `case`(CaseExpression)
  /// `CAST(x AS type)`
  case cast(CastExpression)
  /// `EXISTS (select)`
  case exists(ExistsExpression)
  /// `(select)`
  case subquery(SubqueryExpression)
  /// `name(arguments) [FILTER (…)] [OVER …]`
  case function(FunctionCall)
  /// `(x, y)`, of two elements or more
  case row(RowExpression)
  /// `(x)`
  case parenthesized(ParenthesizedExpression)
  /// `RAISE(…)`
  case raise(RaiseExpression)

  /// Where it stands.
  public var span: ByteSpan {
    switch self {
    case .literal(let node): node.span
    case .parameter(let node): node.span
    case .column(let node): node.span
    case .unary(let node): node.span
    case .binary(let node): node.span
    case .collate(let node): node.span
    case .match(let node): node.span
    case .nullTest(let node): node.span
    case .between(let node): node.span
    case .in(let node): node.span
    case .case(let node): node.span
    case .cast(let node): node.span
    case .exists(let node): node.span
    case .subquery(let node): node.span
    case .function(let node): node.span
    case .row(let node): node.span
    case .parenthesized(let node): node.span
    case .raise(let node): node.span
    }
  }

  /// The expression without the parentheses around it, however many there are.
  public var unparenthesized: Expression {
    var expression = self
    while case .parenthesized(let node) = expression { expression = node.inner }
    return expression
  }
}

/// A column, perhaps with its table and schema.
public struct ColumnReference: Equatable, Sendable {
  /// The schema, where written.
  public var schema: Identifier?
  /// The table or alias, where written.
  public var table: Identifier?
  /// The column.
  public var column: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The value where this is the bare word `TRUE` or `FALSE`, which SQLite takes as 1 and 0
  /// unless a column has that name.
  public var booleanValue: Bool? {
    guard table == nil, column.quoting == .bare else { return nil }
    switch column.text.utf8.count {
    case 4 where column.folded == "true": return true
    case 5 where column.folded == "false": return false
    default: return nil
    }
  }
}

/// A literal value.
public struct LiteralExpression: Equatable, Sendable {
  /// The value.
  public var value: Literal
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// What a literal can be.
public enum Literal: Equatable, Sendable {
  case null
  /// Digits, or `0x` and hexadecimal digits, as written. See ``integerValue``.
  case integer(String)
  /// A number with a point or an exponent, as written.
  case real(String)
  /// A string, its quotes removed and doubled quotes made single.
  case string(String)
  /// The bytes of `x'…'`.
  case blob([UInt8])
  /// `CURRENT_TIME`
  case currentTime
  /// `CURRENT_DATE`
  case currentDate
  /// `CURRENT_TIMESTAMP`
  case currentTimestamp

  /// The value of an integer literal; `nil` for any other, and for decimal digits beyond 64 bits,
  /// which SQLite takes as a real. Hexadecimal digits are two's complement of 64 bits.
  public var integerValue: Int64? {
    guard case .integer(let text) = self else { return nil }
    let bytes = text.utf8
    if bytes.count > 2, bytes[bytes.index(after: bytes.startIndex)] | 0x20 == UInt8(ascii: "x") {
      return UInt64(text.dropFirst(2), radix: 16).map(Int64.init(bitPattern:))
    }
    return Int64(text)
  }

  /// The value of a number literal as a real.
  public var realValue: Double? {
    switch self {
    case .real(let text): Double(text.hasSuffix(".") ? text + "0" : text)
    case .integer(let text): integerValue.map(Double.init) ?? Double(text)
    default: nil
    }
  }
}

/// A parameter, to be bound when the statement runs.
public struct Parameter: Equatable, Sendable {
  /// How it is written.
  public var kind: Kind
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The ways to write a parameter.
  public enum Kind: Equatable, Sendable {
    /// `?`
    case anonymous
    /// `?1`; the digits as written are not kept: `?01` is `?1`.
    case numbered(Int)
    /// `:name`, `@name`, `$name::part(suffix)`; the text with its first character, as SQLite
    /// reports it.
    case named(String)
  }

  /// The name without its first character, where it has one.
  public var name: String? {
    guard case .named(let text) = kind else { return nil }
    return String(text.dropFirst())
  }
}

/// An expression in parentheses.
public struct ParenthesizedExpression: Equatable, Sendable {
  /// What stands inside.
  public var inner: Expression
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}

/// A row value, `(x, y)`.
public struct RowExpression: Equatable, Sendable {
  /// The elements; two or more.
  public var elements: [Expression]
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}
