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
