internal import SQLiteCore

extension Region {
  /// Whether a value that depends on this region may be another after these changes.
  ///
  /// A row inserted into or deleted from a table that is read always matters; an update does where
  /// a column that is read has another value.
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
  func overlaps(_ change: TableChange) -> Bool {
    !change.kinds.isDisjoint(with: [.insert, .delete]) || columns.intersects(change.updatedColumns)
  }
}

extension ChangeSet {
  /// The part of the changes that is in a region.
  func restricted(to region: Region) -> ChangeSet {
    guard case .tables(let regions) = region.extent else { return self }
    var changes = self
    changes.tables = tables.filter { table, change in regions[table]?.overlaps(change) ?? false }
    return changes
  }
}
