/// `operand [NOT] IN …`
public struct InExpression: Equatable, Sendable {
  /// What is looked for.
  public var operand: Expression
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// Where it is looked for.
  public var source: Source
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What can stand after `IN`.
  public enum Source: Equatable, Sendable {
    /// `(x, y)`; perhaps empty.
    case list([Expression])
    /// `(select)`
    case select(Select)
    /// `table` or `schema.table`
    case table(QualifiedName)
    /// `function(x)`, a table-valued function
    case function(QualifiedName, arguments: [Expression])
    /// `?` or `:name` without parentheses: a list bound as one. No SQL of SQLite's; read only
    /// where ``ParserOptions/allowsListParameters`` is set.
    case parameter(Parameter)
  }
}
