/// The sources after `FROM`: a first one, and others joined to it from left to right.
public struct FromClause: Equatable, Sendable {
  /// The first source.
  public var first: TableSource
  /// The joined sources, in order.
  public var joins: [Join]
  /// The clause's span, without the keyword `FROM`.
  @SourceSpan public var span: ByteSpan
}

/// A join of one source to all previous ones.
public struct Join: Equatable, Sendable {
  /// The kind of join.
  public var kind: Kind
  /// Indicates whether `NATURAL` is present.
  public var isNatural: Bool
  /// The joined source.
  public var source: TableSource
  /// `ON …` or `USING (…)`, if present.
  public var constraint: JoinConstraint?
  /// The span of the join operator: its keywords or the comma.
  @SourceSpan public var operatorSpan: ByteSpan
  /// The join's span, from its first keyword to the end of its constraint.
  @SourceSpan public var span: ByteSpan

  /// The kinds of join.
  public enum Kind: Equatable, Sendable {
    /// `,`
    case comma
    /// `JOIN` without any other keyword.
    case plain
    /// `INNER JOIN`
    case inner
    /// `CROSS JOIN`
    case cross
    /// `LEFT [OUTER] JOIN`
    case left
    /// `RIGHT [OUTER] JOIN`
    case right
    /// `FULL [OUTER] JOIN`
    case full
  }
}

/// The condition of a join.
public enum JoinConstraint: Equatable, Sendable {
  /// `ON expression`
  case on(Expression)
  /// `USING (columns)`
  case using([Identifier])
}

/// One source of rows in a `FROM` clause.
public indirect enum TableSource: Equatable, Sendable {
  /// A table, a view or a common table.
  case table(TableReference)
  /// A table-valued function: `json_each(x)`.
  case function(TableFunction)
  /// `(SELECT …) AS alias`
  case subquery(SubquerySource)
  /// `(a JOIN b …) AS alias`
  case parenthesized(ParenthesizedSource)

  /// The source's span, including its alias.
  public var span: ByteSpan {
    switch self {
    case .table(let node): node.span
    case .function(let node): node.span
    case .subquery(let node): node.span
    case .parenthesized(let node): node.span
    }
  }

  /// The alias, if any.
  public var alias: Identifier? {
    switch self {
    case .table(let node): node.alias
    case .function(let node): node.alias
    case .subquery(let node): node.alias
    case .parenthesized(let node): node.alias
    }
  }
}

/// A table named in a `FROM` clause or as the target of a DML statement.
public struct TableReference: Equatable, Sendable {
  /// The table.
  public var name: QualifiedName
  /// The alias, if any.
  public var alias: Identifier?
  /// `INDEXED BY …` or `NOT INDEXED`, if present.
  public var indexing: Indexing?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// A requirement for the index through which a table is read.
  public enum Indexing: Equatable, Sendable {
    /// `INDEXED BY name`
    case indexedBy(Identifier)
    /// `NOT INDEXED`
    case notIndexed
  }
}

/// A call of a table-valued function.
public struct TableFunction: Equatable, Sendable {
  /// The function.
  public var name: QualifiedName
  /// The arguments.
  public var arguments: [Expression]
  /// The alias, if any.
  public var alias: Identifier?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// A parenthesized select as a source of rows.
public struct SubquerySource: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// The alias, if any.
  public var alias: Identifier?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// Sources joined inside parentheses.
public struct ParenthesizedSource: Equatable, Sendable {
  /// The sources inside the parentheses.
  public var from: FromClause
  /// The alias, if any.
  public var alias: Identifier?
  /// The node's span, including the parentheses.
  @SourceSpan public var span: ByteSpan
}
