/// `operand [NOT] LIKE pattern [ESCAPE escape]`, and the like.
public struct MatchExpression: Equatable, Sendable {
  /// Which kind of pattern.
  public var op: Operator
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// What is matched.
  public var operand: Expression
  /// The pattern.
  public var pattern: Expression
  /// What follows `ESCAPE`.
  public var escape: Expression?
  /// Where the operator stands, `NOT` included.
  @SourceSpan public var operatorSpan: ByteSpan
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The pattern operators. SQLite calls the function of that name, pattern first.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case like = "LIKE"
    case glob = "GLOB"
    case regexp = "REGEXP"
    case match = "MATCH"
  }
}
