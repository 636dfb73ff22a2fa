/// A call of a scalar, aggregate or window function.
public struct FunctionCall: Equatable, Sendable {
  /// The function.
  public var name: Identifier
  /// What it is given.
  public var arguments: Arguments
  /// `ORDER BY` behind the arguments of an aggregate, since SQLite 3.44; empty where not written.
  public var orderBy: [OrderingTerm] = []
  /// The condition of `FILTER (WHERE …)`, where written.
  public var filter: Expression?
  /// What follows `OVER`, where written.
  public var over: OverClause?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What stands in the parentheses.
  public enum Arguments: Equatable, Sendable {
    /// `*`
    case star
    /// `[DISTINCT|ALL] x, y`; perhaps empty.
    case list([Expression], quantifier: SetQuantifier?)

    /// The arguments; none for `*`.
    public var expressions: [Expression] {
      if case .list(let expressions, _) = self { expressions } else { [] }
    }

    /// Whether `DISTINCT` is written.
    public var isDistinct: Bool {
      if case .list(_, .distinct) = self { true } else { false }
    }
  }
}

/// `DISTINCT` or `ALL`.
public enum SetQuantifier: String, Hashable, Sendable {
  case distinct = "DISTINCT"
  case all = "ALL"
}

/// `CASE [base] WHEN … THEN … [ELSE …] END`
public struct CaseExpression: Equatable, Sendable {
  /// What each branch is compared with, where written.
  public var base: Expression?
  /// The branches, in order; never empty.
  public var branches: [Branch]
  /// What follows `ELSE`.
  public var otherwise: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// `WHEN condition THEN result`
  public struct Branch: Equatable, Sendable {
    /// The condition, or the value to compare the base with.
    public var condition: Expression
    /// The value.
    public var result: Expression
  }
}

/// `RAISE(IGNORE)` or `RAISE(ABORT, 'message')`, in a trigger.
public struct RaiseExpression: Equatable, Sendable {
  /// What is done.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What `RAISE` does.
  public enum Action: Equatable, Sendable {
    case ignore
    case rollback(message: Message)
    case abort(message: Message)
    case fail(message: Message)

    /// The message, where there is one.
    public var message: Message? {
      switch self {
      case .ignore: nil
      case .rollback(let message), .abort(let message), .fail(let message): message
      }
    }
  }

  /// What the error says.
  public enum Message: Equatable, Sendable {
    /// A text, or a bare word, as releases of SQLite before 3.47 read it.
    case name(Identifier)
    /// What is computed, since SQLite 3.47.
    case expression(Expression)
  }
}

/// `(select)` as a value, or as a row value where it has several columns.
public struct SubqueryExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}

/// `EXISTS (select)`; `NOT EXISTS` is a ``UnaryExpression`` around it.
public struct ExistsExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
