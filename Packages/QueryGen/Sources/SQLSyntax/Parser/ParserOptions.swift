/// What a parser takes beyond SQLite's own grammar.
public struct ParserOptions: Hashable, Sendable {
  /// Whether `x IN ?` and `x IN :names` are read, a parameter that stands for a whole list.
  public var allowsListParameters: Bool

  /// Creates options; by default what SQLite takes, and nothing else.
  public init(allowsListParameters: Bool = false) {
    self.allowsListParameters = allowsListParameters
  }
}
