/// An operator before its operand.
public struct UnaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The operand.
  public var operand: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The operators that stand before an operand.
  public enum Operator: String, Hashable, Sendable {
    case minus = "-"
    case plus = "+"
    case bitNot = "~"
    case not = "NOT"
  }
}

/// An operator between two operands.
public struct BinaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The operand before it.
  public var left: Expression
  /// The operand after it.
  public var right: Expression
  /// Where the operator stands.
  @SourceSpan public var operatorSpan: ByteSpan
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The operators between two operands. `==` is `=`, and `!=` is `<>`.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case or = "OR"
    case and = "AND"
    case equal = "="
    case notEqual = "<>"
    case `is` = "IS"
    case isNot = "IS NOT"
    case isDistinctFrom = "IS DISTINCT FROM"
    case isNotDistinctFrom = "IS NOT DISTINCT FROM"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case bitAnd = "&"
    case bitOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case concatenate = "||"
    /// `->`, JSON text out of JSON.
    case extractJSON = "->"
    /// `->>`, an SQL value out of JSON.
    case extractValue = "->>"
  }
}

/// `operand [NOT] BETWEEN low AND high`
public struct BetweenExpression: Equatable, Sendable {
  /// What is compared.
  public var operand: Expression
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// The lower bound.
  public var low: Expression
  /// The upper bound.
  public var high: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

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

/// `operand [NOT] LIKE pattern [ESCAPE escape]`, and the like.
public struct MatchExpression: Equatable, Sendable {
  /// Which kind of pattern.
  public var op: Operator
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// What is matched.
  public var operand: Expression
  /// The pattern.
  public var pattern: Expression
  /// What follows `ESCAPE`.
  public var escape: Expression?
  /// Where the operator stands, `NOT` included.
  @SourceSpan public var operatorSpan: ByteSpan
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The pattern operators. SQLite calls the function of that name, pattern first.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case like = "LIKE"
    case glob = "GLOB"
    case regexp = "REGEXP"
    case match = "MATCH"
  }
}

/// `operand ISNULL`, `operand NOTNULL`, `operand NOT NULL`.
public struct NullTestExpression: Equatable, Sendable {
  /// What is tested.
  public var operand: Expression
  /// Whether it asks for a value rather than for `NULL`.
  public var isNegated: Bool
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `CAST(operand AS type)`
public struct CastExpression: Equatable, Sendable {
  /// What is converted.
  public var operand: Expression
  /// The type; `nil` for `CAST(x AS)`, which SQLite allows.
  public var type: TypeName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `operand COLLATE collation`
public struct CollateExpression: Equatable, Sendable {
  /// What is compared.
  public var operand: Expression
  /// The collation's name.
  public var collation: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
