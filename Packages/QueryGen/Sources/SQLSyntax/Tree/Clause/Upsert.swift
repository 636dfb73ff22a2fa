/// One `ON CONFLICT` clause of an `INSERT`.
public struct Upsert: Equatable, Sendable {
  /// The columns whose conflict is meant; empty where none are written.
  public var target: [OrderingTerm]
  /// The condition of a partial index, where written.
  public var targetWhere: Expression?
  /// What to do.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What to do with a row that conflicts.
  public enum Action: Equatable, Sendable {
    /// `DO NOTHING`
    case nothing
    /// `DO UPDATE SET … [WHERE …]`
    case update([Assignment], where: Expression?)
  }
}
