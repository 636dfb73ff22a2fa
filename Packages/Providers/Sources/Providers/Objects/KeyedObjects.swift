internal import SQLiteCore

/// The instances of classes among objects that let their keys be written back.
struct KeyedObjects {
  /// One of them: its number among all objects, and its type.
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

  /// Writes the keys of all objects, in their order.
  ///
  /// - Parameter adopted: Takes note of the keys that they had.
  func adopt(_ keys: [any Sendable], notedIn adopted: AdoptedKeys? = nil) {
    for (object, key) in zip(objects, keys) { adopt(key, object, adopted) }
  }

  private func adopt<Object: KeyedDataTable & AnyObject>(
    _ key: any Sendable, _ object: Object, _ adopted: AdoptedKeys?
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

/// What saving objects came to.
struct SavedObjects {
  /// The keys of those that were to be saved themselves.
  let keys: [Record.Key]
  fileprivate let keyed: KeyedObjects?
  fileprivate let typed: [any Sendable]

  init(keys: [Record.Key], keyed: KeyedObjects?, typed: [any Sendable]) {
    self.keys = keys
    self.keyed = keyed
    self.typed = typed
  }

  /// Writes the keys back: to be called once all is committed, as far as `access` goes.
  func adopt(by access: some DataAccess) {
    keyed?.adopt(typed, notedIn: (access as? DataTransaction)?.keys)
  }
}

/// The keys that are made for the rows of one table, as far as there are any left.
///
/// SQLite makes those that are its numbers of the rows. Behind the largest number there can be, it would make them at
/// random, or undo the whole transaction. A key that is another column would be NULL.
struct KeysToMake {
  private let plan: TablePlan
  private let connection: Connection
  /// Whether the largest key is taken; `nil` where nobody has looked.
  private var isLargestTaken: Bool?
  /// Whether the key is SQLite's number of the row; `nil` where nobody has looked.
  private var isRowID: Bool?

  init(_ plan: TablePlan, _ connection: Connection) {
    self.plan = plan
    self.connection = connection
  }

  /// What is written as the next key: NULL where SQLite makes it.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` where no larger key is left.
  mutating func next() throws -> SQLiteValue {
    try refuseNoneLeft()
    let isRowID = try isRowID ?? findRowID()
    self.isRowID = isRowID
    if isRowID { return .null }
    let name = SQLName.quoted(plan.keyColumn.name)
    let largest = try connection.value(
      Int64.self,
      """
      SELECT coalesce(max(\(unsafe: name)), 0) FROM \(identifier: plan.table) WHERE typeof(\(unsafe: name)) = 'integer'
      """)
    // The largest one there can be was refused.
    return .integer(max(largest ?? 0, 0) + 1)
  }

  /// The key that ``next()`` led to.
  func made(_ next: SQLiteValue, lastInsertedRowID: RowID) -> SQLiteValue {
    next.isNull ? .integer(lastInsertedRowID.rawValue) : next
  }

  private func findRowID() throws -> Bool {
    guard let column = try connection.rowIDColumn(of: plan.table) else { return false }
    return SQLName.isSame(column, plan.keyColumn.name)
  }

  private mutating func refuseNoneLeft() throws {
    let isTaken = try isLargestTaken ?? findLargest()
    isLargestTaken = isTaken
    if isTaken { throw plan.noKeyLeft() }
  }

  /// Takes note of a key that was written.
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
      .limitExceeded, "the largest key there can be is taken", table: table,
      column: keyColumn.name)
  }
}
