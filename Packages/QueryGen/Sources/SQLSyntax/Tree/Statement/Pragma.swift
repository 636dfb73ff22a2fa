/// `PRAGMA name`, `PRAGMA name = value`, `PRAGMA name(value)`
public struct Pragma: Equatable, Sendable {
  /// The pragma, perhaps with a schema.
  public var name: QualifiedName
  /// The value, where one is given.
  public var value: Value?
  /// Whether the value is written in parentheses.
  public var isCall: Bool
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What a pragma can be given.
  public enum Value: Equatable, Sendable {
    /// A number with its sign, as written.
    case number(String)
    /// A word or a string; `ON`, `DELETE` and `DEFAULT` too.
    case name(Identifier)
  }
}
