internal import SQLiteCore

extension Region {
  /// Whether a value that depends on this region may be another after these changes.
  ///
  /// A row inserted into or deleted from a table that is read always matters; an update does where
  /// a column that is read has another value. Where rows are told apart by a predicate, it has to hold
  /// for what such a row was or is, or not to be decidable.
  public func overlaps(_ changes: ChangeSet) -> Bool {
    switch extent {
    case .everything: return !changes.isEmpty
    case .tables(let tables):
      if changes.coversEverything { return !tables.isEmpty }
      if tables.count <= changes.tables.count {
        return tables.contains { table, region in
          changes.tables[table].map { region.overlaps($0) } ?? false
        }
      }
      return changes.tables.contains { table, change in
        tables[table]?.overlaps(change) ?? false
      }
    }
  }
}

extension TableRegion {
  func overlaps(_ change: ChangeSet.TableChange) -> Bool {
    guard
      !change.kinds.isDisjoint(with: [.insert, .delete])
        || columns.intersects(change.updatedColumns)
    else { return false }
    guard rows != nil, let changed = change.rows, let layout = change.layout else { return true }
    return changed.contains { overlaps($0, layout: layout) }
  }

  /// Whether one row's change matters.
  func overlaps(_ row: ChangeSet.ChangedRow, layout: TableLayout) -> Bool {
    if row.kind == .update, !reads(row, layout: layout) { return false }
    guard let rows else { return true }
    return rows.mayHold(for: row, layout: layout)
  }

  /// Whether an update gave a column that is read another value. It may give one to each column that
  /// is computed.
  private func reads(_ row: ChangeSet.ChangedRow, layout: TableLayout) -> Bool {
    row.changed.contains { columns.contains(row.columns[$0]) }
      || layout.computed.contains { columns.contains($0) }
  }

  /// The part of a table's changes that is in this region; `nil` where there is none.
  func restrict(_ change: ChangeSet.TableChange) -> ChangeSet.TableChange? {
    guard overlaps(change) else { return nil }
    guard rows != nil, let changed = change.rows, let layout = change.layout else { return change }
    return ChangeSet.TableChange(changed.filter { overlaps($0, layout: layout) }, layout: layout)
  }
}

extension ChangeSet {
  /// The part of the changes that is in a region.
  func restricted(to region: Region) -> ChangeSet {
    guard case .tables(let regions) = region.extent else { return self }
    var changes = self
    changes.tables = [:]
    for (table, change) in tables { changes.tables[table] = regions[table]?.restrict(change) }
    return changes
  }
}

extension ChangeSet {
  /// Changes of which it is only known where they are.
  init(changing region: Region) {
    if case .tables(let tables) = region.extent {
      self.init(tables: tables.mapValues { TableChange(changing: $0) })
    } else {
      self.init(isUnbounded: true)
    }
    origins = .notifications
  }
}

extension ChangeSet.TableChange {
  fileprivate init(changing region: TableRegion) {
    switch region.columns {
    case .some(let columns) where region.rows == nil:
      self.init(
        kinds: columns.isEmpty ? [.insert, .delete] : .update, updatedColumns: region.columns)
    default: self.init(kinds: .all, updatedColumns: region.columns)
    }
  }
}
