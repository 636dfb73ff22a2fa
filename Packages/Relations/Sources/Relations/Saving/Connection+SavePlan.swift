internal import SQLiteCore

extension Connection {
  /// Executes a plan in the open transaction.
  func run(_ plan: SavePlan) throws -> SaveResult {
    // Rows may refer to each other in a cycle, so foreign keys are checked at the end of the
    // transaction.
    try execute("PRAGMA defer_foreign_keys = ON")
    var writer = PlanWriter(connection: self)
    for link in plan.deletes {
      let deed = link.shape.deleted == nil ? Deletion.Deed.delete : .mark
      _ = try run(Deletion(shape: link.shape, deed: deed, keys: [link.key]))
    }
    for (place, step) in plan.steps.enumerated() { try writer.run(step, place) }
    writer.result.lists = try plan.links.map { try write($0, made: writer.result.keys) }
    try computeTexts(of: plan.shapes)
    return writer.result
  }

  /// Returns the columns of the row with a key; `nil` if there is no such row.
  func storedValues(_ shape: TableMetadata, _ key: [SQLiteValue]) throws -> [SQLiteValue]? {
    try rows("\(unsafe: shape.selectAllSQL) WHERE \(unsafe: shape.keyCondition)", values: key).first
  }
}

/// Executes the steps of a plan.
private struct PlanWriter {
  let connection: Connection
  var result = SaveResult()
  /// The statements, each compiled once.
  private var statements: [String: Statement] = [:]

  init(connection: Connection) { self.connection = connection }

  mutating func run(_ step: SavePlan.Step, _ place: Int) throws {
    switch step {
    case .row(let write): try run(write, place)
    case .updates(let run): try self.run(run, place, .check)
    case .call(let call): try call(connection, result.keys)
    case .deletion(let deletion):
      result.kept.formUnion(try connection.run(deletion))
    }
  }

  private mutating func statement(_ sql: String) throws -> Statement {
    if let known = statements[sql] { return known }
    let made = try connection.prepare(SQL(unsafe: sql))
    statements[sql] = made
    return made
  }

  private func bind(_ values: [SQLiteValue], to statement: Statement) throws {
    try statement.bindAll(of: Parameters(values: values, range: values.indices))
  }

  // MARK: Single rows

  private mutating func run(_ write: RowWrite, _ place: Int) throws {
    var write = write
    for borrowed in write.borrowed {
      if let key = result.keys[borrowed.write] { write.values[borrowed.column] = .integer(key) }
    }
    if let other = write.keyWrite, let key = result.keys[other] { write.key = [.integer(key)] }
    switch write.deed {
    case .insert:
      let statement = try statement(write.shape.insertSQL)
      try bind(write.values, to: statement)
      try statement.run()
      if write.isNumbered { result.keys[place] = connection.lastInsertedRowID.rawValue }
    case .upsert(let rule): try upsert(write, rule, place)
    case .update(let changed): try update(write, changed, place)
    }
  }

  private mutating func update(_ write: RowWrite, _ changed: [Int], _ place: Int) throws {
    if let original = write.original, let now = try original.read(connection),
      now != original.values
    {
      try refuse(write.shape, write.key, SaveResult.Place(step: place, row: 0))
      return
    }
    var run = UpdateRun(shape: write.shape, changed: changed)
    run.parameters = changed.map { write.values[$0] } + write.key
    run.count = 1
    if let version = write.version { run.parameters.append(version) }
    // A second update of a row that this plan has already written does not increment the version
    // again.
    try self.run(run, place, write.version == nil ? .leave : .check)
  }

  private mutating func upsert(_ write: RowWrite, _ rule: UpsertRule, _ place: Int) throws {
    let shape = write.shape
    let statement = try statement(shape.upsertSQL(rule))
    try bind(write.values, to: statement)
    guard !rule.returned.isEmpty else { return try statement.run() }
    var returned: [SQLiteValue]?
    while try statement.step() { returned = try statement.row.values }
    statement.reset()
    if returned == nil, rule.checksVersion {
      throw conflict(shape, write.key, try connection.storedValues(shape, write.key) ?? [])
    }
    if returned == nil {
      // No row was updated, so the statement returned no row.
      let table = SQLName.quoted(shape.table)
      let names = rule.returned.map { SQLName.quoted(shape.columns[$0].name) }
      let found = rule.target.map { "\(SQLName.quoted(shape.columns[$0].name)) IS ?" }
      returned = try connection.rows(
        "SELECT \(unsafe: names.joined(separator: ", ")) FROM \(unsafe: table) "
          + "WHERE \(unsafe: found.joined(separator: " AND "))",
        values: rule.target.map { write.values[$0] }
      ).first
    }
    result.returned[place] = returned
  }

  // MARK: Updates

  /// Updates the rows of a batch with one statement, binding the values of each row.
  private mutating func run(
    _ run: UpdateRun, _ place: Int, _ use: TableMetadata.VersionUse
  ) throws {
    let statement = try statement(run.shape.updateSQL(run.changed, use))
    let width = run.parameters.count / run.count
    var before = connection.totalChangeCount
    for row in 0..<run.count {
      try statement.bindAll(
        of: Parameters(values: run.parameters, range: row * width..<(row + 1) * width))
      try statement.run()
      let after = connection.totalChangeCount
      if after == before {
        try resolve(run, row, SaveResult.Place(step: place, row: row))
        before = connection.totalChangeCount
      } else {
        before = after
      }
    }
  }

  /// Handles an update that matched no row.
  private mutating func resolve(_ run: UpdateRun, _ row: Int, _ place: SaveResult.Place) throws {
    let key = run.key(of: row)
    guard run.shape.version != nil, try connection.storedValues(run.shape, key) != nil else {
      throw missing(run.shape, key)
    }
    try refuse(run.shape, key, place)
    guard run.shape.conflictPolicy == .keepMine else { return }
    let start = row * run.width
    try connection.run(
      SQL(unsafe: run.shape.updateSQL(run.changed, .count)),
      values: Array(run.parameters[start..<start + run.width - 1]))
  }

  /// Records that a row was changed by another connection.
  ///
  /// - Throws: ``RelationError`` if the type's policy is to throw.
  private mutating func refuse(
    _ shape: TableMetadata, _ key: [SQLiteValue], _ place: SaveResult.Place
  ) throws {
    if shape.conflictPolicy == .throw {
      throw conflict(shape, key, try connection.storedValues(shape, key) ?? [])
    }
    result.conflicts.insert(place)
  }

  private func conflict(
    _ shape: TableMetadata, _ key: [SQLiteValue], _ now: [SQLiteValue]
  ) -> RelationError {
    .conflict(shape, key, now)
  }

  private func missing(_ shape: TableMetadata, _ key: [SQLiteValue]) -> RelationError {
    RelationError(
      .missingRow, "there is no row with the key to update", table: shape.table,
      key: key.map { "\($0)" }.joined(separator: ", "))
  }
}

extension RelationError {
  /// Creates the error of a conflict.
  ///
  /// - Parameter now: The columns of the current row.
  static func conflict(
    _ shape: TableMetadata, _ key: [SQLiteValue], _ now: [SQLiteValue]
  ) -> RelationError {
    var error = RelationError(
      .conflict, "the row was changed elsewhere since it was fetched", table: shape.table,
      key: key.map { "\($0)" }.joined(separator: ", "))
    error.currentValues = Dictionary(
      zip(shape.columns.map(\.name), now), uniquingKeysWith: { first, _ in first })
    return error
  }
}
