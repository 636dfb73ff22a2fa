/// `CREATE [UNIQUE] INDEX …`
public struct CreateIndex: Equatable, Sendable {
  /// Whether `UNIQUE` is written.
  public var isUnique: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The table, which is in the same schema.
  public var table: Identifier
  /// What is indexed; never empty.
  public var columns: [OrderingTerm]
  /// The condition of a partial index.
  public var `where`: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
