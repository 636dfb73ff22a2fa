/// `RAISE(IGNORE)` or `RAISE(ABORT, 'message')`, in a trigger.
public struct RaiseExpression: Hashable, Sendable {
  /// What is done.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What `RAISE` does.
  public enum Action: Hashable, Sendable {
    case ignore
    case rollback(message: Identifier)
    case abort(message: Identifier)
    case fail(message: Identifier)
  }
}
