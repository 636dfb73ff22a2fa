extension SchemaDiff {
  /// How far the copying of one table's rows has come.
  public struct CopyProgress: Hashable, Sendable {
    /// The table that is copied.
    public let table: TableName
    /// How many rows are copied.
    public let rowsDone: Int
    /// How many rows there are.
    public let rowsTotal: Int
  }
}

extension SchemaDiff {
  /// What a rebuild came to.
  public struct RebuildResult: Hashable, Sendable {
    /// The number of rows that were copied: all.
    public let rowCount: Int
    /// Whether every row kept its rowid.
    public let keepsRowIDs: Bool
    /// The full-text tables that were filled anew, since what they index has changed.
    public let refilledTables: [String]
  }
}

/// A table that is to be made anew: its statement, and where its columns' values come from.
struct TableRebuild: Hashable, Sendable {
  let table: TableName
  /// The `CREATE TABLE` of the new form, under the table's own name.
  let sql: String
  /// SQL over the old rows, by new column.
  var mapping: [String: String] = [:]
}

extension Connection {
  /// Makes a table anew in another form, and copies its rows: for what `ALTER TABLE` can't change.
  ///
  /// The steps are those of <https://sqlite.org/lang_altertable.html#otheralter>, in one transaction:
  /// indexes, triggers (temporary ones too), views, references to the table, `AUTOINCREMENT`'s count
  /// and full-text tables over it are as they were, or nothing is changed at all.
  ///
  /// ```swift
  /// try connection.rebuild(
  ///   "book", to: "CREATE TABLE book (id INTEGER PRIMARY KEY, year INTEGER NOT NULL, title TEXT)",
  ///   mapping: ["year": "coalesce(year, 1900)"])
  /// ```
  ///
  /// A column of the new form takes the value that `mapping` computes, or else that of the old column
  /// of its name, or else its default. Generated columns compute their own. Columns of the old
  /// form that have no part in this are gone.
  ///
  /// Rows keep their rowids, in a table without `INTEGER PRIMARY KEY` too, as long as both forms have
  /// rowids and neither has columns with all three of their names; else they get new ones in the order of
  /// the old rows. A full-text table whose content this is, is refilled where its rows' ids or texts
  /// have changed, and one whose content is a view of it where anything has. What `ANALYZE` found out
  /// about the table is forgotten.
  ///
  /// A NULL in a column that becomes an `INTEGER PRIMARY KEY` is refused, where `mapping` gives it no
  /// value. A `CHECK` that qualifies columns by the table's name can't be in the new form: it is made
  /// under another name first, and SQLite does not know the table's then.
  ///
  /// Inside a transaction, as in a ``Migration``, references must not be enforced while this runs,
  /// since dropping the old form would act on the rows that refer to it.
  ///
  /// - Parameters:
  ///   - table: The table; virtual tables of FTS5 and R-Tree can be rebuilt too.
  ///   - schema: The database that it is in.
  ///   - sql: The `CREATE TABLE` of its new form, under the same name.
  ///   - mapping: SQL expressions over the old columns, by new column.
  ///   - batchSize: How many rows are copied between two reports.
  ///   - progress: Told how many rows are copied, before the first and after each batch. What it throws
  ///     undoes everything, and is thrown again.
  /// - Throws: ``SQLiteError``, and nothing is changed. Its code is ``SQLiteError/Code/constraintUnique``
  ///   or ``SQLiteError/Code/constraintNotNull`` where rows don't fit the new form, and the message
  ///   then shows some of them; ``SQLiteError/Code/brokenSchema`` where a view, trigger or full-text
  ///   table would no longer work; ``SQLiteError/Code/referencesEnforced`` inside a transaction that
  ///   enforces references to the table; ``SQLiteError/Code/constraintForeignKey`` where rows refer
  ///   to nothing afterwards that did not before; ``SQLiteError/Code/notFound`` where there is no such table;
  ///   ``SQLiteError/Code/unsupported`` for a full-text table that keeps no texts, or a language
  ///   for each row.
  ///   `CancellationError` where the task was cancelled between two batches.
  /// - Complexity: O(*n*) in the rows, and the time that its indexes take to be made.
  @discardableResult
  public func rebuild(
    _ table: String, in schema: String = "main", to sql: SQL, mapping: [String: SQL] = [:],
    batchSize: Int = 10_000, progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws -> SchemaDiff.RebuildResult {
    let plan = TableRebuild(
      table: TableName(schema: schema, table), sql: try sql.textWithoutValues(),
      mapping: try mapping.mapValues { try $0.textWithoutValues() })
    return try suspendingReferences { suspended in
      try transaction(.immediate) {
        let references = try BrokenReferences(
          suspended ? foreignKeyChecks(around: plan.table) : [], on: self)
        let broken = try brokenObjects(in: schema)
        var run = TableRebuildRun(plan, on: self, batchSize: batchSize, progress: progress)
        let result = try run.perform()
        try refuseBroken(since: broken, in: schema)
        if suspended {
          try references.refuseOthers(
            foreignKeyChecks(around: plan.table), keepsRowIDs: result.keepsRowIDs, on: self)
        }
        return result
      }
    }
  }

  /// Runs `body` while references are not enforced; `suspended` tells whether they were before.
  func suspendingReferences<Result>(
    _ body: (_ suspended: Bool) throws -> Result
  ) throws -> Result {
    try handle.requireAccess()
    guard !handle.isInTransaction, try areReferencesEnforced else { return try body(false) }
    try handle.set(.foreignKeys, false)
    defer { try? handle.set(.foreignKeys, true) }
    return try body(true)
  }

  /// Whether references between tables are enforced now.
  var areReferencesEnforced: Bool {
    get throws(SQLiteError) { try value(Bool.self, "PRAGMA foreign_keys") ?? false }
  }

  /// What lists the rows of a table, and those that may refer to it, that refer to nothing.
  private func foreignKeyChecks(around table: TableName) throws(SQLiteError) -> [String] {
    let children = try childTables(of: table).filter {
      !$0.isEqualIgnoringASCIICase(table.name)
    }
    return ([table.name] + children).map {
      "PRAGMA \(SQLName.quoted(table.schema)).foreign_key_check(\(SQLName.quoted($0)))"
    }
  }

  /// The tables that declare a reference to a table, itself among them where it does.
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

extension Connection {
  /// Told of the rows that a table's rebuild copies, while a migration runs.
  var copyReporter: ((SchemaDiff.CopyProgress) throws -> Void)? {
    get { kept(CopyReporter.self)?.report }
    set { keep(newValue.map(CopyReporter.init)) }
  }
}

private struct CopyReporter {
  let report: (SchemaDiff.CopyProgress) throws -> Void
}
