extension SchemaDiff {
  /// The progress of copying a table's rows.
  public struct CopyProgress: Hashable, Sendable {
    /// The table whose rows are copied.
    public let table: TableName
    /// The number of copied rows.
    public let rowsDone: Int
    /// The total number of rows.
    public let rowsTotal: Int
  }
}

extension SchemaDiff {
  /// The result of a rebuild.
  public struct RebuildResult: Hashable, Sendable {
    /// The number of copied rows, which is the number of rows in the table.
    public let rowCount: Int
    /// Indicates whether every row kept its rowid.
    public let keepsRowIDs: Bool
    /// The full-text tables whose index was rebuilt because their content changed.
    public let refilledTables: [String]
  }
}

/// The plan of a table rebuild: the new definition and the sources of the columns' values.
struct TableRebuild: Hashable, Sendable {
  let table: TableName
  /// The `CREATE TABLE` statement of the new table, with the same name.
  let sql: String
  /// SQL expressions over the old rows, by new column.
  var mapping: [String: String] = [:]
}

extension Connection {
  /// Rebuilds a table with a new definition and copies its rows, for changes that `ALTER TABLE` can't make.
  ///
  /// The method performs the steps of <https://sqlite.org/lang_altertable.html#otheralter> in one transaction. Indexes,
  /// triggers (also temporary ones), views, foreign keys to the table, the `AUTOINCREMENT` sequence and full-text
  /// tables over it are preserved, or the database is left unchanged.
  ///
  /// ```swift
  /// try connection.rebuild(
  ///   "book", to: "CREATE TABLE book (id INTEGER PRIMARY KEY, year INTEGER NOT NULL, title TEXT)",
  ///   mapping: ["year": "coalesce(year, 1900)"])
  /// ```
  ///
  /// A column of the new table receives the value that `mapping` computes, otherwise the value of the old column with
  /// the same name, otherwise its default. Generated columns are computed. Other columns of the old table are dropped.
  ///
  /// Rows keep their rowids, even without an `INTEGER PRIMARY KEY`, if both tables have rowids and a name for them that
  /// is not a column; otherwise they get new ones in the order of the old rows. A full-text table with this table as
  /// its content is rebuilt if its rowids or texts have changed; one whose content is a view of the table is rebuilt
  /// after any change. The table's `ANALYZE` statistics are lost.
  ///
  /// A NULL in a column that becomes an `INTEGER PRIMARY KEY` is an error unless `mapping` provides a value. The new
  /// table can't have a `CHECK` constraint that qualifies columns with the table's name, since the table is first
  /// created with a temporary name.
  ///
  /// Inside a transaction, as in a ``Migration``, foreign keys to the table must not be enforced, since dropping the
  /// old table would trigger their actions.
  ///
  /// - Parameters:
  ///   - table: The table. FTS5 and R-Tree tables can be rebuilt, too.
  ///   - schema: The schema that contains the table.
  ///   - sql: The new `CREATE TABLE` statement, with the same table name.
  ///   - mapping: SQL expressions over the old columns, by new column.
  ///   - batchSize: The number of rows that are copied between two calls of `progress`.
  ///   - progress: Called with the number of copied rows, before the first batch and after each one. If it throws, all
  ///     changes are rolled back and the error is rethrown.
  /// - Throws: ``SQLiteError``, and the database is unchanged. The code is ``SQLiteError/Code/constraintUnique`` or
  ///   ``SQLiteError/Code/constraintNotNull`` if rows violate the new definition, with some of the rows in the message;
  ///   ``SQLiteError/Code/brokenSchema`` if a view, trigger or full-text table would be broken;
  ///   ``SQLiteError/Code/referencesEnforced`` inside a transaction that enforces foreign keys to the table;
  ///   ``SQLiteError/Code/constraintForeignKey`` if there are new foreign key violations; ``SQLiteError/Code/notFound``
  ///   if there is no such table; ``SQLiteError/Code/unsupported`` for a full-text table that stores no texts, or a
  ///   language for each row. `CancellationError` if the task is cancelled between two batches.
  /// - Complexity: O(*n*) in the number of rows, plus the creation of the indexes.
  @discardableResult
  public func rebuild(
    _ table: String, in schema: String = "main", to sql: SQL, mapping: [String: SQL] = [:],
    batchSize: Int = 10_000, progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws -> SchemaDiff.RebuildResult {
    let plan = TableRebuild(
      table: TableName(schema: schema, table), sql: try sql.textWithoutValues(),
      mapping: try mapping.mapValues { try $0.textWithoutValues() })
    return try withForeignKeysDisabled { suspended in
      try transaction(.immediate) {
        let references = try ForeignKeyViolationBaseline(
          suspended ? foreignKeyChecks(around: plan.table) : [], on: self)
        let broken = try brokenObjects(in: schema)
        var run = TableRebuildRun(plan, on: self, batchSize: batchSize, progress: progress)
        let result = try run.perform()
        try checkNoNewBrokenObjects(since: broken, in: schema)
        if suspended {
          try references.checkNoNewViolations(
            foreignKeyChecks(around: plan.table), keepsRowIDs: result.keepsRowIDs, on: self)
        }
        return result
      }
    }
  }

  /// Runs `body` with foreign keys disabled; `suspended` is `true` if they were enabled before.
  func withForeignKeysDisabled<Result>(
    _ body: (_ suspended: Bool) throws -> Result
  ) throws -> Result {
    try handle.requireAccess()
    guard !handle.isInTransaction, try areForeignKeysEnforced else { return try body(false) }
    try handle.setIfSupported(.foreignKeys, to: false)
    defer { try? handle.setIfSupported(.foreignKeys, to: true) }
    return try body(true)
  }

  /// Indicates whether foreign keys are enforced.
  var areForeignKeysEnforced: Bool {
    get throws(SQLiteError) { try value(Bool.self, "PRAGMA foreign_keys") ?? false }
  }

  /// Returns the statements that list the foreign key violations of a table and of the tables that refer to it.
  private func foreignKeyChecks(around table: TableName) throws(SQLiteError) -> [String] {
    let children = try childTables(of: table).filter {
      !$0.isEqualIgnoringASCIICase(table.name)
    }
    return ([table.name] + children).map {
      "PRAGMA \(SQLName.quoted(table.schema)).foreign_key_check(\(SQLName.quoted($0)))"
    }
  }

  /// Returns the tables with a foreign key to a table, which can include the table itself.
  func childTables(of table: TableName) throws(SQLiteError) -> [String] {
    try values(
      String.self,
      """
      SELECT DISTINCT t.name FROM pragma_table_list AS t, pragma_foreign_key_list(t.name, t.schema) AS k
      WHERE t.schema = ?1 COLLATE NOCASE AND t.type = 'table' AND k."table" = ?2 COLLATE NOCASE
      ORDER BY t.name
      """, table.schema, table.name)
  }
}
