/// One item between `SELECT` (or `RETURNING`) and what follows.
public struct ResultColumn: Equatable, Sendable {
  /// What it is.
  public var kind: Kind
  /// Where it stands, alias included.
  @SourceSpan public var span: ByteSpan

  /// What a result column can be.
  public enum Kind: Equatable, Sendable {
    /// `expression [AS alias]`. Without an alias, SQLite names the column after the exact source
    /// text of the expression, or after the column where the expression is one.
    case expression(Expression, alias: Identifier?)
    /// `*`
    case star
    /// `table.*`
    case tableStar(Identifier)
  }
}
