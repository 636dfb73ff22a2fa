internal import QueryModel
internal import SQLSyntax

/// The renaming of a table or column.
struct SchemaRename {
  let table: Table
  /// The column; `nil` if the table itself is renamed.
  let column: NameKey?
  let newName: String
}

/// A rewriter that updates the references to a renamed table or column in a schema's statements.
///
/// Like SQLite, it finds the references by resolving each statement, changes the statement's text
/// at their spans, and parses the result as the new statement.
struct SchemaRewriter {
  let catalog: Catalog
  let rename: SchemaRename
  private(set) var databases: [Catalog.Database]
  private(set) var errors: [String] = []

  init(catalog: Catalog, rename: SchemaRename) {
    self.catalog = catalog
    self.rename = rename
    databases = catalog.databases
  }

  private var tableKey: NameKey { NameKey(rename.table.name) }

  mutating func run() {
    for index in databases.indices {
      let database = catalog.databases[index]
      // Only `temp` can refer to objects in another schema.
      guard database.name == rename.table.database || database.name == "temp" else { continue }
      var tables: [NameKey: Table] = [:]
      for (key, table) in database.tables {
        let changed = rewrite(table)
        tables[isTarget(table) && rename.column == nil ? NameKey(rename.newName) : key] = changed
      }
      databases[index].tables = tables
      for (key, item) in database.indexes
      where item.table == tableKey
        && database.name == rename.table.database
      {
        databases[index].indexes[key] = rewrite(item)
      }
      for (key, trigger) in database.triggers {
        databases[index].triggers[key] = rewrite(trigger)
      }
    }
  }

  private func isTarget(_ table: Table) -> Bool {
    NameKey(table.name) == tableKey && table.database == rename.table.database
  }

  private mutating func rewrite(_ table: Table) -> Table {
    var table = table
    switch table.kind {
    case .table(let stored):
      let isTarget = isTarget(table)
      guard let text = table.definitionText(catalog.parserOptions) else { return table }
      let edits = edits(in: text, of: table, stored, isTarget: isTarget)
      guard !edits.isEmpty else {
        if isTarget, rename.column == nil { table.name = rename.newName }
        return table
      }
      let bytes = apply(edits, to: text.bytes)
      if let rebuilt = table.rebuilt(catalog, from: bytes) { table = rebuilt }
      if isTarget, rename.column == nil { table.name = rename.newName }
      return table
    case .view(let stored):
      var resolver = Resolver(catalog: catalog, source: stored.source)
      resolver.references = ReferenceLog()
      resolver.homeDatabase = table.database
      _ = resolver.resolveSelect(stored.node.select, parent: nil, commonTables: nil)
      if let first = resolver.diagnostics.first {
        errors.append("error in view `\(table.name)`: \(first.message)")
        return table
      }
      if let changed = rewrite(stored.node.span, stored.source, resolver.references),
        case .createView(let node) = changed.statement
      {
        table.kind = .view(StoredStatement(node: node, source: changed.source))
      }
      return table
    case .virtual, .system, .shadow, .function:
      if isTarget(table), rename.column == nil { table.name = rename.newName }
      return table
    }
  }

  /// Returns the spans at which a table's definition refers to the renamed object.
  private func edits(
    in text: CreateTableText, of table: Table, _ stored: StoredStatement<CreateTable>,
    isTarget: Bool
  ) -> [ByteSpan] {
    let source = SourceText(bytes: text.bytes)
    var edits: [ByteSpan] = []
    var resolver = Resolver(catalog: catalog, source: source)
    resolver.references = ReferenceLog()
    var builder = TableBuilder(
      Table(name: table.name, database: table.database, kind: .table(stored), columns: []))
    builder.build(text.definition, &resolver)
    edits += spans(resolver.references, in: source)
    if isTarget, let column = rename.column {
      edits += text.definition.columns.filter { NameKey($0.name.text) == column }
        .map(\.name.span)
    }
    if isTarget, rename.column == nil { edits.append(text.nameSpan) }
    for (columns, reference) in text.definition.foreignKeys {
      let isParent =
        NameKey(reference.table.text) == tableKey
        && table.database == rename.table.database
      if let column = rename.column {
        if isTarget { edits += columns.filter { NameKey($0.text) == column }.map(\.span) }
        if isParent {
          edits += reference.columns.filter { NameKey($0.text) == column }.map(\.span)
        }
      } else if isParent {
        edits.append(reference.table.span)
      }
    }
    return edits
  }

