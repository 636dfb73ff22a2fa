internal import SQLiteCore

/// The waiting observers and listeners, by region: a commit looks up its changed tables, and within
/// them the rows.
struct RegionIndex {
  typealias ID = Schedule.ID

  private var byTable: [TableName: TableRegionIndex] = [:]
  private var unrestricted: Set<ID> = []
  /// The number of waiting consumers.
  private(set) var count = 0

  mutating func insert(_ id: ID, into region: Region) {
    count += 1
    switch region.extent {
    case .everything: unrestricted.insert(id)
    case .tables(let tables):
      for (table, region) in tables {
        byTable[table, default: TableRegionIndex()].insert(id, into: region)
      }
    }
  }

  mutating func remove(_ id: ID, from region: Region) {
    count -= 1
    switch region.extent {
    case .everything: unrestricted.remove(id)
    case .tables(let tables):
      for table in tables.keys {
        byTable[table]?.remove(id)
        if byTable[table]?.isEmpty == true { byTable[table] = nil }
      }
    }
  }

  /// Returns whether a consumer waits for changes of a table, or of a virtual table that may own
  /// it.
  func mayBeAffected(by table: TableName) -> Bool {
    !unrestricted.isEmpty || byTable[table] != nil
      || table.possibleOwners.contains { byTable[$0] != nil }
  }

  /// Returns the consumers whose regions overlap a change set, in the order of their creation.
  mutating func affected(by changes: ChangeSet) -> [ID] {
    var affected = unrestricted
    if changes.coversEverything {
      for index in byTable.values { affected.formUnion(index.all) }
    } else {
      for (table, change) in changes.tables {
        byTable[table]?.collect(&affected, affectedBy: change)
      }
    }
    return affected.sorted()
  }
}

/// The consumers that wait for changes of one table.
///
/// Consumers that select rows by a column's value or by rowid are looked up by the changed rows:
/// the cost of a commit depends on its changes, not on the number of consumers. All other consumers
/// are checked one by one.
struct TableRegionIndex {
  typealias ID = Schedule.ID

  private var regions: [ID: TableRegion] = [:]
  private var byColumn: [Region.ColumnName: EqualityIndex] = [:]
  private var byRowID: [RowID: Set<ID>] = [:]
  private var others: Set<ID> = []

  var isEmpty: Bool { regions.isEmpty }

  /// All consumers.
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

  /// Adds the consumers that a change affects.
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
    _ id: ID, to affected: inout Set<ID>, if row: ChangeSet.ChangedRow,
    layout: ChangeSet.TableLayout
  ) {
    if affected.contains(id) { return }
    if regions[id]?.overlaps(row, layout: layout) == true { affected.insert(id) }
  }
}

extension Region.RowPredicate {
  /// A property shared by all rows that satisfy a predicate, by which the predicate can be looked
  /// up.
  enum Lookup {
    case column(Region.ColumnName, Set<SQLiteValue>)
    case rowIDs(Set<RowID>)
  }

  /// The lookup of the predicate, which is deterministic. Long lists are excluded, because indexing
  /// them costs more than checking them.
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

/// Maps the values of one column to the consumers that wait for rows with these values.
///
/// Equality depends on the column's comparison rules, which are known from the first change on, and
/// may differ after each schema change.
struct EqualityIndex {
  typealias ID = Schedule.ID

  private var members: [ID: Set<SQLiteValue>] = [:]
  private var byKey: [SQLiteValue: Set<ID>] = [:]
  /// The consumers with a value that can't be looked up.
  private var unkeyed: Set<ID> = []
  /// The column's comparison rules; `nil` if the column is not stored, or they are not known yet.
  private var comparison: ChangeSet.ColumnComparison?
  /// The index of the column's value in a row.
  private var position: Int?

  var isEmpty: Bool { members.isEmpty }

  mutating func insert(_ id: ID, values: Set<SQLiteValue>) {
    members[id] = values
    if let comparison { add(id, values, comparison) }
  }

  mutating func remove(_ id: ID) {
    guard let values = members.removeValue(forKey: id), let comparison else { return }
    unkeyed.remove(id)
    for value in values {
      guard let key = comparison.operand(value).flatMap({ comparison.key($0) }) else { continue }
      byKey[key]?.remove(id)
      if byKey[key]?.isEmpty == true { byKey[key] = nil }
    }
  }

  /// Updates the index to the column's current comparison rules.
  mutating func prepare(for column: Region.ColumnName, in layout: ChangeSet.TableLayout) {
    position = layout.columns.firstIndex(of: column)
    let current = position.map { layout.comparisons[$0] }
    if current == comparison { return }
    comparison = current
    byKey = [:]
    unkeyed = []
    if let current { for (id, values) in members { add(id, values, current) } }
  }

  /// Calls `body` for each consumer for which the row may have a matching value, before or after
  /// the change.
  func forEachCandidate(
    of row: ChangeSet.ChangedRow, in layout: ChangeSet.TableLayout, _ body: (ID) -> Void
  ) {
    guard let position, let comparison else {
      for id in members.keys { body(id) }
      return
    }
    for isOld in [true, false] {
      guard let image = RowImage(row, isOld: isOld, layout: layout) else { continue }
      guard let operand = image.value(of: position).flatMap({ comparison.operand($0) }) else {
        for id in members.keys { body(id) }
        return
      }
      // No value equals NULL.
      if operand.isNull { continue }
      guard let key = comparison.key(operand) else {
        for id in members.keys { body(id) }
        return
      }
      for id in byKey[key] ?? [] { body(id) }
    }
    for id in unkeyed { body(id) }
  }

  private mutating func add(
    _ id: ID, _ values: Set<SQLiteValue>, _ comparison: ChangeSet.ColumnComparison
  ) {
    for value in values {
      guard let operand = comparison.operand(value) else {
        unkeyed.insert(id)
        continue
      }
      if operand.isNull { continue }
      if let key = comparison.key(operand) {
        byKey[key, default: []].insert(id)
      } else {
        unkeyed.insert(id)
      }
    }
  }
}
