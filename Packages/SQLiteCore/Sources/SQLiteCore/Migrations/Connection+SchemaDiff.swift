internal import Primitives

extension Connection {
  /// Applies a schema diff in one transaction, completely or not at all.
  ///
  /// Also works inside a ``Migration``, in its transaction. Afterwards, the schema is the diff's target, and no foreign
  /// key, view, trigger or full-text table is broken that was valid before.
  ///
  /// - Parameters:
  ///   - diff: The steps, which start from the database's current schema.
  ///   - policy: The data that may be lost: none by default. List the losses, or pass `.everything`.
  ///   - progress: Called with the number of copied rows while a table is rebuilt. If it throws, all changes are rolled
  ///     back and the error is rethrown.
  /// - Throws: ``SQLiteError``, and the database is unchanged. The code is ``SQLiteError/Code/wouldLoseData`` if a step
  ///   loses data that `policy` does not allow, with all losses in the message; ``SQLiteError/Code/schemaMismatch`` if
  ///   the current schema is not the diff's source; ``SQLiteError/Code/constraintUnique`` if a new unique key occurs in
  ///   several rows, some of which the message lists; ``SQLiteError/Code/constraintNotNull`` if existing rows have no
  ///   value for a column; ``SQLiteError/Code/brokenSchema``, ``SQLiteError/Code/referencesEnforced`` and
  ///   ``SQLiteError/Code/constraintForeignKey`` as for ``rebuild(_:in:to:mapping:batchSize:progress:)``.
  ///   `CancellationError` if the task is cancelled between two steps or batches.
  public func apply(
    _ diff: SchemaDiff, allowing policy: SchemaDiff.DataLossPolicy = .nothing,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws {
    let refused = diff.losses.filter { !policy.allows($0) }
    guard refused.isEmpty else {
      throw SQLiteError(
        code: .wouldLoseData,
        message: "the change of the schema would lose "
          + refused.map(\.description).joined(separator: ", "))
    }
    guard !diff.isEmpty else { return try checkSchemaMatches(diff.source, "is not") }
    try withSchemaChange {
      try checkSchemaMatches(diff.source, "is not")
      let broken = try brokenObjects(in: "main")
      for step in diff.steps {
        try checkCancelled()
        _ = try perform(step.action, progress: progress)
      }
      try checkNoNewBrokenObjects(since: broken, in: "main")
      try checkSchemaMatches(diff.result, "has not become")
    }
  }

  /// Runs a sequence of schema changes in one transaction, completely or not at all.
  ///
  /// Foreign keys are not enforced during the changes and are checked at the end, so that referenced tables can be
  /// rebuilt. Inside an open transaction, the changes run in a savepoint, and foreign key enforcement is unchanged.
  ///
  /// ```swift
  /// try connection.withSchemaChange {
  ///   try connection.execute("DROP VIEW report")
  ///   try connection.changeSchema(to: DatabaseSchema(sql: wanted))
  /// }
  /// ```
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/constraintForeignKey`` if
  ///   there are new foreign key violations at the end.
  public func withSchemaChange<Result>(_ body: () throws -> Result) throws -> Result {
    try withForeignKeysDisabled { suspended in
      try transaction(.immediate) {
        let checks = suspended ? ["PRAGMA main.foreign_key_check"] : []
        let references = try ForeignKeyViolationBaseline(checks, on: self)
        let result = try body()
        try references.checkNoNewViolations(checks, on: self)
        return result
      }
    }
  }

  /// Migrates the schema to a target schema: see ``apply(_:allowing:progress:)``.
  ///
  /// - Returns: The applied diff.
  /// - Throws: The errors of creating the ``SchemaDiff`` and of ``apply(_:allowing:progress:)``.
  @discardableResult
  public func changeSchema(
    to target: DatabaseSchema, options: SchemaDiff.Options = SchemaDiff.Options(),
    allowing policy: SchemaDiff.DataLossPolicy = .nothing,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws -> SchemaDiff {
    let diff = try SchemaDiff(from: databaseSchema(), to: target, options: options)
    try apply(diff, allowing: policy, progress: progress)
    return diff
  }

  private func checkSchemaMatches(_ schema: DatabaseSchema, _ verb: String) throws {
    guard try !databaseSchema().isEquivalent(to: schema) else { return }
    throw SQLiteError(
      code: .schemaMismatch, message: "the database's schema \(verb) the one that the diff expects")
  }

  /// Performs one step inside a transaction.
  ///
  /// - Returns: The executed statements.
  func perform(
    _ action: SchemaDiff.Step.Action, progress: ((SchemaDiff.CopyProgress) throws -> Void)?
  ) throws -> [String] {
    switch action {
    case .rebuild(let plan):
      var run = TableRebuildRun(plan, on: self, progress: progress)
      _ = try run.perform()
      return run.log
    case .statements(let statements):
      let isLegacy = try value(Bool.self, "PRAGMA legacy_alter_table") ?? false
      // A renamed object must be renamed everywhere.
      if isLegacy { try handle.execute("PRAGMA legacy_alter_table = 0") }
      defer { if isLegacy { try? handle.execute("PRAGMA legacy_alter_table = 1") } }
      for statement in statements {
        try checkDropAllowed(statement)
        do throws(SQLiteError) {
          try execute(SQL(unsafe: Self.qualified(statement)))
        } catch {
          throw describe(error, of: statement)
        }
      }
      return statements
    }
  }

  /// Returns a step's statement with the schema `main`. A temporary object of the same name would take precedence.
  private static func qualified(_ statement: String) -> String {
    if let create = CreateStatement(statement) { return create.sql(in: "main") }
    // The object's name is the third word of an ALTER, DROP or INSERT statement.
    let tokens = SQLTokens(statement)
    return "\(tokens.text(0..<2)) main.\(tokens.text(from: 2))"
  }

  /// Throws an error if dropping a table would trigger foreign key actions: the drop deletes its rows.
  private func checkDropAllowed(_ statement: String) throws {
    let tokens = SQLTokens(statement)
    guard tokens.are(0, "DROP", "TABLE"), try areForeignKeysEnforced else { return }
    let name = tokens.name(2)
    let children = try childTables(of: TableName(name))
    guard !children.isEmpty else { return }
    throw SQLiteError(
      code: .referencesEnforced,
      message: "\(name) can't be dropped inside a transaction that enforces references to it, from "
        + children.joined(separator: ", "))
  }

  /// Adds the duplicate keys to an error of creating a unique index.
  private func describe(_ error: SQLiteError, of statement: String) -> SQLiteError {
    guard error.code.primary == .constraint, let index = IndexDefinition(statement), index.isUnique
    else { return error }
    // The query for the keys can fail for other reasons.
    let keys = try? duplicateKeys(
      index.keys.map { SQL(unsafe: $0) }, in: index.table,
      where: index.whereSQL.map { SQL(unsafe: $0) })
    guard let found = keys, !found.isEmpty else { return error }
    return error.replacingMessage("\(error.message): \(found.listed(of: index.keys))")
  }
}

extension Connection {
  /// A key that occurs in more than one row, which violates a unique index.
  public struct DuplicateKey: Hashable, Sendable {
    /// The values of the key's columns.
    public let values: [SQLiteValue]
    /// The number of rows with the key.
    public let count: Int

    public init(values: [SQLiteValue], count: Int) {
      self.values = values
      self.count = count
    }
  }
}

extension Connection {
  /// Returns the keys that occur in several rows of a table, and so prevent a unique index.
  ///
  /// ```swift
  /// let twice = try connection.duplicateKeys(["lower(name)"], in: "player")
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key's columns or expressions, as in `CREATE INDEX`, with a `COLLATE` clause if needed. A key that
  ///     contains a NULL equals no other key.
  ///   - table: The table.
  ///   - schema: The schema that contains the table.
  ///   - condition: A condition that restricts the rows, as the `WHERE` clause of a partial index.
  ///   - limit: The maximum number of keys to return.
  /// - Throws: ``SQLiteError`` if there is no such table, or the key or the condition is not valid SQL.
  /// - Complexity: A table scan, and a sort of the keys unless an index has their order.
  public func duplicateKeys(
    _ key: [SQL], in table: String, schema: String = "main", where condition: SQL? = nil,
    limit: Int = 5
  ) throws(SQLiteError) -> [DuplicateKey] {
    let names = key.indices.map { "holt_key_\($0)" }
    let columns: [SQL] = zip(key, names).map { "\(sql: $0) AS \(identifier: $1)" }
    let conditions: [SQL] = names.map { "\(identifier: $0) IS NOT NULL" }
    let filter: SQL = condition.map { "WHERE \(sql: $0)" } ?? ""
    let rows = try rows(
      """
      SELECT * FROM (
        SELECT \(sql: columns.joined(separator: ", ")), count(*) AS holt_count
        FROM \(table: TableName(schema: schema, table)) \(sql: filter)
        GROUP BY \(sql: key.joined(separator: ", "))
      ) WHERE holt_count > 1 AND \(sql: conditions.joined(separator: " AND "))
      LIMIT \(limit)
      """)
    return rows.map { row in
      var count = 0
      if case .integer(let number)? = row.last { count = Int(number) }
      return DuplicateKey(values: Array(row.dropLast()), count: count)
    }
  }
}

extension [Connection.DuplicateKey] {
  /// Returns a description of the keys for an error message.
  func listed(of columns: [String]) -> String {
    let keys = map { key in
      let values = key.values.map { value in
        let text = value.description
        return text.count > 40 ? text.prefix(40) + "…" : text
      }
      return "(\(values.joined(separator: ", "))) in \(key.count) rows"
    }
    return "(\(columns.joined(separator: ", "))) is not unique: " + keys.joined(separator: ", ")
  }
}
