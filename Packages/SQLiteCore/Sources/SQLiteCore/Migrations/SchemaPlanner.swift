internal import Primitives

/// Determines the steps from one schema to another by performing them on an empty copy of the
/// first.
struct SchemaPlanner {
  private(set) var steps: [SchemaDiff.Step] = []
  private let scratch: Connection
  private let target: DatabaseSchema
  let options: SchemaDiff.Options
  /// The schema after the steps so far.
  private var current: DatabaseSchema
  /// Triggers to be recreated, which are dropped together with the old version of their view.
  private var droppedTriggers: [DatabaseSchema.Trigger] = []

  init(
    from source: DatabaseSchema, to target: DatabaseSchema, options: SchemaDiff.Options
  ) throws {
    var configuration = options.configuration
    // An existing schema can be older than the current rules.
    configuration.allowsDoubleQuotedStrings = true
    configuration.trustsSchema = true
    configuration.enforcesForeignKeys = false
    configuration.isReadOnly = false
    scratch = try Connection.inMemory(configuration: configuration)
    for statement in source.statements { try scratch.execute(SQL(unsafe: statement)) }
    self.target = target
    self.options = options
    current = source
  }

  mutating func plan() throws {
    try scratch.transaction {
      try renameTables()
      try renameColumns()
      try dropObjects()
      try changeTables()
      try createObjects()
    }
  }

  /// Returns the schema after the last step, which must be the target.
  func finalSchema() throws -> DatabaseSchema {
    let finalSchema = try scratch.databaseSchema()
    let isReached =
      options.keepsOtherObjects
      || finalSchema.isEquivalent(to: target, ignoringColumnOrder: options.ignoresColumnOrder)
    guard isReached else {
      throw SQLiteError(
        code: .internalError, message: "the steps do not result in the target schema")
    }
    return finalSchema
  }

  private mutating func add(
    _ kind: SchemaDiff.Step.Kind, _ object: String, _ action: SchemaDiff.Step.Action,
    losses: [SchemaDiff.DataLoss] = [], _ explanation: String
  ) throws {
    let log = try scratch.perform(action, progress: nil)
    steps.append(
      SchemaDiff.Step(
        kind: kind, object: object, statements: log, losses: losses, explanation: explanation,
        action: action))
  }

  // MARK: Renaming

  private mutating func renameTables() throws {
    for (old, new) in options.renamedTables.sorted(by: { $0.key < $1.key }) {
      guard current.table(old) != nil, target.table(new) != nil, current.table(new) == nil,
        target.table(old) == nil
      else {
        throw SQLiteError(
          code: .misuse,
          message: "table \(old) can't have been renamed to \(new): "
            + "the first must exist only in the old schema, the second only in the new one")
      }
      let sql = "ALTER TABLE \(SQLName.quoted(old)) RENAME TO \(SQLName.quoted(new))"
      try add(.renameTable, new, .statements([sql]), "rename table \(old) to \(new)")
      current = try scratch.databaseSchema()
    }
  }

  private mutating func renameColumns() throws {
    for (table, names) in options.renamedColumns.sorted(by: { $0.key < $1.key }) {
      for (old, new) in names.sorted(by: { $0.key < $1.key }) {
        func has(_ schema: DatabaseSchema, _ column: String) -> Bool {
          schema.table(table)?.columns.contains {
            $0.name.isEqualIgnoringASCIICase(column)
          } ?? false
        }
        guard has(current, old), has(target, new), !has(current, new), !has(target, old) else {
          throw SQLiteError(
            code: .misuse,
            message: "column \(old) of \(table) can't have been renamed to \(new): "
              + "the first must exist only in the old schema, the second only in the new one")
        }
        let sql =
          "ALTER TABLE \(SQLName.quoted(table)) RENAME COLUMN \(SQLName.quoted(old)) TO "
          + SQLName.quoted(new)
        try add(
          .renameColumn, table, .statements([sql]), "rename column \(old) of \(table) to \(new)")
        current = try scratch.databaseSchema()
      }
    }
  }

  // MARK: Dropping

