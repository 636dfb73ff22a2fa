/// What becomes of rows when the row that they refer to is deleted, or gets another key.
public enum ForeignKeyAction: String, Hashable, Sendable, CaseIterable {
  /// They go with it, or follow it.
  case cascade = "CASCADE"
  /// It is refused while there are any.
  case restrict = "RESTRICT"
  /// It is refused where there are any at the end of the transaction.
  case noAction = "NO ACTION"
  /// They refer to none from then on.
  case setNull = "SET NULL"
  /// They refer to the one that the column's default says.
  case setDefault = "SET DEFAULT"
}

/// How a to-one relation is declared.
@usableFromInline
struct ForeignKeyRules: Hashable, Sendable {
  @usableFromInline var onDelete: ForeignKeyAction
  @usableFromInline var onUpdate: ForeignKeyAction
  @usableFromInline var isRequired: Bool
  @usableFromInline var isIndexed: Bool

  @inlinable
  init(
    onDelete: ForeignKeyAction, onUpdate: ForeignKeyAction, isRequired: Bool, isIndexed: Bool
  ) {
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isRequired = isRequired
    self.isIndexed = isIndexed
  }
}
