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
