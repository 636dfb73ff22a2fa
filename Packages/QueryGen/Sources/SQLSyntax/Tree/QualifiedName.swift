/// A name that may say which schema it is in: `t`, `main.t`.
public struct QualifiedName: Equatable, Sendable {
  /// The schema, where one is written: `main`, `temp` or an attached database's name.
  public var schema: Identifier?
  /// The name itself.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