  private mutating func rewrite(_ index: Index) -> Index {
    var index = index
    guard let stored = index.definition else { return index }
    var resolver = Resolver(catalog: catalog, source: stored.source)
    resolver.references = ReferenceLog()
    resolver.resolveIndex(stored.node, of: rename.table)
    if rename.column == nil {
      resolver.references?.record(rename.table, span: stored.node.table.span)
      index.table = NameKey(rename.newName)
    }
    if let changed = rewrite(stored.node.span, stored.source, resolver.references),
      case .createIndex(let node) = changed.statement
    {
      index.definition = StoredStatement(node: node, source: changed.source)
    }
    return index
  }

  private mutating func rewrite(_ trigger: Trigger) -> Trigger {
    var trigger = trigger
    let stored = trigger.definition
    guard let table = catalog.storedTable(trigger.table, in: trigger.database) else {
      return trigger
    }
    var resolver = Resolver(catalog: catalog, source: stored.source)
    resolver.references = ReferenceLog()
    // Triggers fired by the statements are rewritten separately.
    resolver.visitedTriggers = Set(
      catalog.databases.flatMap { database in
        database.triggers.values.map { NameKey("\($0.home).\($0.name)") }
      })
    resolver.resolveBody(stored.node, of: table, home: trigger.home)
    if let first = resolver.diagnostics.first(where: { $0.severity == .error }) {
      errors.append("error in trigger `\(trigger.name)`: \(first.message)")
      return trigger
    }
    if isTarget(table) {
      resolver.references?.record(table, span: stored.node.table.name.span)
      if case .update(let columns) = stored.node.event, rename.column != nil {
        for column in columns where NameKey(column.text) == rename.column {
          resolver.references?.record(
            ColumnOrigin(
              database: table.database, table: table.name, column: column.text),
            column: column.span, table: nil)
        }
      }
      if rename.column == nil { trigger.table = NameKey(rename.newName) }
    }
    if let changed = rewrite(stored.node.span, stored.source, resolver.references),
      case .createTrigger(let node) = changed.statement
    {
      trigger.definition = StoredStatement(node: node, source: changed.source)
    }
    return trigger
  }

  /// Returns the logged spans that spell the renamed object's name.
  private func spans(_ log: ReferenceLog?, in source: SourceText) -> [ByteSpan] {
    (log?.entries ?? []).filter { entry in
      guard entry.database == rename.table.database, entry.table == tableKey,
        entry.column == rename.column
      else { return false }
      // A reference may also be a table's alias or a star, which are not rewritten.
      let text = NameKey(source[entry.span].unquotedName)
      return text == (rename.column ?? tableKey)
    }.map(\.span)
  }

  private func rewrite(
    _ span: ByteSpan, _ source: SourceText, _ log: ReferenceLog?
  ) -> (statement: Statement, source: SourceText)? {
    let edits = spans(log, in: source)
    guard !edits.isEmpty else { return nil }
    let range = span.range.clamped(to: 0..<source.byteCount)
    let moved = edits.map { edit in
      ByteSpan(
        edit.range.lowerBound - range.lowerBound..<edit.range.upperBound - range.lowerBound)
    }
    let text = SourceText(bytes: apply(moved, to: Array(source.bytes[range])))
    var diagnostics = DiagnosticList()
    guard
      let statement = Parser.parseStatement(
        text, options: catalog.parserOptions, diagnostics: &diagnostics)
    else { return nil }
    return (statement, text)
  }

  private func apply(_ edits: [ByteSpan], to bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let name = Array(rename.newName.quotedName.utf8)
    for edit in Set(edits.map(\.range)).sorted(by: { $0.lowerBound > $1.lowerBound }) {
      result.replaceSubrange(edit.clamped(to: 0..<result.count), with: name)
    }
    return result
  }
}

extension SQLSyntax.TableDefinition {
  /// All foreign keys, each with its child columns.
  fileprivate var foreignKeys: [(columns: [Identifier], reference: ForeignKeyReference)] {
    var result: [(columns: [Identifier], reference: ForeignKeyReference)] = []
    for column in columns {
      for constraint in column.constraints {
        if case .references(let reference) = constraint.kind { result.append(([], reference)) }
      }
    }
    for constraint in constraints {
      if case .foreignKey(let columns, let reference) = constraint.kind {
        result.append((columns, reference))
      }
    }
    return result
  }
}

extension String {
  /// The name without its quotes, if any.
  fileprivate var unquotedName: String {
    guard let first, "\"`['".contains(first), utf8.count >= 2 else { return self }
    let inner = dropFirst().dropLast()
    guard first != "[" else { return String(inner) }
    let doubled = "\(first)\(first)"
    return inner.split(separator: doubled, omittingEmptySubsequences: false)
      .joined(separator: String(first))
  }
}
