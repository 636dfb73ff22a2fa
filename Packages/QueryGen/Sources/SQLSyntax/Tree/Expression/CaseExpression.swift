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
