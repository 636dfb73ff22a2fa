internal import SQLiteCore

/// One change of one row, as reported by SQLite during the transaction.
struct RowEvent {
  var kind: Hooks.RowChange.Kind
  var oldRowID: RowID
  var newRowID: RowID
  /// The stored columns' values before the change; empty for an insert.
  var old: [SQLiteValue]
  /// The stored columns' values after the change; empty for a delete.
  var new: [SQLiteValue]

  /// Copies the values of a change. Only stored columns are copied: the engine's column count
  /// includes computed columns, for which it has no values.
  init(_ change: borrowing Hooks.RowChange) {
    kind = change.kind
    oldRowID = change.oldRowID
    newRowID = change.newRowID
    old = []
    new = []
    for index in 0..<change.columnCount {
      let old = change.oldValue(at: ColumnIndex(index))
      let new = change.newValue(at: ColumnIndex(index))
      if old == nil && new == nil { continue }
      if change.kind != .insert { self.old.append(old ?? .null) }
      if change.kind != .delete { self.new.append(new ?? .null) }
    }
  }
}

/// A summary of changes whose rows are not kept, sufficient to miss no change.
struct ChangeSummary {
  var kinds: ChangeSet.TableChange.Kinds = []
  /// The indices of the stored columns whose values updates may have changed.
  var changedColumns: Set<Int> = []

  mutating func formUnion(_ other: ChangeSummary) {
    kinds.formUnion(other.kinds)
    changedColumns.formUnion(other.changedColumns)
  }

  mutating func add(_ event: RowEvent) {
    add(event.kind, movesRow: event.oldRowID != event.newRowID)
    guard event.kind == .update else { return }
    for (index, pair) in zip(event.old, event.new).enumerated()
    where !pair.0.definitelyEquals(pair.1) {
      changedColumns.insert(index)
    }
  }

  /// Adds a change of a row whose values are not needed, at minimal cost: an update counts as a
  /// change of all columns.
  mutating func add(withoutRows change: borrowing Hooks.RowChange) {
    switch change.kind {
    case .insert: kinds.insert(.insert)
    case .update: kinds = .all
    // Writing to a blob incrementally is reported as a deletion, too.
    case .delete:
      if kinds != .all { kinds = change.blobColumn == nil ? kinds.union(.delete) : .all }
    }
  }

  /// Adds a change without copying its values.
  mutating func add(_ change: borrowing Hooks.RowChange) {
    if change.kind == .delete, let column = change.blobColumn {
      kinds.insert(.update)
      changedColumns.insert(column.rawValue)
      return
    }
    add(change.kind, movesRow: change.oldRowID != change.newRowID)
    guard change.kind == .update else { return }
    for index in 0..<change.columnCount where !changedColumns.contains(index) {
      if change.changesValue(at: ColumnIndex(index)) { changedColumns.insert(index) }
    }
  }

  private mutating func add(_ kind: Hooks.RowChange.Kind, movesRow: Bool) {
    switch kind {
    case .insert: kinds.insert(.insert)
    case .delete: kinds.insert(.delete)
    case .update: kinds.formUnion(movesRow ? .all : .update)
    }
  }
}

extension SQLiteValue {
  /// Returns whether two copies of stored values are certainly copies of the same value. A text
  /// that was repaired because it was not UTF-8 may represent several values.
  func definitelyEquals(_ other: SQLiteValue) -> Bool {
    guard self == other else { return false }
    guard case .text(let text) = self, text.utf8.contains(0xef) else { return true }
    return !text.unicodeScalars.contains("\u{fffd}")
  }

  /// The approximate memory use of the value.
  var estimatedSize: Int {
    switch self {
    case .null, .integer, .real: 16
    case .text(let text): 16 + text.utf8.count
    case .blob(let bytes): 16 + bytes.count
    }
  }
}
