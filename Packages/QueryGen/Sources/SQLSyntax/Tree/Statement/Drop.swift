/// `DROP TABLE|INDEX|VIEW|TRIGGER …`
public struct Drop: Equatable, Sendable {
  /// What sort of thing is dropped.
  public var object: Object
  /// Whether `IF EXISTS` is written.
  public var ifExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What can be dropped.
  public enum Object: String, Hashable, Sendable {
    case table = "TABLE"
    case index = "INDEX"
    case view = "VIEW"
    case trigger = "TRIGGER"
  }
}
