internal import SQLiteCore

/// The class instances among objects whose keys are written back.
struct KeyedObjects {
  /// The type of each instance, and its index among all objects.
  let types: [(object: Int, type: any KeyedDataTable.Type)]
  private let objects: [any KeyedDataTable & AnyObject]

  init(_ all: [any DataTable]) {
    var types: [(object: Int, type: any KeyedDataTable.Type)] = []
    var objects: [any KeyedDataTable & AnyObject] = []
    for (number, object) in all.enumerated() {
      guard let object = object as? any KeyedDataTable & AnyObject else { continue }
      types.append((number, Swift.type(of: object)))
      objects.append(object)
    }
    self.types = types
    self.objects = objects
  }

  /// Writes the keys back into all objects, in order.
  ///
  /// - Parameter undoLog: Records the former keys.
  func writeBack(_ keys: [any Sendable], undoLog: KeyUndoLog? = nil) {
    for (object, key) in zip(objects, keys) { writeBack(key, to: object, undoLog) }
  }

  private func writeBack<Object: KeyedDataTable & AnyObject>(
    _ key: any Sendable, to object: Object, _ undoLog: KeyUndoLog?
  ) {
    var object = object
    let old = object.primaryKeyValue
    guard let key = key as? Object.Key, old != key else { return }
    object.primaryKeyValue = key
    undoLog?.append {
      var object = object
      object.primaryKeyValue = old
    }
  }
}

/// Generates the keys of one table's new rows, as long as there are any left.
///
/// SQLite generates keys that are rowids. After the largest rowid, it would generate random keys,
/// or roll back the whole transaction. It does not generate keys in other columns.
struct PendingKeys {
  private let mapping: TableMapping
  private let connection: Connection
  /// A Boolean value that indicates whether the largest key is in use; `nil` if this is unknown.
  private var isLargestTaken: Bool?
  /// A Boolean value that indicates whether the key is the rowid; `nil` if this is unknown.
  private var isRowID: Bool?

  init(_ mapping: TableMapping, _ connection: Connection) {
    self.mapping = mapping
    self.connection = connection
  }

  /// Returns the next key to write: NULL if SQLite generates it.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` if there is no
  ///   larger key.
  mutating func next() throws -> SQLiteValue {
    try requireAvailableKey()
    let isRowID = try isRowID ?? findRowID()
    self.isRowID = isRowID
    if isRowID { return .null }
    let name = SQLName.quoted(mapping.keyColumn.name)
    let largest = try connection.value(
      Int64.self,
      """
      SELECT coalesce(max(\(unsafe: name)), 0) FROM \(identifier: mapping.table) WHERE typeof(\(unsafe: name)) = 'integer'
      """)
    // No overflow: `requireAvailableKey()` has thrown if the largest key is in use.
    return .integer(max(largest ?? 0, 0) + 1)
  }

  private func findRowID() throws -> Bool {
    guard let column = try connection.rowIDColumn(of: mapping.table) else { return false }
    return SQLName.isSame(column, mapping.keyColumn.name)
  }

  private mutating func requireAvailableKey() throws {
    let isTaken = try isLargestTaken ?? findLargest()
    isLargestTaken = isTaken
    if isTaken { throw mapping.keysExhausted() }
  }

  /// Records a key that was written, which can be the largest one.
  mutating func didWrite(_ key: SQLiteValue) {
    if case .integer(.max) = key { isLargestTaken = true }
  }

  private func findLargest() throws -> Bool {
    let name = SQLName.quoted(mapping.keyColumn.name)
    let table = SQLName.quoted(mapping.table)
    if try connection.value(
      Int.self, "SELECT 1 FROM \(unsafe: table) WHERE \(unsafe: name) = ?", values: [Int64.max])
      != nil
    {
      return true
    }
    guard mapping.keyType == .autoIncrementingInt, try connection.hasTable("sqlite_sequence") else {
      return false
    }
    return try connection.value(
      Int.self, "SELECT 1 FROM sqlite_sequence WHERE name = ? COLLATE NOCASE AND seq = ?",
      values: [mapping.table, Int64.max]) != nil
  }
}

extension TableMapping {
  func keysExhausted() -> ProviderError {
    ProviderError(
      .limitExceeded, "the largest possible key is in use", table: table,
      column: keyColumn.name)
  }
}
