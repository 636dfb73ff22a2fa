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
    /// The object, from when it is made; of an instance, that is before its lists are.
    var object: Any?
    var isFinished = false
    var isOutlineBegun = false
    /// The same with its lists unloaded: for who refers to the row while it is being made.
    var outline: Any?
  }

  /// How the lists of a row come by their elements.
  enum Lists {
    /// They are made with them.
    case whole
    /// They get them later.
    case pending
    /// They stay unloaded, of a row with these values.
    case unloaded(RowOutline?)
  }

  private var entries: [ObjectIdentifier: [SQLiteValue: Entry]] = [:]
  private var links: [List: [SQLiteValue: [SQLiteValue]]] = [:]
  /// The row that is made now.
  var current: (plan: TablePlan, key: SQLiteValue, lists: Lists)?
  /// The lists of the row that is made now, which get their elements later.
  var pending: [(links: TablePlan.Links, elements: any PendingElements)] = []

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

  /// The object of a row, as far as it is made: as it is for those who refer to it.
  func object(_ key: SQLiteValue, of type: ObjectIdentifier) -> Any? {
    guard let entry = entries[type]?[key] else { return nil }
    return entry.object ?? entry.outline
  }

  /// The object of a row that is made, with its lists.
  func finished(_ key: SQLiteValue, of type: ObjectIdentifier) -> Any? {
    guard let entry = entries[type]?[key], entry.isFinished else { return nil }
    return entry.object
  }

  /// Marks a row as one that is being made; `false` where it was begun before.
  func begin(_ key: SQLiteValue, of type: ObjectIdentifier) -> Bool {
    guard entries[type]?[key]?.isBegun == false else { return false }
    entries[type]?[key]?.isBegun = true
    return true
  }

  /// Likewise with its lists unloaded; `false` where it is known otherwise.
  func beginOutline(_ key: SQLiteValue, of type: ObjectIdentifier) -> Bool {
    guard let entry = entries[type]?[key], entry.object == nil, !entry.isOutlineBegun else {
      return false
    }
    entries[type]?[key]?.isOutlineBegun = true
    return true
  }

  func set(_ object: Any, _ key: SQLiteValue, of type: ObjectIdentifier, isOutline: Bool) {
    if isOutline {
      entries[type]?[key]?.outline = object
    } else {
      entries[type]?[key]?.object = object
    }
  }

  func finish(_ key: SQLiteValue, of type: ObjectIdentifier) {
    entries[type]?[key]?.isFinished = true
  }
}
