/// A prefix operator and its operand.
public struct UnaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The operand.
  public var operand: Expression
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The prefix operators.
  public enum Operator: String, Hashable, Sendable {
    case minus = "-"
    case plus = "+"
    case bitNot = "~"
    case not = "NOT"
  }
}

/// A binary operator and its operands.
public struct BinaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The left operand.
  public var left: Expression
  /// The right operand.
  public var right: Expression
  /// The operator's span.
  @SourceSpan public var operatorSpan: ByteSpan
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The binary operators. `==` is represented as `=`, and `!=` as `<>`.
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
    /// `->`, which extracts JSON text from JSON.
    case extractJSON = "->"
    /// `->>`, which extracts an SQL value from JSON.
    case extractValue = "->>"
  }
}

/// `operand [NOT] BETWEEN low AND high`
public struct BetweenExpression: Equatable, Sendable {
  /// The compared expression.
  public var operand: Expression
  /// Indicates whether `NOT` is present.
  public var isNegated: Bool
  /// The lower bound.
  public var low: Expression
  /// The upper bound.
  public var high: Expression
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `operand [NOT] IN …`
public struct InExpression: Equatable, Sendable {
  /// The value to look up.
  public var operand: Expression
  /// Indicates whether `NOT` is present.
  public var isNegated: Bool
  /// The values to search.
  public var source: Source
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The forms of the right side of `IN`.
  public enum Source: Equatable, Sendable {
    /// `(x, y)`; may be empty.
    case list([Expression])
    /// `(select)`
    case select(Select)
    /// `table` or `schema.table`
    case table(QualifiedName)
    /// `function(x)`, a table-valued function
    case function(QualifiedName, arguments: [Expression])
    /// `?` or `:name` without parentheses: a whole list bound to one parameter. This extension of
    /// SQLite's grammar is accepted only if ``ParserOptions/allowsListParameters`` is set.
    case parameter(Parameter)
  }
}

/// `operand [NOT] LIKE pattern [ESCAPE escape]`, and the other pattern operators.
public struct MatchExpression: Equatable, Sendable {
  /// The pattern operator.
  public var op: Operator
  /// Indicates whether `NOT` is present.
  public var isNegated: Bool
  /// The matched expression.
  public var operand: Expression
  /// The pattern.
  public var pattern: Expression
  /// The escape character, if any.
  public var escape: Expression?
  /// The operator's span, including `NOT`.
  @SourceSpan public var operatorSpan: ByteSpan
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The pattern operators. SQLite calls the function of the same name with the pattern as the
  /// first argument.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case like = "LIKE"
    case glob = "GLOB"
    case regexp = "REGEXP"
    case match = "MATCH"
  }
}

/// `operand ISNULL`, `operand NOTNULL`, `operand NOT NULL`.
public struct NullTestExpression: Equatable, Sendable {
  /// The tested expression.
  public var operand: Expression
  /// Indicates whether the test is for a value other than `NULL`.
  public var isNegated: Bool
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `CAST(operand AS type)`
public struct CastExpression: Equatable, Sendable {
  /// The converted expression.
  public var operand: Expression
  /// The type; `nil` for `CAST(x AS)`, which SQLite allows.
  public var type: TypeName?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `operand COLLATE collation`
public struct CollateExpression: Equatable, Sendable {
  /// The operand.
  public var operand: Expression
  /// The collation's name.
  public var collation: Identifier
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}
