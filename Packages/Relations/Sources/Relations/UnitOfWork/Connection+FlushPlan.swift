internal import SQLiteCore

extension Connection {
  /// Executes a plan in the open transaction.
  func run(_ plan: FlushPlan) throws -> FlushResult {
    // Rows may refer to each other in a cycle, so foreign keys are checked at the end of the
    // transaction.
    try execute("PRAGMA defer_foreign_keys = ON")
    var writer = FlushExecutor(connection: self)
    for deletion in plan.linkDeletions { _ = try run(deletion) }
    for (index, step) in plan.steps.enumerated() { try writer.run(step, index) }
    writer.result.lists = try plan.links.map { try write($0, generatedKeys: writer.result.keys) }
    try computeTexts(of: plan.allMetadata)
    return writer.result
  }

  /// Returns the columns of the row with a key; `nil` if there is no such row.
  func storedValues(_ metadata: TableMetadata, _ key: [SQLiteValue]) throws -> [SQLiteValue]? {
    try rows("\(unsafe: metadata.selectAllSQL) WHERE \(unsafe: metadata.keyCondition)", values: key)
      .first
  }
}

/// Executes the steps of a plan.
private struct FlushExecutor {
  let connection: Connection
  var result = FlushResult()
  /// The statements, each compiled once.
  private var statements: [String: Statement] = [:]

  init(connection: Connection) { self.connection = connection }

  mutating func run(_ step: FlushPlan.Step, _ index: Int) throws {
    switch step {
    case .row(let write): try run(write, index)
    case .updates(let batch): try run(batch, index, .check)
    case .hook(let hook): try hook(connection, result.keys)
    case .deletion(let deletion):
      result.conflictingDeletions.formUnion(try connection.run(deletion))
    }
  }

  private mutating func statement(_ sql: String) throws -> Statement {
    if let existing = statements[sql] { return existing }
    let prepared = try connection.prepare(SQL(unsafe: sql))
    statements[sql] = prepared
    return prepared
  }

  private func bind(_ values: [SQLiteValue], to statement: Statement) throws {
    try statement.bindAll(of: Parameters(values: values, range: values.indices))
  }

  // MARK: Single rows

  private mutating func run(_ write: RowWrite, _ index: Int) throws {
    var write = write
    for deferredKey in write.deferredKeys {
      if let key = result.keys[deferredKey.step] {
        write.values[deferredKey.column] = .integer(key)
      }
    }
    if let other = write.keyStep, let key = result.keys[other] { write.key = [.integer(key)] }
    switch write.operation {
    case .insert:
      let statement = try statement(write.metadata.insertSQL)
      try bind(write.values, to: statement)
      try statement.run()
      if write.isKeyGenerated { result.keys[index] = connection.lastInsertedRowID.rawValue }
    case .upsert(let rule): try upsert(write, rule, index)
    case .update(let changed): try update(write, changed, index)
    }
  }

  private mutating func update(_ write: RowWrite, _ changed: [Int], _ index: Int) throws {
    if try write.isConflicting?(connection) ?? false {
      try recordConflict(write.metadata, write.key, FlushResult.RowIndex(step: index, row: 0))
      return
    }
    var batch = UpdateBatch(metadata: write.metadata, changed: changed)
    batch.parameters = changed.map { write.values[$0] } + write.key
    batch.count = 1
    if let version = write.version { batch.parameters.append(version) }
    // A second update of a row that this plan has already written does not increment the version
    // again.
    try run(batch, index, write.version == nil ? .leave : .check)
  }

  private mutating func upsert(_ write: RowWrite, _ rule: UpsertRule, _ index: Int) throws {
    let metadata = write.metadata
    let statement = try statement(metadata.upsertSQL(rule))
    try bind(write.values, to: statement)
    guard !rule.returned.isEmpty else { return try statement.run() }
    var returned: [SQLiteValue]?
    while try statement.step() { returned = try statement.row.values }
    statement.reset()
    if returned == nil, rule.checksVersion {
      throw RelationError.conflict(
        metadata, write.key, try connection.storedValues(metadata, write.key) ?? [])
    }
    if returned == nil {
      // No row was updated, so the statement returned no row.
      let table = SQLName.quoted(metadata.table)
      let names = rule.returned.map { SQLName.quoted(metadata.columns[$0].name) }
      let found = rule.target.map { "\(SQLName.quoted(metadata.columns[$0].name)) IS ?" }
      returned = try connection.rows(
        "SELECT \(unsafe: names.joined(separator: ", ")) FROM \(unsafe: table) "
          + "WHERE \(unsafe: found.joined(separator: " AND "))",
        values: rule.target.map { write.values[$0] }
      ).first
    }
    result.returned[index] = returned
  }

  // MARK: Updates

  /// Updates the rows of a batch with one statement, binding the values of each row.
  private mutating func run(
    _ batch: UpdateBatch, _ index: Int, _ use: TableMetadata.VersionUse
  ) throws {
    let statement = try statement(batch.metadata.updateSQL(batch.changed, use))
    let width = batch.parameters.count / batch.count
    var before = connection.totalChangeCount
    for row in 0..<batch.count {
      try statement.bindAll(
        of: Parameters(values: batch.parameters, range: row * width..<(row + 1) * width))
      try statement.run()
      let after = connection.totalChangeCount
      if after == before {
        try handleUnmatchedUpdate(batch, row, FlushResult.RowIndex(step: index, row: row))
        before = connection.totalChangeCount
      } else {
        before = after
      }
    }
  }

  /// Handles an update that matched no row.
  private mutating func handleUnmatchedUpdate(
    _ batch: UpdateBatch, _ row: Int, _ update: FlushResult.RowIndex
  ) throws {
    let key = batch.key(of: row)
    guard batch.metadata.version != nil, try connection.storedValues(batch.metadata, key) != nil
    else {
      throw missing(batch.metadata, key)
    }
    try recordConflict(batch.metadata, key, update)
    guard batch.metadata.conflictPolicy == .keepMine else { return }
    let start = row * batch.width
    try connection.run(
      SQL(unsafe: batch.metadata.updateSQL(batch.changed, .count)),
      values: Array(batch.parameters[start..<start + batch.width - 1]))
  }

  /// Records that a row was changed by another connection.
  ///
  /// - Throws: ``RelationError`` if the type's policy is to throw.
  private mutating func recordConflict(
    _ metadata: TableMetadata, _ key: [SQLiteValue], _ update: FlushResult.RowIndex
  ) throws {
    if metadata.conflictPolicy == .throw {
      throw RelationError.conflict(metadata, key, try connection.storedValues(metadata, key) ?? [])
    }
    result.conflicts.insert(update)
  }

  private func missing(_ metadata: TableMetadata, _ key: [SQLiteValue]) -> RelationError {
    RelationError(
      .missingRow, "there is no row with the key to update", table: metadata.table,
      key: key.map { "\($0)" }.joined(separator: ", "))
  }
}

extension RelationError {
  /// Creates the error of a conflict.
  ///
  /// - Parameter now: The columns of the current row.
  static func conflict(
    _ metadata: TableMetadata, _ key: [SQLiteValue], _ now: [SQLiteValue]
  ) -> RelationError {
    var error = RelationError(
      .conflict, "the row was changed elsewhere since it was fetched", table: metadata.table,
      key: key.map { "\($0)" }.joined(separator: ", "))
    error.currentValues = Dictionary(
      zip(metadata.columns.map(\.name), now), uniquingKeysWith: { first, _ in first })
    return error
  }
}
