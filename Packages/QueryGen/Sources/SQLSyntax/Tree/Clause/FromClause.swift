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
