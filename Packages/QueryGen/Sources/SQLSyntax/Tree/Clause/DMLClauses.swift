/// One assignment of `SET`: `column = value` or `(a, b) = value`.
public struct Assignment: Equatable, Sendable {
  /// The assigned column or columns.
  public var target: Target
  /// The new value.
  public var value: Expression
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The target of an assignment.
  public enum Target: Equatable, Sendable {
    /// One column.
    case column(Identifier)
    /// Columns in parentheses, assigned from a row value. Also a single column in parentheses.
    case columns([Identifier])
  }

  /// The assigned columns, in order.
  public var columns: [Identifier] {
    switch target {
    case .column(let column): [column]
    case .columns(let columns): columns
    }
  }
}

/// The resolution when a row violates a constraint: `OR IGNORE`, `ON CONFLICT REPLACE`.
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case rollback = "ROLLBACK"
  case abort = "ABORT"
  case fail = "FAIL"
  case ignore = "IGNORE"
  case replace = "REPLACE"
}

/// One `ON CONFLICT` clause of an `INSERT`.
public struct Upsert: Equatable, Sendable {
  /// The columns of the conflict target; empty if omitted.
  public var target: [OrderingTerm]
  /// The condition of a partial index, if any.
  public var targetWhere: Expression?
  /// The action.
  public var action: Action
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The action for a conflicting row.
  public enum Action: Equatable, Sendable {
    /// `DO NOTHING`
    case nothing
    /// `DO UPDATE SET … [WHERE …]`
    case update([Assignment], where: Expression?)
  }
}
