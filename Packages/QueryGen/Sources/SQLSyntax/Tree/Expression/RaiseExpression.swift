/// `RAISE(IGNORE)` or `RAISE(ABORT, 'message')`, in a trigger.
public struct RaiseExpression: Equatable, Sendable {
  /// What is done.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What `RAISE` does.
  public enum Action: Equatable, Sendable {
    case ignore
    case rollback(message: Message)
    case abort(message: Message)
    case fail(message: Message)

    /// The message, where there is one.
    public var message: Message? {
      switch self {
      case .ignore: nil
      case .rollback(let message), .abort(let message), .fail(let message): message
      }
    }
  }

  /// What the error says.
  public enum Message: Equatable, Sendable {
    /// A text, or a bare word, as releases of SQLite before 3.47 read it.
    case name(Identifier)
    /// What is computed, since SQLite 3.47.
    case expression(Expression)
  }
}
