internal import SQLiteCore

/// The rows and objects of one load.
//
// Unchecked: a load runs on one thread, and its objects are not shared before it ends.
final class LoadedObjects: @unchecked Sendable {
  struct List: Hashable {
    let table: ObjectIdentifier
    let property: String
  }

  private struct Entry {
    let rows: LoadedRows
    let row: Int
    var isBegun = false
    /// The object, once it was created; an instance is created before its lists are filled.
    var object: Any?
    var isFinished = false
    var isShallowBegun = false
    /// A copy of the object with unloaded lists, for references to the row while it is being
    /// loaded.
    var shallowObject: Any?
  }

  /// The time at which the lists of a row are loaded.
  enum ListLoading {
    /// Lists are created with their elements.
    case eager
    /// Lists get their elements after the object was created.
    case deferred
    /// Lists stay unloaded, in a row with these values.
    case unloaded(rowSnapshot: [SQLiteValue]?)
  }

  private var entries: [ObjectIdentifier: [SQLiteValue: Entry]] = [:]
  private var links: [List: [SQLiteValue: [SQLiteValue]]] = [:]
  /// The row whose object is being created.
  var current: (mapping: TableMapping, key: SQLiteValue, listLoading: ListLoading)?
  /// The lists of the current row that get their elements later.
  var pending: [(links: TableMapping.Links, elements: any PendingElements)] = []

  // MARK: Rows

  /// Adds rows that are not loaded yet.
  ///
  /// - Returns: The rows that were added.
  func add(_ loaded: LoadedRows) -> LoadedRows {
    let type = ObjectIdentifier(loaded.mapping.type)
    var added = LoadedRows(emptied: loaded)
    var known = entries[type] ?? [:]
    entries[type] = nil
    var keys: [SQLiteValue] = []
    for row in loaded.rows {
      // No row can refer to a key with several columns.
      guard loaded.mapping.key.count == 1 else { continue }
      let key = row[loaded.mapping.key[0]]
      if known[key] == nil {
        known[key] = Entry(rows: loaded, row: 0)
        added.rows.append(row)
        keys.append(key)
      }
    }
    for (index, key) in keys.enumerated() { known[key] = Entry(rows: added, row: index) }
    entries[type] = known
    return loaded.mapping.key.count == 1 ? added : loaded
  }

  /// Returns the keys of rows that are not loaded yet.
  func missing(_ keys: [SQLiteValue], of mapping: TableMapping) -> [SQLiteValue] {
    let known = entries[ObjectIdentifier(mapping.type)] ?? [:]
    var seen: Set<SQLiteValue> = []
    return keys.filter { !$0.isNull && known[$0] == nil && seen.insert($0).inserted }
  }

  func row(_ key: SQLiteValue, of type: ObjectIdentifier) -> (rows: LoadedRows, row: [SQLiteValue])?
  {
    entries[type]?[key].map { ($0.rows, $0.rows.rows[$0.row]) }
  }

  // MARK: Links

  /// Returns the rows whose links were not requested before, and marks their links as requested.
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

  /// Returns the object of a row for a reference to it, even if its lists are not filled yet.
  func object(_ key: SQLiteValue, of type: ObjectIdentifier) -> Any? {
    guard let entry = entries[type]?[key] else { return nil }
    return entry.object ?? entry.shallowObject
  }

  /// Returns the object of a row that was completely loaded, with its lists.
  func finished(_ key: SQLiteValue, of type: ObjectIdentifier) -> Any? {
    guard let entry = entries[type]?[key], entry.isFinished else { return nil }
    return entry.object
  }

  /// Marks a row as being loaded; `false` if it was already.
  func begin(_ key: SQLiteValue, of type: ObjectIdentifier) -> Bool {
    guard entries[type]?[key]?.isBegun == false else { return false }
    entries[type]?[key]?.isBegun = true
    return true
  }

  /// Marks a row as being loaded with unloaded lists; `false` if it was already, or if its object
  /// exists.
  func beginShallow(_ key: SQLiteValue, of type: ObjectIdentifier) -> Bool {
    guard let entry = entries[type]?[key], entry.object == nil, !entry.isShallowBegun else {
      return false
    }
    entries[type]?[key]?.isShallowBegun = true
    return true
  }

  func set(_ object: Any, _ key: SQLiteValue, of type: ObjectIdentifier, isShallow: Bool) {
    if isShallow {
      entries[type]?[key]?.shallowObject = object
    } else {
      entries[type]?[key]?.object = object
    }
  }

  func finish(_ key: SQLiteValue, of type: ObjectIdentifier) {
    entries[type]?[key]?.isFinished = true
  }
}
