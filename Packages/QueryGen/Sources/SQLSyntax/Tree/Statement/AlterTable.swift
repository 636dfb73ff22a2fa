/// `ALTER TABLE …`
public struct AlterTable: Equatable, Sendable {
  /// The table.
  public var table: QualifiedName
  /// The change.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What changes.
  public enum Action: Equatable, Sendable {
    /// `RENAME TO name`
    case rename(to: Identifier)
    /// `RENAME [COLUMN] name TO name`
    case renameColumn(Identifier, to: Identifier)
    /// `ADD [COLUMN] definition`
    case addColumn(ColumnDefinition)
    /// `DROP [COLUMN] name`
    case dropColumn(Identifier)
    /// `ADD [CONSTRAINT name] CHECK (…)`, since SQLite 3.53
    case addConstraint(TableConstraint)
    /// `DROP CONSTRAINT name`, since SQLite 3.53
    case dropConstraint(Identifier)
    /// `ALTER [COLUMN] name SET NOT NULL`, since SQLite 3.53
    case setNotNull(Identifier, conflict: ConflictResolution?)
    /// `ALTER [COLUMN] name DROP NOT NULL`, since SQLite 3.53
    case dropNotNull(Identifier)
  }
}
