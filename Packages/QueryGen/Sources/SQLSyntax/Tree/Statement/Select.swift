/// A whole `SELECT` or `VALUES`, as a statement, a view's body or a subquery.
public struct Select: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// The first arm; the only one unless this is a compound select.
  public var first: SelectArm
  /// The further arms of a compound select, each with its compound operator.
  public var rest: [CompoundArm]
  /// `ORDER BY` of the whole select; empty if absent.
  public var orderBy: [OrderingTerm]
  /// `LIMIT` of the whole select.
  public var limit: LimitClause?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// Indicates whether the select has more than one arm.
  public var isCompound: Bool { !rest.isEmpty }

  /// All arms, in order.
  public var arms: [SelectArm] { [first] + rest.map(\.arm) }
}

/// One arm of a select.
public enum SelectArm: Equatable, Sendable {
  /// `SELECT …`
  case query(SelectQuery)
  /// `VALUES …`
  case values(ValuesClause)

  /// The node's span in the source text.
  public var span: ByteSpan {
    switch self {
    case .query(let node): node.span
    case .values(let node): node.span
    }
  }
}

/// An arm of a compound select after its first.
public struct CompoundArm: Equatable, Sendable {
  /// The operator that combines the arm with the previous ones.
  public var op: CompoundOperator
  /// The arm.
  public var arm: SelectArm
  /// The operator's span.
  @SourceSpan public var operatorSpan: ByteSpan
}

/// The operators between the arms of a compound select.
public enum CompoundOperator: String, Hashable, Sendable {
  case union = "UNION"
  case unionAll = "UNION ALL"
  case intersect = "INTERSECT"
  case except = "EXCEPT"
}

/// `SELECT columns FROM … WHERE … GROUP BY … HAVING … WINDOW …`
public struct SelectQuery: Equatable, Sendable {
  /// `DISTINCT` or `ALL`, if present.
  public var quantifier: SetQuantifier?
  /// The result columns; never empty.
  public var columns: [ResultColumn]
  /// The sources after `FROM`, if any.
  public var from: FromClause?
  /// The condition after `WHERE`, if any.
  public var `where`: Expression?
  /// The expressions after `GROUP BY`; empty if absent.
  public var groupBy: [Expression]
  /// The condition after `HAVING`, if any.
  public var having: Expression?
  /// The definitions after `WINDOW`; empty if absent.
  public var windows: [WindowDefinition]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `VALUES (…), (…)`
public struct ValuesClause: Equatable, Sendable {
  /// The rows. Neither the list nor any row is empty.
  public var rows: [[Expression]]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}
