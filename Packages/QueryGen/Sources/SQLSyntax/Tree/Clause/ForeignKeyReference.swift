/// What a foreign key points to: `REFERENCES table (columns) ON DELETE CASCADE …`.
public struct ForeignKeyReference: Equatable, Sendable {
  /// The table.
  public var table: Identifier
  /// Its columns; empty where none are written, which means its primary key.
  public var columns: [Identifier]
  /// What is done when the row pointed to changes, in the order written.
  public var actions: [Action]
  /// The name after `MATCH`, which SQLite ignores.
  public var match: Identifier?
  /// When it is checked, where written.
  public var deferral: Deferral?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// `ON DELETE CASCADE` and the like.
  public struct Action: Equatable, Sendable {
    /// What happens to the row pointed to.
    public var event: Event
    /// What is done to the row that points.
    public var effect: Effect
  }

  /// What happens to the row pointed to.
  public enum Event: String, Hashable, Sendable {
    case delete = "DELETE"
    case update = "UPDATE"
    /// Accepted and ignored by SQLite.
    case insert = "INSERT"
  }

  /// What is done to the row that points.
  public enum Effect: String, Hashable, Sendable {
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
    case cascade = "CASCADE"
    case restrict = "RESTRICT"
    case noAction = "NO ACTION"
  }
}

/// `[NOT] DEFERRABLE [INITIALLY DEFERRED|IMMEDIATE]`
public struct Deferral: Equatable, Sendable {
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// `INITIALLY …`, where written.
  public var initially: Initially?

  /// When a deferrable key is checked unless told otherwise.
  public enum Initially: String, Hashable, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
  }
}