  /// Drops triggers, views and indexes that differ in the target, or are not in it.
  private mutating func dropObjects() throws {
    let wanted = target.canonicalObjects
    let views = current.views.filter { mustDrop($0.name, $0.sql, .view, wanted) }
    let droppedViews = Set(views.map(\.name.asciiLowercased))
    let droppedTables = Set(
      current.tables.filter { mustDrop($0) }.map { $0.name.name.asciiLowercased })
    for trigger in current.triggers {
      let owner = trigger.table.asciiLowercased
      // The trigger is dropped with its table or view.
      let mustDrop = mustDrop(trigger.name, trigger.sql, .trigger, wanted)
      if droppedTables.contains(owner) || droppedViews.contains(owner) {
        if !mustDrop { droppedTriggers.append(trigger) }
        continue
      }
      guard mustDrop else { continue }
      let sql = "DROP TRIGGER \(SQLName.quoted(trigger.name))"
      try add(.dropTrigger, trigger.name, .statements([sql]), "drop trigger \(trigger.name)")
    }
    for view in views {
      let sql = "DROP VIEW \(SQLName.quoted(view.name))"
      try add(.dropView, view.name, .statements([sql]), "drop view \(view.name)")
    }
    for index in current.indexes where !droppedTables.contains(index.table.asciiLowercased) {
      guard let definition = index.sql, mustDrop(index.name, definition, .index, wanted) else {
        continue
      }
      let sql = "DROP INDEX \(SQLName.quoted(index.name))"
      try add(.dropIndex, index.name, .statements([sql]), "drop index \(index.name)")
    }
    current = try scratch.databaseSchema()
  }

  private func mustDrop(
    _ name: String, _ sql: String, _ kind: CreateStatement.Kind,
    _ wanted: [ExactText: ExactText]
  ) -> Bool {
    guard let other = wanted[DatabaseSchema.key(kind, name)] else {
      return !options.keepsOtherObjects || target.hasObject(name)
    }
    return CreateStatement(sql).map { ExactText($0.canonical) } != other
  }

  /// Returns whether a table must be dropped: it is not in the target, or is of another kind there.
  private func mustDrop(_ table: TableSchema) -> Bool {
    guard let other = target.table(table.name.name) else {
      return !options.keepsOtherObjects || target.hasObject(table.name.name)
    }
    guard table.kind == .virtual || other.kind == .virtual else { return false }
    if table.isEquivalent(to: other, ignoringColumnOrder: false) { return false }
    // Rows can be copied between tables of the same module.
    guard let old = table.module, let new = other.module, old.isCopyable, new.isCopyable else {
      return true
    }
    return !old.name.isEqualIgnoringASCIICase(new.name)
  }

  // MARK: Tables

  private mutating func changeTables() throws {
    for table in current.tables where mustDrop(table) {
      let name = table.name.name
      // The index of an external content table can be rebuilt.
      let isDerived =
        table.module.map { $0.isFullText && !($0.option("content") ?? "").isEmpty } ?? false
      let sql = "DROP TABLE \(SQLName.quoted(name))"
      try add(
        .dropTable, name, .statements([sql]), losses: isDerived ? [] : [.table(name)],
        "drop table \(name)")
    }
    current = try scratch.databaseSchema()
    for table in target.tables where table.kind != .virtual && table.sql != nil {
      let name = table.name.name
      if let present = current.table(name) {
        try change(present, to: table)
      } else {
        let sql = CreateStatement(table.sql ?? "")?.sql() ?? ""
        try add(.createTable, name, .statements([sql]), "create table \(name)")
      }
    }
  }

