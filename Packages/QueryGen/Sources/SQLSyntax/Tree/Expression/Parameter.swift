/// A parameter, to be bound when the statement runs.
public struct Parameter: Equatable, Sendable {
  /// How it is written.
  public var kind: Kind
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The ways to write a parameter.
  public enum Kind: Equatable, Sendable {
    /// `?`
    case anonymous
    /// `?1`; the digits as written are not kept: `?01` is `?1`.
    case numbered(Int)
    /// `:name`, `@name`, `$name::part(suffix)`; the text with its first character, as SQLite
    /// reports it.
    case named(String)
  }

  /// The name without its first character, where it has one.
  public var name: String? {
    guard case .named(let text) = kind else { return nil }
    return String(text.dropFirst())
  }
}
