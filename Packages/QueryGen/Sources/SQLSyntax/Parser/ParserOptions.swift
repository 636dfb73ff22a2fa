/// The grammar extensions and the SQLite release that a parser accepts.
public struct ParserOptions: Hashable, Sendable {
  /// Indicates whether parameters for several values are accepted: `x IN ?` and `x IN :names` with a
  /// parameter for a whole list, and `VALUES :rows` and `VALUES (:row.*)` in an `INSERT`.
  public var allowsListParameters: Bool
  /// The SQLite release whose grammar is accepted. Syntax of a newer release is an error that names
  /// that release.
  public var target: SQLiteVersion

  /// Creates options. By default, only the grammar of SQLite 3.40 is accepted.
  public init(allowsListParameters: Bool = false, target: SQLiteVersion = .standard) {
    self.allowsListParameters = allowsListParameters
    self.target = target
  }
}
