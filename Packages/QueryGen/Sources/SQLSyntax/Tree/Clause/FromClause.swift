/// What stands after `FROM`: a first source, and others joined to it from left to right.
public struct FromClause: Equatable, Sendable {
  /// The first source.
  public var first: TableSource
  /// The others, in order.
  public var joins: [Join]
  /// Where it stands, without the word `FROM`.
  @SourceSpan public var span: ByteSpan
}

/// A join of one more source to all before it.
public struct Join: Equatable, Sendable {
  /// How it is joined.
  public var kind: Kind
  /// Whether `NATURAL` is written.
  public var isNatural: Bool
  /// What is joined.
  public var source: TableSource
  /// `ON …` or `USING (…)`, where written.
  public var constraint: JoinConstraint?
  /// Where the words (or the comma) that join stand.
  @SourceSpan public var operatorSpan: ByteSpan
  /// Where it stands, from its first word to the end of its constraint.
  @SourceSpan public var span: ByteSpan

  /// The kinds of join.
  public enum Kind: Equatable, Sendable {
    /// `,`
    case comma
    /// `JOIN` alone.
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

  /// Where it stands, alias included.
  public var span: ByteSpan {
    switch self {
    case .table(let node): node.span
    case .function(let node): node.span
    case .subquery(let node): node.span
    case .parenthesized(let node): node.span
    }
  }

  /// The alias, where one is written.
  public var alias: Identifier? {
    switch self {
    case .table(let node): node.alias
    case .function(let node): node.alias
    case .subquery(let node): node.alias
    case .parenthesized(let node): node.alias
    }
  }
}

/// A table named in a `FROM` clause or as the target of a change.
public struct TableReference: Equatable, Sendable {
  /// The table.
  public var name: QualifiedName
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// `INDEXED BY …` or `NOT INDEXED`, where written.
  public var indexing: Indexing?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// Which index a table must be read through.
  public enum Indexing: Equatable, Sendable {
    /// `INDEXED BY name`
    case indexedBy(Identifier)
    /// `NOT INDEXED`
    case notIndexed
  }
}

/// A call whose rows are a table.
public struct TableFunction: Equatable, Sendable {
  /// The function.
  public var name: QualifiedName
  /// What it is given.
  public var arguments: [Expression]
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// A select in parentheses whose rows are a table.
public struct SubquerySource: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// Sources joined inside parentheses.
public struct ParenthesizedSource: Equatable, Sendable {
  /// What stands inside.
  public var from: FromClause
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}
