/// A call of a scalar, aggregate or window function.
public struct FunctionCall: Equatable, Sendable {
  /// The function.
  public var name: Identifier
  /// The arguments.
  public var arguments: Arguments
  /// `ORDER BY` after an aggregate's arguments, since SQLite 3.44; empty if absent.
  public var orderBy: [OrderingTerm] = []
  /// The condition of `FILTER (WHERE …)`, if present.
  public var filter: Expression?
  /// The window after `OVER`, if present.
  public var over: OverClause?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The arguments in a call's parentheses.
  public enum Arguments: Equatable, Sendable {
    /// `*`
    case star
    /// `[DISTINCT|ALL] x, y`; may be empty.
    case list([Expression], quantifier: SetQuantifier?)

    /// The argument expressions; empty for `*`.
    public var expressions: [Expression] {
      if case .list(let expressions, _) = self { expressions } else { [] }
    }

    /// Indicates whether `DISTINCT` is present.
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
  /// The value to which each branch is compared, if any.
  public var base: Expression?
  /// The branches, in order; never empty.
  public var branches: [Branch]
  /// The result after `ELSE`, if any.
  public var otherwise: Expression?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// `WHEN condition THEN result`
  public struct Branch: Equatable, Sendable {
    /// The condition, or the value to compare with the base.
    public var condition: Expression
    /// The branch's result.
    public var result: Expression
  }
}

/// `RAISE(IGNORE)` or `RAISE(ABORT, 'message')`, in a trigger.
public struct RaiseExpression: Equatable, Sendable {
  /// The action.
  public var action: Action
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The actions of `RAISE`.
  public enum Action: Equatable, Sendable {
    case ignore
    case rollback(message: Message)
    case abort(message: Message)
    case fail(message: Message)

    /// The message, if any.
    public var message: Message? {
      switch self {
      case .ignore: nil
      case .rollback(let message), .abort(let message), .fail(let message): message
      }
    }
  }

  /// The error message of `RAISE`.
  public enum Message: Equatable, Sendable {
    /// A string literal or a bare word, as in SQLite before 3.47.
    case name(Identifier)
    /// A computed message, since SQLite 3.47.
    case expression(Expression)
  }
}

/// `(select)` as a value, or as a row value if the select has several columns.
public struct SubqueryExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// The node's span, including the parentheses.
  @SourceSpan public var span: ByteSpan
}

/// `EXISTS (select)`; `NOT EXISTS` is a ``UnaryExpression`` around it.
public struct ExistsExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}
