internal import SQLiteCore

/// What is written when models and rows are saved, in its order: plain values, that go to the writer's thread.
struct SavePlan: Sendable {
  enum Step: Sendable {
    case row(RowWrite)
    case updates(UpdateRun)
    case deletion(Deletion)
    /// Code of a row's own, which gets the keys that SQLite has made, by the steps.
    case call(@Sendable (Connection, [Int: Int64]) throws -> Void)
  }

  var steps: [Step] = []
  var links: [LinkWrite] = []
  /// Rows that were links, and are so no more: they go first.
  var deletes: [LinkDelete] = []

  var isEmpty: Bool { steps.isEmpty && links.isEmpty && deletes.isEmpty }

  /// The tables that are written.
  var shapes: [TableMetadata] {
    var seen: Set<ObjectIdentifier> = []
    return steps.compactMap { step in
      switch step {
      case .row(let write): write.shape
      case .updates(let run): run.shape
      case .deletion(let deletion): deletion.shape
      case .call: nil
      }
    }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Whether a step inserts a row whose key SQLite makes.
  func isNumbered(_ step: Int) -> Bool {
    guard steps.indices.contains(step), case .row(let write) = steps[step] else { return false }
    return write.isNumbered
  }
}

/// What a save has made.
struct SaveResult: Sendable {
  /// An update: its step, and its place in that.
  struct Place: Hashable, Sendable {
    let step: Int
    let row: Int
  }

  /// The keys that SQLite has made, by the steps.
  var keys: [Int: Int64] = [:]
  /// What statements have returned, by the steps.
  var returned: [Int: [SQLiteValue]] = [:]
  /// The rows that were changed elsewhere, and are not what their models say.
  var conflicts: Set<Place> = []
  /// The keys of rows that were to be deleted, and were changed elsewhere.
  var kept: Set<[SQLiteValue]> = []
  /// What has become of the lists, in the order of ``SavePlan/links``.
  var lists: [LinkChanges] = []
}

/// One row that is written.
struct RowWrite: Sendable {
  enum Deed: Sendable {
    case insert
    case upsert(UpsertRule)
    /// Of the columns at these places.
    case update([Int])
  }

  /// A column that gets the key that SQLite makes for another row.
  struct Borrowed: Sendable {
    let column: Int
    let write: Int
  }

  /// What the row must still be when it is updated.
  struct Original: Sendable {
    let values: [SQLiteValue]
    /// Reads what the row is by now; `nil` where it is gone.
    let read: @Sendable (Connection) throws -> [SQLiteValue]?
  }

  let shape: TableMetadata
  let deed: Deed
  var values: [SQLiteValue]
  /// The key that the row has in the database.
  var key: [SQLiteValue]
  /// The write that makes that key, where it is not known.
  var keyWrite: Int?
  var borrowed: [Borrowed] = []
  /// Whether SQLite makes the key.
  var isNumbered = false
  var original: Original?
  /// The version that the row must still have.
  var version: SQLiteValue?
}

/// Rows that follow one another and of which the same columns are updated.
struct UpdateRun: Sendable {
  let shape: TableMetadata
  let changed: [Int]
  /// For each row the values of the columns, then its key, and its version.
  var parameters: [SQLiteValue] = []
  var count = 0

  /// The number of parameters of a row.
  var width: Int {
    changed.count + shape.key.count + (shape.version == nil ? 0 : 1)
  }

  /// Whether it is one of some columns of a table.
  func isUpdate(of changed: [Int], _ shape: TableMetadata) -> Bool {
    self.shape === shape && self.changed == changed
  }

  func key(of row: Int) -> [SQLiteValue] {
    let start = row * width + changed.count
    return Array(parameters[start..<start + shape.key.count])
  }
}

/// What an upsert does where a row is contradicted by one that is there.
struct UpsertRule: Hashable, Sendable {
  /// The columns that no two rows have alike.
  var target: [Int]
  /// The columns that become what the new row says.
  var updated: [Int]
  /// Whether only a row that still has the version is updated.
  var checksVersion = false
  /// What is returned: the columns at these places.
  var returned: [Int] = []
}

/// Rows that are deleted, or marked as deleted, or no longer so.
struct Deletion: Sendable {
  enum Deed: Sendable {
    case delete, mark, restore
  }

  let shape: TableMetadata
  let deed: Deed
  let keys: [[SQLiteValue]]
  /// The versions that they must still have; `nil` where these don't matter.
  var versions: [SQLiteValue]?
}

/// Values that follow one another among others, as the parameters of a statement.
struct Parameters: RowEncodable {
  let values: [SQLiteValue]
  let range: Range<Int>

  func bind(to statement: Statement) throws(SQLiteError) {
    var index = 1
    for place in range {
      try values[place].bind(to: statement, at: ParameterIndex(index))
      index += 1
    }
  }
}
