internal import SQLiteCore

/// Who waits for changes of one table.
///
/// Those who ask for rows with a value in a column are looked up by the values of the rows that were
/// changed, those who ask for rowids by these: a commit costs what it changed, however many wait. The
/// others are gone through.
struct TableWatchers {
  typealias ID = Schedule.ID

  private var regions: [ID: TableRegion] = [:]
  private var byColumn: [Region.ColumnName: EqualityIndex] = [:]
  private var byRowID: [RowID: Set<ID>] = [:]
  private var others: Set<ID> = []

  var isEmpty: Bool { regions.isEmpty }

  /// Everyone.
  var all: some Sequence<ID> { regions.keys }

  mutating func insert(_ id: ID, into region: TableRegion) {
    regions[id] = region
    switch region.rows?.lookup {
    case .column(let column, let values):
      byColumn[column, default: EqualityIndex()].insert(id, values: values)
    case .rowIDs(let rowIDs): for rowID in rowIDs { byRowID[rowID, default: []].insert(id) }
    case nil: others.insert(id)
    }
  }

  mutating func remove(_ id: ID) {
    switch regions.removeValue(forKey: id)?.rows?.lookup {
    case .column(let column, _):
      byColumn[column]?.remove(id)
      if byColumn[column]?.isEmpty == true { byColumn[column] = nil }
    case .rowIDs(let rowIDs):
      for rowID in rowIDs {
        byRowID[rowID]?.remove(id)
        if byRowID[rowID]?.isEmpty == true { byRowID[rowID] = nil }
      }
    case nil: others.remove(id)
    }
  }

  /// Adds those to whom a change matters.
  mutating func collect(_ affected: inout Set<ID>, affectedBy change: ChangeSet.TableChange) {
    guard let rows = change.rows, let layout = change.layout else {
      for (id, region) in regions where region.overlaps(change) { affected.insert(id) }
      return
    }
    for id in others where regions[id]?.overlaps(change) == true { affected.insert(id) }
    for column in Array(byColumn.keys) {
      byColumn[column]?.prepare(for: column, in: layout)
      guard let index = byColumn[column] else { continue }
      for row in rows {
        index.forEachCandidate(of: row, in: layout) { id in
          add(id, to: &affected, if: row, layout: layout)
        }
      }
    }
    guard !byRowID.isEmpty else { return }
    for row in rows {
      guard case .rowID(let rowID) = row.key else {
        for ids in byRowID.values { affected.formUnion(ids) }
        return
      }
      for id in byRowID[rowID] ?? [] { add(id, to: &affected, if: row, layout: layout) }
    }
  }

  private func add(
    _ id: ID, to affected: inout Set<ID>, if row: ChangeSet.ChangedRow, layout: TableLayout
  ) {
    if affected.contains(id) { return }
    if regions[id]?.overlaps(row, layout: layout) == true { affected.insert(id) }
  }
}

extension Region.RowPredicate {
  /// What each row for which a predicate holds has, so that the predicate can be looked up by it.
  enum Lookup {
    case column(Region.ColumnName, Set<SQLiteValue>)
    case rowIDs(Set<RowID>)
  }

  /// The same each time, however the predicate is stored. Lists that are long cost more to keep than to
  /// go through.
  var lookup: Lookup? {
    let conjuncts: Set<Term> = if case .all(let terms) = term { terms } else { [term] }
    let limit = 64
    var found: (column: Region.ColumnName, values: Set<SQLiteValue>)?
    for case .isIn(let column, let values) in conjuncts where values.count <= limit {
      let rank = (values.count, column.name)
      if let found, (found.values.count, found.column.name) <= rank { continue }
      found = (column, values)
    }
    for case .rowIDs(let rowIDs) in conjuncts where rowIDs.count <= limit {
      if let found, found.values.count < rowIDs.count { break }
      return .rowIDs(rowIDs)
    }
    return found.map { .column($0.column, $0.values) }
  }
}
