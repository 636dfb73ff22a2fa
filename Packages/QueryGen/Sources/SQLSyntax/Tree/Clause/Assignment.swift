/// One assignment of `SET`: `column = value` or `(a, b) = value`.
public struct Assignment: Equatable, Sendable {
  /// What is set.
  public var target: Target
  /// What it is set to.
  public var value: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What an assignment sets.
  public enum Target: Equatable, Sendable {
    /// One column.
    case column(Identifier)
    /// Columns in parentheses, set from a row value; a single one in parentheses is this too.
    case columns([Identifier])
  }

  /// The columns set, in order.
  public var columns: [Identifier] {
    switch target {
    case .column(let column): [column]
    case .columns(let columns): columns
    }
  }
}
