internal import SQLiteCore

/// The ordered writes that save models and rows: plain values that can be sent to the writer's
/// thread.
struct FlushPlan: Sendable {
  enum Step: Sendable {
    case row(RowWrite)
    case updates(UpdateBatch)
    case deletion(Deletion)
    /// A row's hook, called with the keys that SQLite has generated, by step.
    case hook(@Sendable (Connection, [Int: Int64]) throws -> Void)
  }

  var steps: [Step] = []
  var links: [LinkWrite] = []
  /// Link rows to delete, before all other writes.
  var linkDeletions: [Deletion] = []

  var isEmpty: Bool { steps.isEmpty && links.isEmpty && linkDeletions.isEmpty }

  /// The tables to write.
  var allMetadata: [TableMetadata] {
    var seen: Set<ObjectIdentifier> = []
    return steps.compactMap { step in
      switch step {
      case .row(let write): write.metadata
      case .updates(let batch): batch.metadata
      case .deletion(let deletion): deletion.metadata
      case .hook: nil
      }
    }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Returns whether a step inserts a row whose key SQLite generates.
  func isKeyGenerated(_ step: Int) -> Bool {
    guard steps.indices.contains(step), case .row(let write) = steps[step] else { return false }
    return write.isKeyGenerated
  }
}

/// The result of a save.
struct FlushResult: Sendable {
  /// Identifies an update by its step and its index in the step.
  struct RowIndex: Hashable, Sendable {
    let step: Int
    let row: Int
  }

  /// The keys that SQLite has generated, by step.
  var keys: [Int: Int64] = [:]
  /// The values that statements have returned, by step.
  var returned: [Int: [SQLiteValue]] = [:]
  /// The rows that were not written because other connections have changed them.
  var conflicts: Set<RowIndex> = []
  /// The keys of rows that were not deleted because other connections have changed them.
  var conflictingDeletions: Set<[SQLiteValue]> = []
  /// The results of writing lists, in the order of ``FlushPlan/links``.
  var lists: [LinkChanges] = []
}

/// A row to write.
struct RowWrite: Sendable {
  enum Operation: Sendable {
    case insert
    case upsert(UpsertRule)
    /// An update of the columns at these indexes.
    case update([Int])
  }

  let metadata: TableMetadata
  var operation: Operation
  var values: [SQLiteValue]
  /// The key that the row has in the database.
  var key: [SQLiteValue]
  /// The step that generates the key, if it is not known yet.
  var keyStep: Int?
  /// The columns to set to the keys that SQLite generates for other rows, and the steps that write
  /// these rows.
  var deferredKeys: [(column: Int, step: Int)] = []
  /// A Boolean value that indicates whether SQLite generates the key.
  var isKeyGenerated = false
  /// Returns whether another connection has changed the row since it was read; `nil` if this is not
  /// checked.
  var isConflicting: (@Sendable (Connection) throws -> Bool)?
  /// The version that the row must still have.
  var version: SQLiteValue?
}

/// Consecutive rows in which the same columns are updated.
struct UpdateBatch: Sendable {
  let metadata: TableMetadata
  let changed: [Int]
  /// For each row, the values of the columns, then its key, then its version.
  var parameters: [SQLiteValue] = []
  var count = 0

  /// The number of parameters for each row.
  var width: Int {
    changed.count + metadata.key.count + (metadata.version == nil ? 0 : 1)
  }

  /// Returns whether the batch updates the given columns of a table.
  func isUpdate(of changed: [Int], _ metadata: TableMetadata) -> Bool {
    self.metadata === metadata && self.changed == changed
  }

  func key(of row: Int) -> [SQLiteValue] {
    let start = row * width + changed.count
    return Array(parameters[start..<start + metadata.key.count])
  }
}

/// The conflict clause of an upsert.
struct UpsertRule: Hashable, Sendable {
  /// The indexes of the unique columns that identify an existing row.
  var target: [Int]
  /// The indexes of the columns to update.
  var updated: [Int]
  /// A Boolean value that indicates whether a row is updated only if its version is unchanged.
  var checksVersion = false
  /// The indexes of the columns to return.
  var returned: [Int] = []
}

/// Rows to delete, to mark as deleted or to restore.
struct Deletion: Sendable {
  enum Operation: Sendable {
    case delete, mark, restore
  }

  let metadata: TableMetadata
  let operation: Operation
  let keys: [[SQLiteValue]]
  /// The versions that the rows must still have; `nil` if versions are not checked.
  var versions: [SQLiteValue]?
}

/// A range of values to bind as the parameters of a statement.
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
