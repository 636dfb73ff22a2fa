/// A whole `SELECT` or `VALUES`, as a statement, a view's body or a subquery.
public struct Select: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// The first arm; the only one unless this is a compound.
  public var first: SelectArm
  /// The arms after it, each with the operator that joins it to those before.
  public var rest: [CompoundArm]
  /// `ORDER BY`, of the whole; empty where not written.
  public var orderBy: [OrderingTerm]
  /// `LIMIT`, of the whole.
  public var limit: LimitClause?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// Whether it has more than one arm.
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

  /// Where it stands.
  public var span: ByteSpan {
    switch self {
    case .query(let node): node.span
    case .values(let node): node.span
    }
  }
}

/// An arm of a compound select after its first.
public struct CompoundArm: Equatable, Sendable {
  /// How it is joined to the arms before.
  public var op: CompoundOperator
  /// The arm.
  public var arm: SelectArm
  /// Where the operator stands.
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
  /// `DISTINCT` or `ALL`, where written.
  public var quantifier: SetQuantifier?
  /// The result columns; never empty.
  public var columns: [ResultColumn]
  /// What follows `FROM`.
  public var from: FromClause?
  /// What follows `WHERE`.
  public var `where`: Expression?
  /// What follows `GROUP BY`; empty where not written.
  public var groupBy: [Expression]
  /// What follows `HAVING`.
  public var having: Expression?
  /// What follows `WINDOW`; empty where not written.
  public var windows: [WindowDefinition]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `VALUES (…), (…)`
public struct ValuesClause: Equatable, Sendable {
  /// The rows; never empty, nor is any of them.
  public var rows: [[Expression]]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
