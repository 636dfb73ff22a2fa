/// An SQL expression. As in SQLite, the nesting depth is at most 1,000, so recursion over the tree
/// is bounded.
public indirect enum Expression: Equatable, Sendable {
  /// `1`, `'x'`, `NULL`, `CURRENT_TIME`
  case literal(LiteralExpression)
  /// `?`, `?1`, `:name`, `@name`, `$name`
  case parameter(Parameter)
  /// `column`, `table.column`, `schema.table.column`; also `TRUE` and `FALSE`, which SQLite first
  /// looks up as columns.
  case column(ColumnReference)
  /// `-x`, `+x`, `~x`, `NOT x`
  case unary(UnaryExpression)
  /// `x + y` and all other binary operators, including `IS`
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
  /// `(x, y)`, with two or more elements
  case row(RowExpression)
  /// `(x)`
  case parenthesized(ParenthesizedExpression)
  /// `RAISE(…)`
  case raise(RaiseExpression)

  /// The node's span in the source text.
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

  /// The expression without any enclosing parentheses.
  public var unparenthesized: Expression {
    var expression = self
    while case .parenthesized(let node) = expression { expression = node.inner }
    return expression
  }
}

/// A column, optionally qualified by table and schema.
public struct ColumnReference: Equatable, Sendable {
  /// The schema, if specified.
  public var schema: Identifier?
  /// The table or alias, if specified.
  public var table: Identifier?
  /// The column.
  public var column: Identifier
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The value of the bare word `TRUE` or `FALSE`, which SQLite treats as 1 or 0 unless a column
  /// has that name; `nil` for any other reference.
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
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// The kinds of literal.
public enum Literal: Equatable, Sendable {
  case null
  /// The literal text: digits, or `0x` and hexadecimal digits. See ``integerValue``.
  case integer(String)
  /// The literal text of a number with a decimal point or an exponent.
  case real(String)
  /// A string, without its quotes and with doubled quotes unescaped.
  case string(String)
  /// The bytes of `x'…'`.
  case blob([UInt8])
  /// `CURRENT_TIME`
  case currentTime
  /// `CURRENT_DATE`
  case currentDate
  /// `CURRENT_TIMESTAMP`
  case currentTimestamp

  /// The value of an integer literal. `nil` for any other literal, and for decimal digits beyond 64
  /// bits, which SQLite treats as a real. Hexadecimal digits are a 64-bit two's complement.
  public var integerValue: Int64? {
    guard case .integer(let text) = self else { return nil }
    let bytes = text.utf8
    if bytes.count > 2, bytes[bytes.index(after: bytes.startIndex)] | 0x20 == UInt8(ascii: "x") {
      return UInt64(text.dropFirst(2), radix: 16).map(Int64.init(bitPattern:))
    }
    return Int64(text)
  }

  /// The value of a numeric literal as a real; `nil` for any other literal.
  public var realValue: Double? {
    switch self {
    case .real(let text): Double(text.hasSuffix(".") ? text + "0" : text)
    case .integer(let text): integerValue.map(Double.init) ?? Double(text)
    default: nil
    }
  }
}

/// A parameter, which is bound when the statement runs.
public struct Parameter: Equatable, Sendable {
  /// The form of the parameter.
  public var kind: Kind
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The ways to write a parameter.
  public enum Kind: Equatable, Sendable {
    /// `?`
    case anonymous
    /// `?1`. Only the number is stored: `?01` equals `?1`.
    case numbered(Int)
    /// `:name`, `@name`, `$name::part(suffix)`. The text includes its first character, as SQLite
    /// reports it.
    case named(String)
  }

  /// The name without its first character; `nil` if the parameter has no name.
  public var name: String? {
    guard case .named(let text) = kind else { return nil }
    return String(text.dropFirst())
  }
}

/// An expression in parentheses.
public struct ParenthesizedExpression: Equatable, Sendable {
  /// The expression inside the parentheses.
  public var inner: Expression
  /// The node's span, including the parentheses.
  @SourceSpan public var span: ByteSpan
}

/// A row value, `(x, y)`.
public struct RowExpression: Equatable, Sendable {
  /// The elements; two or more.
  public var elements: [Expression]
  /// The node's span, including the parentheses.
  @SourceSpan public var span: ByteSpan
}
