/// `CAST(operand AS type)`
public struct CastExpression: Equatable, Sendable {
  /// What is converted.
  public var operand: Expression
  /// The type; `nil` for `CAST(x AS)`, which SQLite allows.
  public var type: TypeName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
