internal import SQLiteCore

/// What is written when models and rows are saved, in its order: plain values, that go to the writer's thread.
struct SavePlan: Sendable {
  var writes: [RowWrite] = []
  var links: [LinkWrite] = []
  /// Rows that were links, and are so no more: they go first.
  var deletes: [LinkDelete] = []
  /// Lists whose positions are asked for at the end.
  var lists: [StoredLinks] = []
}

/// What a save has made.
struct SaveResult: Sendable {
  /// The keys that SQLite has made, by the writes.
  var keys: [Int: Int64] = [:]
  /// The links of ``SavePlan/lists``, in their order.
  var lists: [[StoredLink]] = []
}

/// One row that is written.
struct RowWrite: Sendable {
  enum Deed: Sendable {
    case insert
    case upsert
    /// Of the columns at these places.
    case update([Int])
  }

  /// A column that gets the key that SQLite makes for another row.
  struct Borrowed: Sendable {
    let column: Int
    let write: Int
  }

  let shape: TableShape
  let deed: Deed
  var values: [SQLiteValue]
  /// The key that the row has in the database.
  var key: [SQLiteValue]
  /// The write that makes that key, where it is not known.
  var keyWrite: Int?
  var borrowed: [Borrowed] = []
  /// Whether SQLite makes the key.
  var isNumbered = false
}

extension Connection {
  /// Writes all of a plan, in the transaction that is open.
  ///
  func run(_ plan: SavePlan) throws -> SaveResult {
    // Rows may refer to each other in a circle: what counts is how they are at the end.
    try execute("PRAGMA defer_foreign_keys = ON")
    var statements = SaveStatements(connection: self)
    var made: [Int: Int64] = [:]
    for link in plan.deletes {
      try self.run("\(link.shape.deleteSQL) WHERE \(link.shape.keyCondition)", values: link.key)
    }
    for (place, write) in plan.writes.enumerated() {
      var write = write
      for borrowed in write.borrowed {
        if let key = made[borrowed.write] { write.values[borrowed.column] = .integer(key) }
      }
      if let other = write.keyWrite, let key = made[other] { write.key = [.integer(key)] }
      try statements.run(write)
      if write.isNumbered { made[place] = lastInsertedRowID.rawValue }
    }
    for write in plan.links { try self.write(write, made: made) }
    try computeTexts(of: plan.writes)
    return SaveResult(keys: made, lists: try plan.lists.map { try links(of: $0, made: made) })
  }
}

/// The statements that rows are written with, each compiled once.
private struct SaveStatements {
  struct Kind: Hashable {
    let shape: ObjectIdentifier
    /// The columns that are updated; `nil` for an insert.
    let changed: [Int]?
    let isUpsert: Bool
  }

  let connection: Connection
  private var statements: [Kind: Statement] = [:]

  init(connection: Connection) { self.connection = connection }

  mutating func run(_ write: RowWrite) throws {
    switch write.deed {
    case .insert, .upsert:
      let isUpsert = if case .upsert = write.deed { true } else { false }
      let statement = try statement(write.shape, changed: nil, isUpsert: isUpsert)
      for (index, value) in write.values.enumerated() {
        try statement.bind(value, at: ParameterIndex(index + 1))
      }
      try statement.run()
    case .update(let changed):
      let statement = try statement(write.shape, changed: changed, isUpsert: false)
      var index = 1
      for column in changed {
        try statement.bind(write.values[column], at: ParameterIndex(index))
        index += 1
      }
      for value in write.key {
        try statement.bind(value, at: ParameterIndex(index))
        index += 1
      }
      let before = connection.totalChangeCount
      try statement.run()
      guard connection.totalChangeCount > before else {
        throw RelationError(
          .missingRow, "there is no row with the key to be updated", table: write.shape.table,
          key: write.key.map { "\($0)" }.joined(separator: ", "))
      }
    }
  }

  private mutating func statement(
    _ shape: TableShape, changed: [Int]?, isUpsert: Bool
  ) throws -> Statement {
    let kind = Kind(shape: ObjectIdentifier(shape), changed: changed, isUpsert: isUpsert)
    if let known = statements[kind] { return known }
    let sql =
      changed.map { shape.updateSQL($0) } ?? (isUpsert ? shape.upsertSQL : shape.insertSQL)
    let made = try connection.prepare(sql)
    statements[kind] = made
    return made
  }
}
