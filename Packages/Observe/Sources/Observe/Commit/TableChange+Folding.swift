internal import SQLiteCore

extension ChangeSet.TableChange {
  /// The net effect of a table's changes; `nil` where there is none.
  init?(_ pending: PendingTable, layout: TableLayout?) {
    guard let layout else {
      self = .unknown
      return
    }
    if !pending.isWanted, pending.residue.kinds.contains(.update) {
      // Of which columns is not known.
      self = .unknown
    } else if !pending.isExact {
      self.init(pending.residue, layout: layout)
    } else if let rows = NetRows(pending.events, layout: layout)?.rows {
      self.init(rows, layout: layout)
    } else {
      self = .unknown
    }
    if kinds.isEmpty { return nil }
  }

  init(_ rows: [ChangeSet.ChangedRow], layout: TableLayout) {
    var kinds: Kinds = []
    var updated: Set<Region.ColumnName> = []
    for row in rows {
      switch row.kind {
      case .insert: kinds.insert(.insert)
      case .delete: kinds.insert(.delete)
      case .update:
        kinds.insert(.update)
        updated.formUnion(row.changedColumns)
        updated.formUnion(layout.computed)
      }
    }
    self.init(kinds: kinds, updatedColumns: .some(updated), rows: rows, layout: layout)
  }

  private init(_ residue: Residue, layout: TableLayout) {
    guard residue.kinds.contains(.update) else {
      self.init(kinds: residue.kinds)
      return
    }
    let changed = residue.changedColumns.union(layout.defaulted).filter {
      $0 < layout.columns.count
    }
    // A row whose key changes is another row: it may come elsewhere in its table's order.
    let movesRows = layout.primaryKey.map { !changed.isDisjoint(with: $0) } ?? false
    self.init(
      kinds: changed.isEmpty
        ? residue.kinds.subtracting(.update) : movesRows ? .all : residue.kinds,
      updatedColumns: .some(
        Set(changed.map { layout.columns[$0] }).union(changed.isEmpty ? [] : layout.computed)))
  }
}

/// The rows of a table that a transaction changed, each once: as it was before, and as it is after.
private struct NetRows {
  private struct Entry {
    var key: ChangeSet.ChangedRow.Key
    var old: [SQLiteValue]?
    var new: [SQLiteValue]?
  }

  private let layout: TableLayout
  private var entries: [Entry] = []
  private var positions: [ChangeSet.ChangedRow.Key: Int] = [:]

  /// - Returns: `nil` where the events don't fit the layout.
  init?(_ events: [RowEvent], layout: TableLayout) {
    self.layout = layout
    for event in events {
      let old = event.kind == .insert ? nil : normalized(event.old)
      let new = event.kind == .delete ? nil : normalized(event.new)
      guard [old, new].allSatisfy({ $0 == nil || $0?.count == layout.columns.count }) else {
        return nil
      }
      let oldKey = old.map { key(event.oldRowID, $0) }
      let newKey = new.map { key(event.newRowID, $0) }
      if let oldKey { note(oldKey, old: old, new: oldKey == newKey ? new : nil) }
      if let newKey, oldKey != newKey { note(newKey, old: nil, new: new) }
    }
  }

  var rows: [ChangeSet.ChangedRow] {
    entries.compactMap { entry in
      var changed: [Int] = []
      switch (entry.old, entry.new) {
      case (nil, nil): return nil
      case (let old?, let new?):
        changed = layout.columns.indices.filter { index in
          !old[index].isSurely(new[index])
            || (old[index].isNull && layout.defaulted.contains(index))
        }
        if changed.isEmpty { return nil }
      default: break
      }
      return ChangeSet.ChangedRow(
        key: entry.key, columns: layout.columns, old: entry.old, new: entry.new, changed: changed)
    }
  }

  private mutating func note(
    _ key: ChangeSet.ChangedRow.Key, old: [SQLiteValue]?, new: [SQLiteValue]?
  ) {
    if let known = positions[key] {
      entries[known].new = new
    } else {
      positions[key] = entries.count
      entries.append(Entry(key: key, old: old, new: new))
    }
  }

  private func key(_ rowID: RowID, _ values: [SQLiteValue]) -> ChangeSet.ChangedRow.Key {
    guard let primaryKey = layout.primaryKey else { return .rowID(rowID) }
    return .primaryKey(primaryKey.map { values[$0] })
  }

  private func normalized(_ values: [SQLiteValue]) -> [SQLiteValue] {
    guard !layout.reals.isEmpty else { return values }
    var values = values
    for index in layout.reals where index < values.count {
      if case .integer(let integer) = values[index] { values[index] = .real(Double(integer)) }
    }
    return values
  }
}
