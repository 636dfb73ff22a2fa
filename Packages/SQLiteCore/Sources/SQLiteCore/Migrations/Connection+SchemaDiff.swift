internal import Primitives

extension Connection {
  /// Changes the schema as a diff proposes, in one transaction: all of it, or nothing.
  ///
  /// Usable in a ``Migration`` too, which then is the transaction. Afterwards the schema is what the
  /// diff promised, references hold that did before, and views, triggers and full-text tables work that did before.
  ///
  /// - Parameters:
  ///   - diff: The steps, from the schema that the database has now.
  ///   - permit: What may be lost: nothing, unless you name it or say `.everything`.
  ///   - progress: Told how many rows are copied while a table is rebuilt. What it throws undoes
  ///     everything, and is thrown again.
  /// - Throws: ``SQLiteError``, and nothing is changed. Its code is ``SQLiteError/Code/wouldLoseData``
  ///   where a step loses what `permit` does not allow, all of which the message names;
  ///   ``SQLiteError/Code/schemaMismatch`` where the schema is another one than the diff begins with;
  ///   ``SQLiteError/Code/constraintUnique`` where a new unique key stands in several rows, some of
  ///   which the message shows, and ``SQLiteError/Code/constraintNotNull`` where a column lacks values
  ///   for rows that exist; ``SQLiteError/Code/brokenSchema``,
  ///   ``SQLiteError/Code/referencesEnforced`` and ``SQLiteError/Code/constraintForeignKey`` as for
  ///   ``rebuild(_:in:to:mapping:batchSize:progress:)``. `CancellationError` where the task was
  ///   cancelled between two steps, or two parts of one.
  public func apply(
    _ diff: SchemaDiff, allowing permit: SchemaDiff.DataLossPolicy = .nothing,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws {
    let refused = diff.losses.filter { !permit.allows($0) }
    guard refused.isEmpty else {
      throw SQLiteError(
        code: .wouldLoseData,
        message: "the change of the schema would lose "
          + refused.map(\.description).joined(separator: ", "))
    }
    guard !diff.isEmpty else { return try refuseOtherSchema(than: diff.source, "is not") }
    try changingSchema {
      try refuseOtherSchema(than: diff.source, "is not")
      let broken = try brokenObjects(in: "main")
      for step in diff.steps {
        try refuseCancelled()
        _ = try perform(step.action, progress: progress)
      }
      try refuseBroken(since: broken, in: "main")
      try refuseOtherSchema(than: diff.result, "has not become")
    }
  }

  /// Runs code that changes the schema in several steps, in one transaction: all of them, or none.
  ///
  /// Foreign keys are not enforced meanwhile, and checked at its end: tables can be made anew to which others refer. In a
  /// transaction that is open it is a savepoint, and foreign keys stay as they are.
  ///
  /// ```swift
  /// try connection.changingSchema {
  ///   try connection.execute("DROP VIEW report")
  ///   try connection.changeSchema(to: DatabaseSchema(sql: wanted))
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/constraintForeignKey`` where rows refer to nothing
  ///   at its end that did not before.
  public func changingSchema<Result>(_ body: () throws -> Result) throws -> Result {
    try suspendingReferences { suspended in
      try transaction(.immediate) {
        let checks = suspended ? ["PRAGMA main.foreign_key_check"] : []
        let references = try BrokenReferences(checks, on: self)
        let result = try body()
        try references.refuseOthers(checks, on: self)
        return result
      }
    }
  }

  /// Compares the schema with a wanted one, and changes it: see ``apply(_:allowing:progress:)``.
  ///
  /// - Returns: What was done.
  /// - Throws: As making the ``SchemaDiff`` and ``apply(_:allowing:progress:)`` do.
  @discardableResult
  public func changeSchema(
    to target: DatabaseSchema, options: SchemaDiff.Options = SchemaDiff.Options(),
    allowing permit: SchemaDiff.DataLossPolicy = .nothing,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws -> SchemaDiff {
    let diff = try SchemaDiff(from: databaseSchema(), to: target, options: options)
    try apply(diff, allowing: permit, progress: progress)
    return diff
  }

  private func refuseOtherSchema(than schema: DatabaseSchema, _ verb: String) throws {
    guard try !databaseSchema().isEquivalent(to: schema) else { return }
    throw SQLiteError(
      code: .schemaMismatch, message: "the database's schema \(verb) the one that the diff says")
  }

  /// Does one step, inside a transaction.
  ///
  /// - Returns: The statements that were run.
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
      // What a renaming concerns is to be renamed everywhere.
      if isLegacy { try handle.control("PRAGMA legacy_alter_table = 0") }
      defer { if isLegacy { try? handle.control("PRAGMA legacy_alter_table = 1") } }
      for statement in statements {
        try refuseDropUnderReferences(statement)
        do throws(SQLiteError) {
          try execute(SQL(unsafe: Self.qualified(statement)))
        } catch {
          throw describe(error, of: statement)
        }
      }
      return statements
    }
  }

  /// The statement of a step for `main` alone: a temporary object of the same name would come first.
  private static func qualified(_ statement: String) -> String {
    if let create = CreateStatement(statement) { return create.sql(in: "main") }
    // The name of what is altered, dropped or filled follows on two words.
    let tokens = SQLTokens(statement)
    return "\(tokens.text(0..<2)) main.\(tokens.text(from: 2))"
  }

  /// Dropping a table deletes its rows, on which enforced references would act.
  private func refuseDropUnderReferences(_ statement: String) throws {
    let tokens = SQLTokens(statement)
    guard tokens.are(0, "DROP", "TABLE"), try areReferencesEnforced else { return }
    let name = tokens.name(2)
    let children = try childTables(of: TableName(name))
    guard !children.isEmpty else { return }
    throw SQLiteError(
      code: .referencesEnforced,
      message: "\(name) can't be dropped inside a transaction that enforces references to it, from "
        + children.joined(separator: ", "))
  }

  /// An error of making a unique index, with the keys that are its reason.
  private func describe(_ error: SQLiteError, of statement: String) -> SQLiteError {
    guard error.code.primary == .constraint, let index = IndexDefinition(statement), index.isUnique
    else { return error }
    // Looking for the keys may fail where the index did not.
    let keys = try? duplicateKeys(
      index.keys.map { SQL(unsafe: $0) }, in: index.table,
      where: index.whereSQL.map { SQL(unsafe: $0) })
    guard let found = keys, !found.isEmpty else { return error }
    return error.replacingMessage("\(error.message): \(found.listed(of: index.keys))")
  }
}
