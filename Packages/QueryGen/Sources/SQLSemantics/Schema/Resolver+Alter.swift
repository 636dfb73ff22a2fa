internal import QueryModel
internal import SQLSyntax

/// `ALTER TABLE`, with SQLite's checks.
extension Resolver {
  mutating func define(_ node: AlterTable) -> [SchemaChange] {
    guard let table = findTable(node.table) else { return [] }
    if case .system = table.kind {
      report(.notAlterable, at: node.table.span, "table `\(table.name)` may not be altered")
      return []
    }
    if case .function = table.kind {
      report(.notAlterable, at: node.table.span, "table `\(table.name)` may not be altered")
      return []
    }
    switch node.action {
    case .rename(let name): return rename(table, to: name, node)
    case .renameColumn(let old, let new): return renameColumn(old, to: new, of: table, node)
    case .addColumn(let column): return add(column, to: table, node)
    case .dropColumn(let name): return dropColumn(name, of: table, node)
    case .addConstraint, .dropConstraint, .setNotNull, .dropNotNull:
      return changeConstraints(of: table, node)
    }
  }

  private mutating func rename(
    _ table: Table, to name: Identifier, _ node: AlterTable
  ) -> [SchemaChange] {
    if table.isView {
      report(.notAlterable, at: node.table.span, "view `\(table.name)` may not be altered")
      return []
    }
    let key = NameKey(name.text)
    let home = catalog[database: table.database]
    if home?.tables[key] != nil || home?.indexes[key] != nil {
      report(
        .alreadyExists, at: name.span,
        "there is already another table or index with this name: `\(name.text)`")
      return []
    }
    if key.folded.hasPrefix("sqlite_") {
      report(
        .reservedName, at: name.span, "object name reserved for internal use: `\(name.text)`")
      return []
    }
    return renaming(
      SchemaRename(table: table, column: nil, newName: name.text), at: node.span)
  }

  private mutating func renameColumn(
    _ old: Identifier, to new: Identifier, of table: Table, _ node: AlterTable
  ) -> [SchemaChange] {
    guard case .table = table.kind else {
      report(
        .notAlterable, at: node.table.span,
        "cannot rename columns of \(table.isView ? "view" : "virtual table") "
          + "\"\(table.name)\"")
      return []
    }
    guard let index = table.index(of: NameKey(old.text)) else {
      reportUnknown(
        .unknownColumn, "column", old.text, at: old.span, candidates: table.columns.map(\.name))
      return []
    }
    if let other = table.index(of: NameKey(new.text)), other != index {
      if catalog.reportsRuntimeErrors {
        report(.duplicateColumn, at: new.span, "duplicate column name: `\(new.text)`")
      }
      return []
    }
    return renaming(
      SchemaRename(table: table, column: table.columns[index].key, newName: new.text),
      at: node.span)
  }

  private mutating func renaming(_ rename: SchemaRename, at span: ByteSpan) -> [SchemaChange] {
    // Errors that a rename causes are only found when it runs.
    guard catalog.reportsRuntimeErrors else { return [] }
    var rewriter = SchemaRewriter(catalog: catalog, rename: rename)
    rewriter.run()
    if catalog.isLegacyAlterTable { return [.replaceDatabases(rewriter.databases)] }
    for message in rewriter.errors { report(.brokenObject, at: span, message) }
    guard rewriter.errors.isEmpty else { return [] }
    let home = rename.table.database
    let change = SchemaChange.replaceDatabases(rewriter.databases)
    var after = catalog
    after.perform(change)
    let broken = after.brokenObjects(in: home)
    for object in broken {
      report(
        .brokenObject, at: span,
        "error in \(object.kind) `\(object.name)` after rename: \(object.message)")
    }
    return broken.isEmpty ? [change] : []
  }

  private mutating func add(
    _ column: SQLSyntax.ColumnDefinition, to table: Table, _ node: AlterTable
  ) -> [SchemaChange] {
    switch table.kind {
    case .table: break
    case .shadow: return []
    default:
      report(
        .notAlterable, at: node.table.span,
        table.isView
          ? "Cannot add a column to a view" : "virtual tables may not be altered")
      return []
    }
    let key = NameKey(column.name.text)
    if table.index(of: key) != nil {
      report(
        .duplicateColumn, at: column.name.span,
        "duplicate column name: `\(column.name.text)`")
      return []
    }
    for constraint in column.constraints {
      switch constraint.kind {
      case .primaryKey:
        report(.notAlterable, at: constraint.span, "Cannot add a PRIMARY KEY column")
        return []
      case .unique:
        report(.notAlterable, at: constraint.span, "Cannot add a UNIQUE column")
        return []
      default: break
      }
    }
    guard table.columns.count < TableBuilder.maximumColumnCount else {
      report(.invalidDefinition, at: column.name.span, "too many columns on `\(table.name)`")
      return []
    }
    var changed = table.adding(column, source[column.span], catalog, source)
    if changed == nil {
      // The text with the added column is invalid; keep the existing columns.
      changed = table
      changed?.columns.append(Column(column))
    }
    guard var changed else { return [] }
    // A comment on the statement's last line also belongs to the column.
    applyColumnComments(
      on: &changed, [column.span],
      in: ByteSpan(column.span.start, source.lineEnd(after: node.span.end)))
    warnOfDefault(of: column, SourceColumn(changed, changed.columns.count - 1))
    // Errors in the column's own expressions are reported at their positions.
    checkAdded(column, to: changed)
    if catalog.reportsRuntimeErrors { warnIfFailsWithRows(column) }
    return [.replaceTable(changed)]
  }

