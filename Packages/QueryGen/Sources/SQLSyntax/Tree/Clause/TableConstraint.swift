/// A constraint of a whole table.
public struct TableConstraint: Equatable, Sendable {
  /// The name that `CONSTRAINT` gives it.
  public var name: Identifier?
  /// What it demands.
  public var kind: Kind
  /// Where it stands, its name included.
  @SourceSpan public var span: ByteSpan

  /// What a table constraint can be.
  public enum Kind: Equatable, Sendable {
    /// `PRIMARY KEY (columns [AUTOINCREMENT]) [ON CONFLICT …]`
    case primaryKey([OrderingTerm], isAutoincrement: Bool, conflict: ConflictResolution?)
    /// `UNIQUE (columns) [ON CONFLICT …]`
    case unique([OrderingTerm], conflict: ConflictResolution?)
    /// `CHECK (expression) [ON CONFLICT …]`
    case check(Expression, conflict: ConflictResolution?)
    /// `FOREIGN KEY (columns) REFERENCES …`
    case foreignKey([Identifier], ForeignKeyReference)
    /// `CONSTRAINT name` with nothing after it, which SQLite allows.
    case nameOnly
  }
}
