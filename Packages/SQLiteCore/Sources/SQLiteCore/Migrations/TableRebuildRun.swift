internal import Primitives

/// Performs a table rebuild inside a transaction with foreign keys disabled.
struct TableRebuildRun {
  let plan: TableRebuild
  let connection: Connection
  let batchSize: Int
  let progress: ((SchemaDiff.CopyProgress) throws -> Void)?
  /// The executed statements, in order.
  private(set) var log: [String] = []

  init(
    _ plan: TableRebuild, on connection: Connection, batchSize: Int = 10_000,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)?
  ) {
    self.plan = plan
    self.connection = connection
    self.batchSize = max(1, batchSize)
    self.progress = progress
  }

  private var schema: String { plan.table.schema }
  private var name: String { plan.table.name }

  private func qualified(_ name: String) -> String {
    SQLName.quoted(schema) + "." + SQLName.quoted(name)
  }

  mutating func perform() throws -> SchemaDiff.RebuildResult {
    guard let old = try connection.statement(ofTable: name, in: schema),
      CreateStatement(old)?.kind == .table
    else { throw SQLiteError(code: .notFound, message: "there is no table \(plan.table)") }
    // `CREATE TABLE … AS SELECT` would add rows.
    guard let new = CreateStatement(plan.sql), new.kind == .table,
      new.name.isEqualIgnoringASCIICase(name), new.isVirtual || TableDefinition(plan.sql) != nil
    else {
      throw SQLiteError(
        code: .misuse, message: "the new definition must be a CREATE TABLE statement for \(name)",
        sql: plan.sql)
    }
    if let module = TableSchema.VirtualTableModule(sql: old), module.isFullText,
      !module.returnsStoredRows
    {
      throw SQLiteError(
        code: .unsupported, message: "\(name) can't be rebuilt: its rows can't be read back")
    }
    try checkReferencesNotEnforced()
    let dependents = try DependentObjects(of: plan.table, on: connection)
    let temporary = try unusedName()
    let isLegacy = try connection.value(Bool.self, "PRAGMA legacy_alter_table") ?? false
    // Views and triggers refer to the table, which is missing for a moment.
    try setLegacyAlterTable(true)
    do {
      try run(new.sql(name: temporary, in: schema))
      var copy = try TableCopy(plan, temporary: temporary, on: connection)
      let count = try withForwardScans { () throws in
        try copy.run(batchSize: batchSize, progress: progress)
      }
      log.append(copy.sql)
      try run("DROP TABLE \(qualified(name))")
      try run("ALTER TABLE \(qualified(temporary)) RENAME TO \(SQLName.quoted(new.name))")
      for statement in try dependents.restoreStatements(on: connection) { try run(statement) }
      var refilled = try rebuildFullTextIndexes(of: dependents.fullText, after: copy)
      if !copy.isIdentity {
        for table in dependents.fullTextOfViews {
          refilled.append(try rebuildFullTextIndex(of: table))
        }
      }
      try setLegacyAlterTable(isLegacy)
      return SchemaDiff.RebuildResult(
        rowCount: count, keepsRowIDs: copy.keepsRowIDs, refilledTables: refilled)
    } catch {
      try? setLegacyAlterTable(isLegacy)
      throw error
    }
  }

  private mutating func run(_ sql: String) throws(SQLiteError) {
    do throws(SQLiteError) {
      try connection.prepare(SQL(unsafe: sql)).run()
    } catch {
      throw error.addingContext("rebuilding \(name)")
    }
    log.append(sql)
  }

  /// Runs `body` while rows are read in forward order, even if the connection reads them in
  /// reverse.
  private func withForwardScans<Result>(_ body: () throws -> Result) throws -> Result {
    guard try connection.value(Bool.self, "PRAGMA reverse_unordered_selects") ?? false else {
      return try body()
    }
    try connection.handle.execute("PRAGMA reverse_unordered_selects = 0")
    defer {
      try? connection.handle.executeUninterrupted("PRAGMA reverse_unordered_selects = 1")
    }
    return try body()
  }

  private func setLegacyAlterTable(_ isLegacy: Bool) throws(SQLiteError) {
    try connection.handle.executeUninterrupted("PRAGMA legacy_alter_table = \(isLegacy ? 1 : 0)")
  }

  /// Throws an error if dropping the old table would trigger foreign key actions: the drop deletes
  /// its rows.
  private func checkReferencesNotEnforced() throws {
    guard try connection.areForeignKeysEnforced else { return }
    let children = try connection.childTables(of: plan.table)
    guard !children.isEmpty else { return }
    throw SQLiteError(
      code: .referencesEnforced,
      message: "\(name) can't be rebuilt inside a transaction that enforces references to it, from "
        + children.joined(separator: ", "))
  }

  private func unusedName() throws -> String {
    var candidate = "holt_new_\(name)"
    let query: SQL = """
      SELECT 1 FROM \(identifier: schema).sqlite_master
      WHERE name = ?1 COLLATE NOCASE AND type <> 'trigger'
      """
    while try connection.value(Int.self, query, candidate) != nil { candidate += "_" }
    return candidate
  }

  /// Rebuilds the full-text indexes whose rowids or texts have changed.
  private mutating func rebuildFullTextIndexes(
    of tables: [TableSchema], after copy: TableCopy
  ) throws -> [String] {
    var refilled: [String] = []
    for table in tables {
      let rowID = table.module?.option("content_rowid")
      let columns = table.columns.filter { $0.kind != .hidden }.map(\.name)
      let isSame =
        columns.allSatisfy { copy.isIdentity($0) }
        && (rowID.map { copy.isIdentity($0) } ?? copy.keepsRowIDs)
      if isSame { continue }
      if let missing = (columns + [rowID].compactMap { $0 }).first(where: { !copy.hasColumn($0) }) {
        throw SQLiteError(
          code: .brokenSchema,
          message:
            "the change would break full-text table \(table.name): no such column: \(missing)")
      }
      refilled.append(try rebuildFullTextIndex(of: table))
    }
    return refilled
  }

  /// Rebuilds one full-text index and returns the table's name.
  private mutating func rebuildFullTextIndex(of table: TableSchema) throws -> String {
    let name = table.name.name
    try run("INSERT INTO \(qualified(name)) (\(SQLName.quoted(name))) VALUES ('rebuild')")
    return name
  }
}