  private mutating func change(_ present: TableSchema, to table: TableSchema) throws {
    let name = table.name.name
    let values = options.values.first { $0.key.isEqualIgnoringASCIICase(name) }?.value ?? [:]
    guard
      let change = TableChange(
        from: present, to: table, values: values, options: options, in: current)
    else { return }
    if let alterations = change.alterations {
      // SQLite itself reports other obstacles.
      let count = steps.count
      do {
        try scratch.savepoint {
          for alteration in alterations {
            try add(
              alteration.kind, name, alteration.action, losses: alteration.losses,
              alteration.explanation)
          }
        }
        return
      } catch is SQLiteError {
        steps.removeLast(steps.count - count)
      }
    }
    let sql = CreateStatement(table.sql ?? "")?.sql() ?? ""
    guard keepsRows(of: present, in: table, given: values) else {
      try add(
        .dropTable, name, .statements(["DROP TABLE \(SQLName.quoted(name))"]),
        losses: [.table(name)], "drop table \(name)")
      return try add(.createTable, name, .statements([sql]), "create table \(name)")
    }
    let plan = TableRebuild(table: TableName(name), sql: sql, mapping: values)
    try add(
      .rebuildTable, name, .rebuild(plan), losses: change.losses,
      "rebuild table \(name): \(change.explanation)")
  }

  /// Returns whether rows can be copied to the new table, by a column or by the rowid.
  private func keepsRows(
    of present: TableSchema, in table: TableSchema, given values: [String: String]
  ) -> Bool {
    if !present.isWithoutRowID, !table.isWithoutRowID { return true }
    let sources = present.columns.map(\.name) + values.keys
    return table.columns.contains { column in
      column.kind == .stored && sources.contains { $0.isEqualIgnoringASCIICase(column.name) }
    }
  }

  // MARK: Creating

  private mutating func createObjects() throws {
    current = try scratch.databaseSchema()
    let present = current.canonicalObjects
    for index in target.indexes {
      guard let sql = index.sql, present[DatabaseSchema.key(.index, index.name)] == nil else {
        continue
      }
      try create(.createIndex, index.name, sql, index.isUnique ? "unique index" : "index")
    }
    var newViews: Set<String> = []
    for view in target.views where present[DatabaseSchema.key(.view, view.name)] == nil {
      try create(.createView, view.name, view.sql, "view")
      newViews.insert(view.name.asciiLowercased)
    }
    for table in target.tables where table.kind == .virtual {
      try createVirtual(table, newViews)
    }
    let owners = (target.views.map(\.name) + target.tables.map(\.name.name)).map(\.asciiLowercased)
    let others = droppedTriggers.filter { trigger in
      owners.contains(trigger.table.asciiLowercased)
        && !target.triggers.contains { $0.name.isEqualIgnoringASCIICase(trigger.name) }
    }
    for trigger in target.triggers + others
    where present[DatabaseSchema.key(.trigger, trigger.name)] == nil {
      try create(.createTrigger, trigger.name, trigger.sql, "trigger")
    }
  }

  private mutating func create(
    _ kind: SchemaDiff.Step.Kind, _ name: String, _ sql: String, _ what: String
  ) throws {
    let statement = CreateStatement(sql)?.sql() ?? sql
    try add(kind, name, .statements([statement]), "create \(what) \(name)")
  }

  private mutating func createVirtual(_ table: TableSchema, _ newViews: Set<String>) throws {
    let name = table.name.name
    let quoted = SQLName.quoted(name)
    let rebuildStatement = "INSERT INTO \(quoted) (\(quoted)) VALUES ('rebuild')"
    let content = table.module.flatMap { $0.isFullText ? $0.option("content") : nil } ?? ""
    let sql = CreateStatement(table.sql ?? "")?.sql() ?? ""
    if let present = current.table(name) {
      if present.isEquivalent(to: table, ignoringColumnOrder: false) {
        guard newViews.contains(content.asciiLowercased) else { return }
        return try add(
          .rebuildTable, name, .statements([rebuildStatement]), "rebuild full-text table \(name)")
      }
      let removedColumns = present.columns.filter { column in
        column.kind != .hidden
          && !table.columns.contains { $0.name.isEqualIgnoringASCIICase(column.name) }
      }
      let plan = TableRebuild(table: TableName(name), sql: sql)
      try add(
        .rebuildTable, name, .rebuild(plan),
        losses: removedColumns.map { .column($0.name, of: name) },
        "rebuild virtual table \(name)")
      return
    }
    var statements = [sql]
    // The index is empty initially, but the content table may have rows.
    if !content.isEmpty { statements.append(rebuildStatement) }
    try add(.createTable, name, .statements(statements), "create virtual table \(name)")
  }
}
