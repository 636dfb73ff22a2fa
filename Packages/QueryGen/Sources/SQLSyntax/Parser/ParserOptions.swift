/// What a parser takes beyond the grammar of SQLite 3.40.
public struct ParserOptions: Hashable, Sendable {
  /// Whether `x IN ?` and `x IN :names` are read, a parameter that stands for a whole list.
  public var allowsListParameters: Bool
  /// The release of SQLite whose grammar is read; what only a newer one reads is an error that names it.
  public var target: SQLiteVersion

  /// Creates options; by default what SQLite 3.40 takes, and nothing else.
  public init(allowsListParameters: Bool = false, target: SQLiteVersion = .standard) {
    self.allowsListParameters = allowsListParameters
    self.target = target
  }
}
