internal import SQLiteCore

/// The rows and objects of one load.
//
// Unchecked: a load runs on one thread, from its beginning to its end, and nobody else has its objects.
final class LoadedObjects: @unchecked Sendable {
  struct List: Hashable {
    let table: ObjectIdentifier
    let property: String
  }

  private struct Entry {
    let rows: LoadedRows
    let row: Int
    var isBegun = false
    var object: Any?
  }

  private var entries: [ObjectIdentifier: [SQLiteValue: Entry]] = [:]
  private var links: [List: [SQLiteValue: [SQLiteValue]]] = [:]
  /// The row that is made now.
  var current: (plan: TablePlan, key: SQLiteValue)?

  // MARK: Rows

  /// Adds rows, but those that are there already.
  ///
  /// - Returns: The rows that were added.
  func add(_ loaded: LoadedRows) -> LoadedRows {
    let type = ObjectIdentifier(loaded.plan.type)
    var added = LoadedRows(emptied: loaded)
    var known = entries[type] ?? [:]
    entries[type] = nil
    var keys: [SQLiteValue] = []
    for row in loaded.rows {
      // A key of several columns is referred to by nobody.
      guard loaded.plan.key.count == 1 else { continue }
      let key = row[loaded.plan.key[0]]
      if known[key] == nil {
        known[key] = Entry(rows: loaded, row: 0)
        added.rows.append(row)
        keys.append(key)
      }
    }
    for (place, key) in keys.enumerated() { known[key] = Entry(rows: added, row: place) }
    entries[type] = known
    return loaded.plan.key.count == 1 ? added : loaded
  }

  /// The keys of rows that are not there yet.
  func missing(_ keys: [SQLiteValue], of plan: TablePlan) -> [SQLiteValue] {
    let known = entries[ObjectIdentifier(plan.type)] ?? [:]
    var seen: Set<SQLiteValue> = []
    return keys.filter { !$0.isNull && known[$0] == nil && seen.insert($0).inserted }
  }

  func row(_ key: SQLiteValue, of type: ObjectIdentifier) -> (rows: LoadedRows, row: [SQLiteValue])?
  {
    entries[type]?[key].map { ($0.rows, $0.rows.rows[$0.row]) }
  }

  // MARK: Links

  /// The rows whose links have not been asked for, which they have been now.
  func unlinked(_ owners: [SQLiteValue], _ list: List) -> [SQLiteValue] {
    owners.filter { owner in
      if links[list]?[owner] != nil { return false }
      links[list, default: [:]][owner] = []
      return true
    }
  }

  func link(_ owner: SQLiteValue, to key: SQLiteValue, _ list: List) {
    links[list]?[owner]?.append(key)
  }

  func linked(_ owner: SQLiteValue, _ list: List) -> [SQLiteValue] { links[list]?[owner] ?? [] }

  // MARK: Objects

  func object(_ key: SQLiteValue, of type: ObjectIdentifier) -> Any? {
    entries[type]?[key]?.object
  }

  /// Marks a row as one that is being made; `false` where it was begun before.
  func begin(_ key: SQLiteValue, of type: ObjectIdentifier) -> Bool {
    guard entries[type]?[key]?.isBegun == false else { return false }
    entries[type]?[key]?.isBegun = true
    return true
  }

  func finish(_ key: SQLiteValue, of type: ObjectIdentifier, _ object: Any) {
    entries[type]?[key]?.object = object
  }
}