  /// Warns about column definitions that SQLite rejects if the table contains rows.
  private mutating func warnIfFailsWithRows(_ column: SQLSyntax.ColumnDefinition) {
    var isNotNull = false
    var isGenerated = false
    var defaultValue: DefaultValue?
    for constraint in column.constraints {
      switch constraint.kind {
      case .notNull: isNotNull = true
      case .default(let value): defaultValue = value
      case .generated(_, let storage):
        isGenerated = true
        if storage == .stored {
          warn(
            .failsWithRows, at: constraint.span,
            "a STORED column cannot be added to a table that has rows")
        }
      default: break
      }
    }
    if isNotNull, !isGenerated, defaultValue?.isNull ?? true {
      warn(
        .failsWithRows, at: column.name.span,
        "a NOT NULL column without a default cannot be added to a table that has rows")
    }
    if let defaultValue, defaultValue.isComputed {
      warn(
        .failsWithRows, at: column.name.span,
        "a column whose default is computed cannot be added to a table that has rows")
    }
  }

  private mutating func checkAdded(
    _ column: SQLSyntax.ColumnDefinition, to table: Table
  ) {
    checkGenerated(column)
    for constraint in column.constraints {
      switch constraint.kind {
      case .collate(let name): checkCollation(name)
      case .check(let expression) where catalog.reportsRuntimeErrors:
        _ = resolveScalar(
          expression, in: definitionScope(of: table, .check))
      case .generated(let expression, _) where catalog.reportsRuntimeErrors:
        _ = resolveScalar(
          expression, in: definitionScope(of: table, .generatedColumn))
      case .default(.expression(let expression)) where !expression.isConstantDefault:
        report(
          .nonConstantDefault, at: expression.span,
          "default value of column [\(column.name.text)] is not constant")
      case .references(let reference) where reference.columns.count > 1:
        report(
          .foreignKey, at: reference.span,
          "foreign key on \(column.name.text) should reference only one column of table "
            + "`\(reference.table.text)`")
      default: break
      }
    }
  }

  private mutating func dropColumn(
    _ name: Identifier, of table: Table, _ node: AlterTable
  ) -> [SchemaChange] {
    guard case .table = table.kind else {
      report(
        .notAlterable, at: node.table.span,
        "cannot drop column from \(table.isView ? "view" : "virtual table") \"\(table.name)\"")
      return []
    }
    guard let index = table.index(of: NameKey(name.text)) else {
      reportUnknown(
        .unknownColumn, "column", name.text, at: name.span,
        candidates: table.columns.map(\.name))
      return []
    }
    if table.primaryKey.contains(index) {
      report(.notAlterable, at: name.span, "cannot drop PRIMARY KEY column: \"\(name.text)\"")
      return []
    }
    let isUnique = table.keys.contains { key in
      key.index == nil && key.parts.count == 1 && key.parts.first?.column == index
    }
    if isUnique {
      report(.notAlterable, at: name.span, "cannot drop UNIQUE column: \"\(name.text)\"")
      return []
    }
    if table.columns.count == 1 {
      report(
        .notAlterable, at: name.span,
        "cannot drop column \"\(name.text)\": no other columns exist")
      return []
    }
    guard catalog.reportsRuntimeErrors else { return [] }
    guard let changed = table.rebuilt(catalog, { $0.removingColumn(index) }) else {
      report(
        .notAlterable, at: name.span,
        "error in table `\(table.name)` after drop column: `\(name.text)` is used")
      return []
    }
    var after = catalog
    after.perform(.replaceTable(changed))
    let before = Set(catalog.brokenObjects(in: table.database))
    let broken = after.brokenObjects(in: table.database).filter { !before.contains($0) }
    for object in broken {
      report(
        .brokenObject, at: name.span,
        "error in \(object.kind) `\(object.name)` after drop column: \(object.message)")
    }
    return broken.isEmpty ? [.replaceTable(changed)] : []
  }
}

extension Catalog {
  /// Returns the indexes, views and triggers of a schema and of `temp` that cannot be resolved.
  func brokenObjects(in home: NameKey) -> [BrokenObject] {
    let checked = databases.filter { $0.name == home || $0.name == "temp" }
    var broken = brokenViewsAndTriggers(in: Set(checked.map(\.name)))
    for database in checked {
      for index in database.indexes.values {
        guard let definition = index.definition, let table = database.tables[index.table] else {
          continue
        }
        var resolver = Resolver(catalog: self, source: definition.source)
        resolver.resolveIndex(definition.node, of: table)
        if let first = resolver.diagnostics.first {
          broken.append(
            BrokenObject(name: index.name, kind: "index", message: first.message))
        }
      }
    }
    return broken
  }
}
