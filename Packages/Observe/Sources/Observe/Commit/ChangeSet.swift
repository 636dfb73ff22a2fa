public import SQLiteCore

/// What one commit changed: the net effect of its transaction.
///
/// A row that is inserted and then deleted does not appear, one that is updated twice appears once,
/// and one that is set to the values that it had does not count as updated. Where that can't be told
/// exactly, a change set names more than was changed, and never less.
///
/// Printing one gives a line that people can read: `country: updated 1 row (name: "A" → "B")`.
public struct ChangeSet: Hashable, Sendable {
  /// The commits that it tells of, by their numbers: one, or several that were merged.
  public internal(set) var sequences: ClosedRange<UInt64>
  /// What happened to each table that was changed.
  public internal(set) var tables: [TableName: TableChange]
  /// Whether the schema was changed. Then the rows are not told apart, and everything may have
  /// changed.
  public internal(set) var schemaChanged: Bool
  /// Whether more may have changed than ``tables`` names: then take everything for changed.
  public internal(set) var isUnbounded: Bool
  /// Who has told of it.
  public internal(set) var origins = Origins.commits

  init(
    sequences: ClosedRange<UInt64> = 0...0, tables: [TableName: TableChange] = [:],
    schemaChanged: Bool = false, isUnbounded: Bool = false
  ) {
    self.sequences = sequences
    self.tables = tables
    self.schemaChanged = schemaChanged
    self.isUnbounded = isUnbounded
  }

  /// The number of the last commit that it tells of. A database's commits are numbered from 1 on,
  /// beginning with the first that is observed; those that change nothing have no number.
  public var sequence: UInt64 { sequences.upperBound }

  /// Whether nothing was changed.
  public var isEmpty: Bool { tables.isEmpty && !schemaChanged && !isUnbounded }

  /// Whether anything may have changed, so that the tables that are named are not all there is.
  var coversEverything: Bool { schemaChanged || isUnbounded }
}
