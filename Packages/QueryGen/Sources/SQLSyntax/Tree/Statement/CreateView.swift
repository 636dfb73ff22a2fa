/// `CREATE VIEW …`
public struct CreateView: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The names of its columns; empty where none are written.
  public var columns: [Identifier]
  /// Its rows.
  public var select: Select
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
