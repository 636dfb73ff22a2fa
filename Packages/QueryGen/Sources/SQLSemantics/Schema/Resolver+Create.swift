internal import QueryModel
internal import SQLSyntax

/// `CREATE` statements, with the checks made before the schema changes.
extension Resolver {
  /// Returns the schema in which a new object is created, or `nil` if that schema does not exist.
  private mutating func home(
    of name: QualifiedName, isTemporary: Bool, _ message: String
  ) -> NameKey? {
    if let schema = name.schema {
      let key = NameKey(schema.text)
      if isTemporary, key != "temp" {
        report(.invalidDefinition, at: schema.span, message)
        return nil
      }
      guard catalog.databaseIndex(key) != nil else {
        report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
        return nil
      }
      return key
    }
    return isTemporary ? "temp" : "main"
  }

  private mutating func checkReserved(_ name: Identifier) -> Bool {
    guard NameKey(name.text).folded.hasPrefix("sqlite_") else { return true }
    report(
      .reservedName, at: name.span, "object name reserved for internal use: `\(name.text)`")
    return false
  }

  /// Returns whether a table or view name is available. Reports an error if it is not, unless
  /// `IF NOT EXISTS` is present.
  private mutating func isNameAvailable(
    _ name: Identifier, in database: NameKey, ifNotExists: Bool
  ) -> Bool {
    let key = NameKey(name.text)
    if let old = catalog[database: database]?.tables[key] {
      if !ifNotExists {
        report(
          .alreadyExists, at: name.span,
          "\(old.isView ? "view" : "table") `\(name.text)` already exists")
      }
      return false
    }
    if catalog[database: database]?.indexes[key] != nil {
      report(.alreadyExists, at: name.span, "there is already an index named `\(name.text)`")
      return false
    }
    return true
  }

  mutating func define(_ node: CreateTable, documentation: [String]) -> [SchemaChange] {
    guard
      let database = home(
        of: node.name, isTemporary: node.isTemporary,
        "temporary table name must be unqualified"),
      checkReserved(node.name.name),
      isNameAvailable(node.name.name, in: database, ifNotExists: node.ifNotExists)
    else { return [] }
    return [.addTable(makeTable(node, database: database, documentation: documentation))]
  }

  mutating func define(_ node: CreateView, documentation: [String]) -> [SchemaChange] {
    if let parameter = firstParameterSpan(in: node.select.span) {
      report(.prohibitedHere, at: parameter, "parameters are not allowed in views")
      return []
    }
    guard
      let database = home(
        of: node.name, isTemporary: node.isTemporary,
        "temporary table name must be unqualified"),
      checkReserved(node.name.name),
      isNameAvailable(node.name.name, in: database, ifNotExists: node.ifNotExists)
    else { return [] }
    checkDatabaseReferences(
      TableNameCollector(node.select), database, "view `\(node.name.name.text)`")
    var table = Table(
      name: node.name.name.text, database: database,
      kind: .view(StoredStatement(node: node, source: source)), columns: [])
    table.hasRowID = false
    table.documentation = documentation.isEmpty ? nil : documentation.joined(separator: "\n")
    return [.addTable(table)]
  }

  mutating func define(_ node: CreateVirtualTable, documentation: [String]) -> [SchemaChange] {
    guard let database = home(of: node.name, isTemporary: false, ""),
      checkReserved(node.name.name),
      isNameAvailable(node.name.name, in: database, ifNotExists: node.ifNotExists)
    else { return [] }
    guard var table = makeVirtualTable(node, database: database) else { return [] }
    table.documentation = documentation.isEmpty ? nil : documentation.joined(separator: "\n")
    return [.addTable(table)] + shadowTables(of: table).map { .addTable($0) }
  }

  mutating func define(_ node: CreateIndex) -> [SchemaChange] {
    let tableKey = NameKey(node.table.text)
    var database: NameKey?
    if let schema = node.name.schema {
      guard catalog.databaseIndex(NameKey(schema.text)) != nil else {
        report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
        return []
      }
      database = NameKey(schema.text)
    }
    let home = database ?? (catalog[database: "temp"]?.tables[tableKey] != nil ? "temp" : nil)
    guard
      let table = catalog.storedTable(tableKey, in: home ?? "main")
        ?? (home == nil ? catalog.storedTable(tableKey, in: nil) : nil)
        ?? catalog.systemTable(tableKey, in: home)
    else {
      reportUnknown(
        .unknownTable, "table", node.table.text, at: node.table.span,
        candidates: catalog.tableNames)
      return []
    }
    if table.database != home, home != nil || table.database != "main" {
      // An index without a schema belongs to `main` or `temp`.
      reportUnknown(
        .unknownTable, "table", "main.\(node.table.text)", at: node.table.span, candidates: [])
      return []
    }
    guard checkIndexable(table, node) else { return [] }
    guard checkReserved(node.name.name) else { return [] }
    let key = NameKey(node.name.name.text)
    if catalog[database: table.database]?.tables[key] != nil {
      report(
        .alreadyExists, at: node.name.name.span,
        "there is already a table named `\(node.name.name.text)`")
      return []
    }
    if catalog[database: table.database]?.indexes[key] != nil {
      if !node.ifNotExists {
        report(
          .alreadyExists, at: node.name.name.span,
          "index `\(node.name.name.text)` already exists")
      }
      return []
    }
    let parts = resolveIndex(node, of: table)
    let index = Index(
      name: node.name.name.text, table: tableKey,
      definition: StoredStatement(node: node, source: source))
    let unique =
      node.isUnique
      ? UniqueKey(parts: parts, condition: node.where, index: key) : nil
    return [.addIndex(index, key: unique, database: table.database)]
  }

