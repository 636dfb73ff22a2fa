internal import QueryModel
internal import SQLSyntax

/// `DROP`, `ATTACH`, `DETACH`, `REINDEX` and `ANALYZE`.
extension Resolver {
  mutating func define(_ node: Drop) -> [SchemaChange] {
    let key = NameKey(node.name.name.text)
    let database = node.name.schema.map { NameKey($0.text) }
    switch node.object {
    case .table, .view: return dropTable(node, key, database)
    case .index: return dropIndex(node, key, database)
    case .trigger:
      for candidate in catalog.databases where database == nil || candidate.name == database {
        if candidate.triggers[key] != nil {
          return [.removeTrigger(key, database: candidate.name)]
        }
      }
      reportMissing(
        node, "trigger", candidates: catalog.databases.flatMap { $0.triggers.values.map(\.name) })
      return []
    }
  }

  private mutating func reportMissing(_ node: Drop, _ kind: String, candidates: [String]) {
    guard !node.ifExists else { return }
    let name = [node.name.schema?.text, node.name.name.text].compactMap(\.self)
      .joined(separator: ".")
    reportUnknown(
      kind == "table" ? .unknownTable : .unknownObject, kind, name, at: node.name.span,
      candidates: candidates)
  }

  private mutating func dropTable(
    _ node: Drop, _ key: NameKey, _ database: NameKey?
  ) -> [SchemaChange] {
    guard let table = catalog.table(key, in: database) else {
      reportMissing(node, node.object == .view ? "view" : "table", candidates: catalog.tableNames)
      return []
    }
    if case .system = table.kind, !key.folded.hasPrefix("sqlite_stat") {
      report(.notWritable, at: node.name.span, "table `\(table.name)` may not be dropped")
      return []
    }
    if case .function = table.kind {
      report(.notWritable, at: node.name.span, "table `\(table.name)` may not be dropped")
      return []
    }
    if node.object == .view, !table.isView {
      report(
        .notWritable, at: node.name.span, "use DROP TABLE to delete table `\(table.name)`")
      return []
    }
    if node.object == .table, table.isView {
      report(.notWritable, at: node.name.span, "use DROP VIEW to delete view `\(table.name)`")
      return []
    }
    return [.removeTable(key, database: table.database)]
      + shadowTables(of: table).map { .removeTable(NameKey($0.name), database: $0.database) }
  }

  private mutating func dropIndex(
    _ node: Drop, _ key: NameKey, _ database: NameKey?
  ) -> [SchemaChange] {
    for candidate in catalog.databases where database == nil || candidate.name == database {
      guard candidate.indexes[key] != nil else { continue }
      return [.removeIndex(key, database: candidate.name)]
    }
    if key.folded.hasPrefix("sqlite_autoindex_"), isAutomaticIndex(key, in: database) {
      report(
        .notWritable, at: node.name.span,
        "index associated with UNIQUE or PRIMARY KEY constraint cannot be dropped")
      return []
    }
    reportMissing(
      node, "index", candidates: catalog.databases.flatMap { $0.indexes.values.map(\.name) })
    return []
  }

  /// Returns whether the name belongs to a constraint's automatic index:
  /// `sqlite_autoindex_table_1`.
  func isAutomaticIndex(_ key: NameKey, in database: NameKey?) -> Bool {
    catalog.databases.contains { candidate in
      (database == nil || candidate.name == database)
        && candidate.tables.contains { name, table in
          let count = table.keys.count {
            $0.index == nil && !($0.isPrimary && table.rowIDAlias != nil)
          }
          return count > 0
            && (1...count).contains { key.folded == "sqlite_autoindex_\(name)_\($0)" }
        }
    }
  }

  mutating func define(_ node: Attach) -> [SchemaChange] {
    let scope = Scope(id: makeScopeID(), parent: nil)
    resolveFileName(node.file, in: scope)
    if let key = node.key { resolveFileName(key, in: scope) }
    guard let name = node.schema.wordOrString else {
      resolveFileName(node.schema, in: scope)
      return []
    }
    let key = NameKey(name)
    if catalog.databaseIndex(key) != nil, catalog.reportsRuntimeErrors {
      report(.alreadyExists, at: node.schema.span, "database `\(name)` is already in use")
      return []
    }
    return [.attach(key)]
  }

