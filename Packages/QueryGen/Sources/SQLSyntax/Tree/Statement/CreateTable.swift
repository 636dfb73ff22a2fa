/// `CREATE TABLE …`
public struct CreateTable: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// What it holds.
  public var body: Body
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What a table is made from.
  public enum Body: Equatable, Sendable {
    /// `(columns, constraints) options`
    case definition(TableDefinition)
    /// `AS select`
    case select(Select)
  }
}

/// The columns, constraints and options of a table.
public struct TableDefinition: Equatable, Sendable {
  /// The columns; never empty.
  public var columns: [ColumnDefinition]
  /// The constraints of the whole table, in order.
  public var constraints: [TableConstraint]
  /// Whether `WITHOUT ROWID` is written.
  public var isWithoutRowID: Bool
  /// Whether `STRICT` is written.
  public var isStrict: Bool
  /// Where it stands, from the opening parenthesis.
  @SourceSpan public var span: ByteSpan
}
