internal import SQLiteCore

/// Who waits for changes, by what they wait for: a commit looks up the tables that it changed, and in
/// those the rows.
struct Watchers {
  typealias ID = Schedule.ID

  private var byTable: [TableName: TableWatchers] = [:]
  private var ofEverything: Set<ID> = []
  /// How many wait.
  private(set) var count = 0

  mutating func insert(_ id: ID, into region: Region) {
    count += 1
    switch region.extent {
    case .everything: ofEverything.insert(id)
    case .tables(let tables):
      for (table, region) in tables {
        byTable[table, default: TableWatchers()].insert(id, into: region)
      }
    }
  }

  mutating func remove(_ id: ID, from region: Region) {
    count -= 1
    switch region.extent {
    case .everything: ofEverything.remove(id)
    case .tables(let tables):
      for table in tables.keys {
        byTable[table]?.remove(id)
        if byTable[table]?.isEmpty == true { byTable[table] = nil }
      }
    }
  }

  /// Whether anyone waits for changes of a table, or of a virtual one whose data it may hold.
  func watch(_ table: TableName) -> Bool {
    !ofEverything.isEmpty || byTable[table] != nil
      || table.possibleOwners.contains { byTable[$0] != nil }
  }

  /// Those whose regions a change set overlaps, in the order in which they came.
  mutating func affected(by changes: ChangeSet) -> [ID] {
    var affected = ofEverything
    if changes.coversEverything {
      for watchers in byTable.values { affected.formUnion(watchers.all) }
    } else {
      for (table, change) in changes.tables {
        byTable[table]?.collect(&affected, affectedBy: change)
      }
    }
    return affected.sorted()
  }
}
