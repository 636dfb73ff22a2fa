/// `CREATE TRIGGER …`
public struct CreateTrigger: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// When it fires, where written; SQLite takes none as `BEFORE`.
  public var timing: Timing?
  /// What it fires on.
  public var event: Event
  /// The table or view.
  public var table: QualifiedName
  /// Whether `FOR EACH ROW` is written, which changes nothing.
  public var isForEachRow: Bool
  /// What follows `WHEN`.
  public var when: Expression?
  /// What it does: selects, inserts, updates and deletes; never empty.
  public var body: [Statement]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// When a trigger fires.
  public enum Timing: String, Hashable, Sendable {
    case before = "BEFORE"
    case after = "AFTER"
    case insteadOf = "INSTEAD OF"
  }

  /// What a trigger fires on.
  public enum Event: Equatable, Sendable {
    case delete
    case insert
    /// `UPDATE [OF columns]`; no columns mean any.
    case update(of: [Identifier])
  }
}
