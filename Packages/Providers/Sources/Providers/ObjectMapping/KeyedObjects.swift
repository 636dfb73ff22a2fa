internal import SQLiteCore

/// The class instances among objects whose keys are written back.
struct KeyedObjects {
  /// The index of an instance among all objects, and its type.
  struct Place: Sendable {
    let object: Int
    let type: any KeyedDataTable.Type
  }

  let types: [Place]
  private let objects: [any KeyedDataTable & AnyObject]

  init(_ all: [any DataTable]) {
    var types: [Place] = []
    var objects: [any KeyedDataTable & AnyObject] = []
    for (number, object) in all.enumerated() {
      guard let object = object as? any KeyedDataTable & AnyObject else { continue }
      types.append(Place(object: number, type: Swift.type(of: object)))
      objects.append(object)
    }
    self.types = types
    self.objects = objects
  }

  /// Writes the keys back into all objects, in order.
  ///
  /// - Parameter adopted: Records the former keys.
  func adopt(_ keys: [any Sendable], notedIn adopted: KeyUndoLog? = nil) {
    for (object, key) in zip(objects, keys) { adopt(key, object, adopted) }
  }

  private func adopt<Object: KeyedDataTable & AnyObject>(
    _ key: any Sendable, _ object: Object, _ adopted: KeyUndoLog?
  ) {
    var object = object
    let old = object.primaryKeyValue
    guard let key = key as? Object.Key, old != key else { return }
    object.primaryKeyValue = key
    adopted?.note {
      var object = object
      object.primaryKeyValue = old
    }
  }
}

/// The result of saving objects.
struct SavedObjects {
  /// The keys of the objects passed to `save`.
  let keys: [Record.Key]
  fileprivate let keyed: KeyedObjects?
  fileprivate let typed: [any Sendable]

  init(keys: [Record.Key], keyed: KeyedObjects?, typed: [any Sendable]) {
    self.keys = keys
    self.keyed = keyed
    self.typed = typed
  }

  /// Writes the keys back. Call it after `access` has committed its part.
  func adopt(by access: some DataAccess) {
    keyed?.adopt(typed, notedIn: (access as? DataTransaction)?.keys)
  }
}

/// Generates the keys of one table's new rows, as long as there are any left.
///
/// SQLite generates keys that are rowids. After the largest rowid, it would generate random keys,
/// or roll back the whole transaction. It does not generate keys in other columns.
struct PendingKeys {
  private let plan: TablePlan
  private let connection: Connection
  /// A Boolean value that indicates whether the largest key is in use; `nil` if this is unknown.
  private var isLargestTaken: Bool?
  /// A Boolean value that indicates whether the key is the rowid; `nil` if this is unknown.
  private var isRowID: Bool?

  init(_ plan: TablePlan, _ connection: Connection) {
    self.plan = plan
    self.connection = connection
  }

  /// Returns the next key to write: NULL if SQLite generates it.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` if there is no
  ///   larger key.
  mutating func next() throws -> SQLiteValue {
    try requireKeyLeft()
    let isRowID = try isRowID ?? findRowID()
    self.isRowID = isRowID
    if isRowID { return .null }
    let name = SQLName.quoted(plan.keyColumn.name)
    let largest = try connection.value(
      Int64.self,
      """
      SELECT coalesce(max(\(unsafe: name)), 0) FROM \(identifier: plan.table) WHERE typeof(\(unsafe: name)) = 'integer'
      """)
    // No overflow: `requireKeyLeft()` has thrown if the largest key is in use.
    return .integer(max(largest ?? 0, 0) + 1)
  }

  /// Returns the key that was written for ``next()``.
  func made(_ next: SQLiteValue, lastInsertedRowID: RowID) -> SQLiteValue {
    next.isNull ? .integer(lastInsertedRowID.rawValue) : next
  }

  private func findRowID() throws -> Bool {
    guard let column = try connection.rowIDColumn(of: plan.table) else { return false }
    return SQLName.isSame(column, plan.keyColumn.name)
  }

  private mutating func requireKeyLeft() throws {
    let isTaken = try isLargestTaken ?? findLargest()
    isLargestTaken = isTaken
    if isTaken { throw plan.noKeyLeft() }
  }

  /// Records a key that was written.
  mutating func note(_ key: SQLiteValue) {
    if case .integer(.max) = key { isLargestTaken = true }
  }

  private func findLargest() throws -> Bool {
    let name = SQLName.quoted(plan.keyColumn.name)
    let table = SQLName.quoted(plan.table)
    if try connection.value(
      Int.self, "SELECT 1 FROM \(unsafe: table) WHERE \(unsafe: name) = ?", values: [Int64.max])
      != nil
    {
      return true
    }
    guard plan.keyType == .autoIncrementingInt, try connection.hasTable("sqlite_sequence") else {
      return false
    }
    return try connection.value(
      Int.self, "SELECT 1 FROM sqlite_sequence WHERE name = ? COLLATE NOCASE AND seq = ?",
      values: [plan.table, Int64.max]) != nil
  }
}

extension TablePlan {
  func noKeyLeft() -> ProviderError {
    ProviderError(
      .limitExceeded, "the largest possible key is in use", table: table,
      column: keyColumn.name)
  }
}
