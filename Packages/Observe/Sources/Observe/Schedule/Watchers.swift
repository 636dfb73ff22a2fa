internal import SQLiteCore

/// Who waits for changes, by what they wait for: a commit looks up the tables that it changed.
struct Watchers {
  typealias ID = Schedule.ID

  private var byTable: [TableName: [ID: TableRegion]] = [:]
  private var ofEverything: Set<ID> = []

  mutating func insert(_ id: ID, into region: Region) {
    switch region.extent {
    case .everything: ofEverything.insert(id)
    case .tables(let tables):
      for (table, region) in tables { byTable[table, default: [:]][id] = region }
    }
  }

  mutating func remove(_ id: ID, from region: Region) {
    switch region.extent {
    case .everything: ofEverything.remove(id)
    case .tables(let tables):
      for table in tables.keys {
        byTable[table]?[id] = nil
        if byTable[table]?.isEmpty == true { byTable[table] = nil }
      }
    }
  }

  /// Those whose regions a change set overlaps, in the order in which they came.
  func affected(by changes: ChangeSet) -> [ID] {
    var affected = ofEverything
    if changes.coversEverything {
      for watchers in byTable.values { affected.formUnion(watchers.keys) }
    } else {
      for (table, change) in changes.tables {
        for (id, region) in byTable[table] ?? [:] where region.overlaps(change) {
          affected.insert(id)
        }
      }
    }
    return affected.sorted()
  }
}
