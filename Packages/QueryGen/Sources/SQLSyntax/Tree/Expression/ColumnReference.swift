/// A column, perhaps with its table and schema.
public struct ColumnReference: Equatable, Sendable {
  /// The schema, where written.
  public var schema: Identifier?
  /// The table or alias, where written.
  public var table: Identifier?
  /// The column.
  public var column: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The value where this is the bare word `TRUE` or `FALSE`, which SQLite takes as 1 and 0
  /// unless a column has that name.
  public var booleanValue: Bool? {
    guard table == nil, column.quoting == .bare else { return nil }
    switch column.text.utf8.count {
    case 4 where column.folded == "true": return true
    case 5 where column.folded == "false": return false
    default: return nil
    }
  }
}
