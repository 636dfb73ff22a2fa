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
