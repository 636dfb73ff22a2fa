/// One term of `ORDER BY`, or one column of an index or key: an expression and its direction.
public struct OrderingTerm: Equatable, Sendable {
  /// What to order by. A collation, where written, is a ``CollateExpression`` here.
  public var expression: Expression
  /// `ASC` or `DESC`, where written.
  public var direction: SortDirection?
  /// `NULLS FIRST` or `NULLS LAST`, where written.
  public var nulls: NullsPlacement?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ASC` or `DESC`.
public enum SortDirection: String, Hashable, Sendable {
  case ascending = "ASC"
  case descending = "DESC"
}

/// Where `NULL`s go in an order.
public enum NullsPlacement: String, Hashable, Sendable {
  case first = "NULLS FIRST"
  case last = "NULLS LAST"
}