/// The objects that are dropped together with a table.
private struct DependentObjects {
  private let table: TableName
  private var statements: [String] = []
  private let temporaryTriggers: [DatabaseSchema.Trigger]
  private let sequence: Int64?
  /// The full-text tables with this table as their content.
  let fullText: [TableSchema]
  /// The settings of an FTS5 table, such as its ranking and merge parameters.
  private let settings: [[SQLiteValue]]
  /// The full-text tables whose content is a view of this table.
  let fullTextOfViews: [TableSchema]

  init(of table: TableName, on connection: Connection) throws {
    self.table = table
    let schema = table.schema
    statements = try connection.values(
      String.self,
      """
      SELECT sql FROM \(identifier: schema).sqlite_master WHERE tbl_name = ?1 COLLATE NOCASE
      AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type, rowid
      """, table.name
    ).map { CreateStatement($0)?.sql(in: table.schema) ?? $0 }
    temporaryTriggers =
      table.schema.isEqualIgnoringASCIICase("temp") ? [] : try connection.triggers(in: "temp")
    let hasSequences = try connection.value(
      Int.self, "SELECT 1 FROM \(identifier: schema).sqlite_master WHERE name = 'sqlite_sequence'")
    sequence =
      hasSequences == nil
      ? nil
      : try connection.value(
        Int64?.self,
        "SELECT seq FROM \(identifier: schema).sqlite_sequence WHERE name = ?1 COLLATE NOCASE",
        table.name)
        ?? nil
    settings =
      try Self.isFTS5(table, on: connection)
      ? try connection.rows(
        """
        SELECT k, v FROM \(identifier: schema).\(identifier: "\(table.name)_config")
        WHERE k <> 'version'
        """)
      : []
    let views = Self.views(of: table, among: try connection.views(in: table.schema))
    func isContent(_ name: String, of candidate: TableSchema) -> Bool {
      guard let module = candidate.module, module.isFullText else { return false }
      return module.option("content")?.isEqualIgnoringASCIICase(name) ?? false
    }
    let tables = try connection.tables(in: table.schema)
    fullText = tables.filter { isContent(table.name, of: $0) }
    fullTextOfViews = tables.filter { candidate in
      views.contains { isContent($0, of: candidate) }
    }
  }

  private static func isFTS5(_ table: TableName, on connection: Connection) throws -> Bool {
    let sql = try connection.statement(ofTable: table.name, in: table.schema)
    return sql.flatMap(TableSchema.VirtualTableModule.init(sql:))?.name.isEqualIgnoringASCIICase(
      "fts5")
      ?? false
  }

  /// Returns the views that refer to a table, directly or through other views.
  private static func views(of table: TableName, among views: [DatabaseSchema.View]) -> [String] {
    var names = [table.name]
    var rest = views
    while let next = rest.firstIndex(where: { view in
      let tokens = SQLTokens(view.sql)
      return names.contains { tokens.mentions($0) }
    }) {
      names.append(rest.remove(at: next).name)
    }
    return Array(names.dropFirst())
  }

  /// Returns the statements that recreate the dropped objects after the table is renamed.
  func restoreStatements(on connection: Connection) throws -> [String] {
    var all = statements
    if try Self.isFTS5(table, on: connection) {
      let name = SQLName.quoted(table.name)
      all += settings.map { setting in
        "INSERT INTO \(SQLName.quoted(table.schema)).\(name) (\(name), rank)"
          + " VALUES (\(setting[0]), \(setting[1]))"
      }
    }
    // The triggers that no longer exist belonged to this table, rather than to a table of the same
    // name in another schema.
    let remaining = Set(try connection.triggers(in: "temp").map(\.name))
    for trigger in temporaryTriggers where !remaining.contains(trigger.name) {
      all.append(CreateStatement(trigger.sql)?.sql(temporary: true) ?? trigger.sql)
    }
    if let sequence, try isAutoincrement(on: connection) {
      let schema = SQLName.quoted(table.schema)
      let name = SQLiteValue.text(try currentName(on: connection))
      all.append(
        "DELETE FROM \(schema).sqlite_sequence WHERE name = \(name) AND seq <= \(sequence)")
      all.append(
        """
        INSERT INTO \(schema).sqlite_sequence (name, seq) SELECT \(name), \(sequence)
        WHERE NOT EXISTS (SELECT 1 FROM \(schema).sqlite_sequence WHERE name = \(name))
        """)
    }
    return all
  }

  private func isAutoincrement(on connection: Connection) throws -> Bool {
    try connection.columns(of: table.name, in: table.schema).contains { $0.isAutoincrement }
  }

  /// Returns the table's name as spelled in the schema.
  private func currentName(on connection: Connection) throws -> String {
    try connection.value(
      String.self,
      """
      SELECT name FROM \(identifier: table.schema).sqlite_master
      WHERE type = 'table' AND name = ?1 COLLATE NOCASE
      """, table.name) ?? table.name
  }
}
