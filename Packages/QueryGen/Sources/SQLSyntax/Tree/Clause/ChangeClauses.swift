/// One assignment of `SET`: `column = value` or `(a, b) = value`.
public struct Assignment: Equatable, Sendable {
  /// What is set.
  public var target: Target
  /// What it is set to.
  public var value: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What an assignment sets.
  public enum Target: Equatable, Sendable {
    /// One column.
    case column(Identifier)
    /// Columns in parentheses, set from a row value; a single one in parentheses is this too.
    case columns([Identifier])
  }

  /// The columns set, in order.
  public var columns: [Identifier] {
    switch target {
    case .column(let column): [column]
    case .columns(let columns): columns
    }
  }
}

/// What to do when a row breaks a constraint: `OR IGNORE`, `ON CONFLICT REPLACE`.
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case rollback = "ROLLBACK"
  case abort = "ABORT"
  case fail = "FAIL"
  case ignore = "IGNORE"
  case replace = "REPLACE"
}

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