  mutating func define(_ node: Detach) -> [SchemaChange] {
    guard let name = node.schema.wordOrString else {
      resolveFileName(node.schema, in: Scope(id: makeScopeID(), parent: nil))
      return []
    }
    let key = NameKey(name)
    if catalog.reportsRuntimeErrors, catalog.databaseIndex(key) == nil {
      report(.unknownDatabase, at: node.schema.span, "no such database: `\(name)`")
      return []
    }
    return [.detach(key)]
  }

  /// Resolves a file name. A bare word is treated as a string.
  private mutating func resolveFileName(_ expression: Expression, in scope: Scope) {
    guard expression.wordOrString == nil else { return }
    hint(resolveScalar(expression, in: scope), type: .text, name: "file")
  }

  mutating func define(_ node: Analyze) -> [SchemaChange] {
    guard let name = node.name else {
      return catalog.databases.map { .analyze(database: $0.name) }
    }
    let key = NameKey(name.name.text)
    if let schema = name.schema {
      guard catalog.databaseIndex(NameKey(schema.text)) != nil else {
        report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
        return []
      }
    } else if catalog.databaseIndex(key) != nil {
      return [.analyze(database: key)]
    }
    let database = name.schema.map { NameKey($0.text) }
    if let table = catalog.table(key, in: database) { return [.analyze(database: table.database)] }
    for candidate in catalog.databases where database == nil || candidate.name == database {
      if candidate.indexes[key] != nil { return [.analyze(database: candidate.name)] }
    }
    report(.unknownTable, at: name.span, "no such table: `\(name.name.text)`")
    return []
  }

  /// Returns whether `REINDEX` rebuilds any index.
  func rebuildsIndex(_ node: Reindex) -> Bool {
    func indexes(of table: Table) -> Bool {
      table.keys.contains { !($0.isPrimary && (table.rowIDAlias != nil || !table.hasRowID)) }
        || catalog[database: table.database]?.indexes.values
          .contains { $0.table == NameKey(table.name) } ?? false
    }
    let tables = catalog.databases.flatMap { $0.tables.values }
    guard let name = node.name else { return tables.contains(where: indexes) }
    let key = NameKey(name.name.text)
    let database = name.schema.map { NameKey($0.text) }
    if database == nil, catalog.collations.contains(key) {
      let made = catalog.databases.flatMap { database in
        database.indexes.values.flatMap { index -> [UniqueKey.Part] in
          guard let stored = index.definition, let table = database.tables[index.table] else {
            return []
          }
          var trial = Resolver(catalog: catalog, source: stored.source)
          return trial.resolveIndex(stored.node, of: table)
        }
      }
      return (tables.flatMap(\.keys).flatMap(\.parts) + made).contains { part in
        part.column != nil && NameKey(part.collation) == key
      }
    }
    guard let table = catalog.table(key, in: database) else { return true }
    return indexes(of: table)
  }

  mutating func check(_ node: Reindex) {
    guard let name = node.name else { return }
    let key = NameKey(name.name.text)
    let database = name.schema.map { NameKey($0.text) }
    if let schema = name.schema, catalog.databaseIndex(NameKey(schema.text)) == nil {
      report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
      return
    }
    if database == nil, catalog.collations.contains(key) { return }
    // Without a schema, the name refers to an object of `main`.
    let home = database ?? "main"
    if catalog.storedTable(key, in: home) ?? catalog.systemTable(key, in: home) != nil { return }
    let isIndex = catalog[database: home]?.indexes[key] != nil
    guard !isIndex, !isAutomaticIndex(key, in: home) else { return }
    if database == nil, key == "expressions" {
      require(SQLiteVersion(3, 53), for: "REINDEX EXPRESSIONS", at: name.span)
      return
    }
    report(.unknownObject, at: name.span, "unable to identify the object to be reindexed")
  }
}

extension Expression {
  /// The name that a bare word or a string denotes in `ATTACH`.
  fileprivate var wordOrString: String? {
    switch self {
    case .column(let node) where node.table == nil: node.column.text
    case .literal(let node):
      if case .string(let text) = node.value { text } else { nil }
    default: nil
    }
  }
}
