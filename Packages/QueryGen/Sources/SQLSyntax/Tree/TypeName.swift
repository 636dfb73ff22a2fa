/// A column's declared type or a cast's target, such as `VARCHAR(20)` or `DOUBLE PRECISION`.
public struct TypeName: Equatable, Sendable {
  /// The words of the name, as written.
  public var words: [Identifier]
  /// The numbers in parentheses, with their signs, as written; at most two.
  public var arguments: [String]
  /// Where it stands. `source[span]` is the declared type as SQLite reports it.
  @SourceSpan public var span: ByteSpan

  /// The words joined by single spaces, without arguments.
  public var name: String { words.map(\.text).joined(separator: " ") }
}