  /// Resolves an index's columns, expressions and condition.
  @discardableResult
  mutating func resolveIndex(_ node: CreateIndex, of table: Table) -> [UniqueKey.Part] {
    let parts = node.columns.compactMap { term -> UniqueKey.Part? in
      if let nulls = term.nulls {
        report(.prohibitedHere, at: term.span, "unsupported use of \(nulls.rawValue)")
      }
      return keyPart(term.expression, of: table, allowsExpressions: true)
    }
    if let condition = node.where {
      _ = resolveScalar(
        condition, in: definitionScope(of: table, .partialIndex))
    }
    return parts
  }

  private mutating func checkIndexable(_ table: Table, _ node: CreateIndex) -> Bool {
    let message: String? =
      switch table.kind {
      case .system: "table `\(table.name)` may not be indexed"
      case .view: "views may not be indexed"
      case .virtual, .function: "virtual tables may not be indexed"
      case .table, .shadow: nil
      }
    guard let message else { return true }
    report(.invalidDefinition, at: node.table.span, message)
    return false
  }

  mutating func define(_ node: CreateTrigger) -> [SchemaChange] {
    let name = node.name.name.text
    if node.isTemporary, node.name.schema != nil {
      report(
        .invalidDefinition, at: node.name.span, "temporary trigger may not have qualified name")
      return []
    }
    guard
      var database = home(of: node.name, isTemporary: node.isTemporary, ""),
      let table = findTriggerTable(node, database)
    else { return [] }
    if node.name.schema == nil, table.database == "temp" { database = "temp" }
    if database != "temp", table.database != database {
      report(
        .prohibitedHere, at: node.table.span,
        "trigger `\(name)` cannot reference objects in database `\(table.database)`")
      return []
    }
    guard checkReserved(node.name.name) else { return [] }
    if catalog[database: database]?.triggers[NameKey(name)] != nil {
      if !node.ifNotExists {
        report(.alreadyExists, at: node.name.name.span, "trigger `\(name)` already exists")
      }
      return []
    }
    guard checkTriggerTable(table, node) else { return [] }
    checkTriggerText(node)
    checkDatabaseReferences(
      TableNameCollector(node.body, condition: node.when), database, "trigger `\(name)`")
    let trigger = Trigger(
      name: name, table: NameKey(table.name), database: table.database, home: database,
      definition: StoredStatement(node: node, source: source))
    return [.addTrigger(trigger)]
  }

  private mutating func findTriggerTable(_ node: CreateTrigger, _ database: NameKey) -> Table? {
    let key = NameKey(node.table.name.text)
    let wanted =
      node.table.schema.map { NameKey($0.text) }
      ?? (node.name.schema != nil && database != "temp" ? database : nil)
    if let table = catalog.storedTable(key, in: wanted) ?? catalog.systemTable(key, in: wanted) {
      return table
    }
    reportUnknown(
      .unknownTable, "table", node.table.name.text, at: node.table.span,
      candidates: catalog.tableNames)
    return nil
  }

  private mutating func checkTriggerTable(_ table: Table, _ node: CreateTrigger) -> Bool {
    let message: String? =
      switch (table.kind, node.timing) {
      case (.system, _): "cannot create trigger on system table"
      case (.virtual, _), (.function, _): "cannot create triggers on virtual tables"
      case (.view, .before), (.view, .after), (.view, nil):
        "cannot create \((node.timing ?? .before).rawValue) trigger on view: `\(table.name)`"
      case (.table, .insteadOf), (.shadow, .insteadOf):
        "cannot create INSTEAD OF trigger on table: `\(table.name)`"
      case (.view, .insteadOf), (.table, _), (.shadow, _): nil
      }
    guard let message else { return true }
    report(.invalidDefinition, at: node.table.span, message)
    return false
  }

  /// Makes the checks that SQLite makes when a trigger is created. The names in its body are
  /// resolved when the trigger fires.
  private mutating func checkTriggerText(_ node: CreateTrigger) {
    let span = ByteSpan(node.table.span.end, node.span.end)
    if let parameter = firstParameterSpan(in: span) {
      report(.prohibitedHere, at: parameter, "trigger cannot use variables")
    }
    for case .insert(let insert) in node.body {
      for term in insert.upserts.flatMap(\.target) where term.nulls != nil {
        report(.prohibitedHere, at: term.span, "unsupported use of NULLS")
      }
    }
  }

  /// Reports a definition that refers to a schema other than its own.
  private mutating func checkDatabaseReferences(
    _ tables: TableNameCollector, _ database: NameKey, _ what: String
  ) {
    guard database != "temp" else { return }
    for name in tables.names {
      guard let schema = name.schema, NameKey(schema.text) != database else { continue }
      report(
        .prohibitedHere, at: name.span,
        "\(what) cannot reference objects in database `\(schema.text)`")
    }
  }
}
