internal import QueryModel
internal import SQLSyntax

/// The resolution steps that inserts, updates and deletes share.
extension Resolver {
  /// An operation on a table's rows.
  enum RowOperation: Hashable {
    case insert
    case update
    case delete

    func matches(_ event: CreateTrigger.Event) -> Bool {
      switch (self, event) {
      case (.insert, .insert), (.update, .update), (.delete, .delete): true
      default: false
      }
    }
  }

  /// Returns a statement's target table, or reports an error and returns `nil` if it can't be
  /// modified.
  mutating func findTarget(_ reference: TableReference, for change: RowOperation) -> Table? {
    guard let table = findTable(reference.name) else { return nil }
    if case .indexedBy(let name) = reference.indexing { checkTargetIndex(name, of: table) }
    if table.isView {
      let hasTrigger = triggers(of: table).contains {
        $0.definition.node.timing == .insteadOf && change.matches($0.definition.node.event)
      }
      guard hasTrigger else {
        report(
          .notWritable, at: reference.name.span,
          "cannot modify `\(table.name)` because it is a view")
        return nil
      }
    } else if !table.isWritable {
      report(
        .notWritable, at: reference.name.span, "table `\(table.name)` may not be modified")
      return nil
    }
    if change != .delete { checkGeneratedColumnLoops(of: table, at: reference.name.span) }
    access.write(table)
    return table
  }

  private mutating func checkTargetIndex(_ name: Identifier, of table: Table) {
    let index = catalog[database: table.database]?.indexes[NameKey(name.text)]
    if index?.table != NameKey(table.name),
      !isAutomaticIndex(NameKey(name.text), in: table.database)
    {
      report(.unknownObject, at: name.span, "no such index: `\(name.text)`")
    }
  }

  /// Creates the source through which the statement's expressions refer to the target table.
  mutating func makeTarget(_ table: Table, alias: Identifier?, at span: ByteSpan) -> Source {
    let source = makeSource(table, alias: alias?.text, at: span, isRead: false)
    trace?.source(source.id, table, alias: alias)
    return source
  }

  /// Resolves `RETURNING`, in which the table is known only by its own name.
  ///
  /// - Parameter written: The values that the statement writes, by column.
  mutating func resolveReturning(
    _ columns: [ResultColumn], of table: Table, by change: RowOperation, span: ByteSpan,
    commonTables: CommonTables?, written: [NameKey: SelectColumn] = [:]
  ) -> ResolvedDML {
    guard let first = columns.first else { return ResolvedDML() }
    if table.isVirtual, change != .insert {
      report(.prohibitedHere, at: first.span, "RETURNING is not available on virtual tables")
      return ResolvedDML()
    }
    var target = makeSource(table, alias: nil, at: span, isRead: false)
    // `RETURNING` yields the written values, before the module converts them for storage.
    if table.isVirtual {
      for index in target.columns.indices {
        target.columns[index].isNullable = true
        if !table.isFullText { target.columns[index].type = .any }
      }
    }
    // For a view, it yields the statement's own values, not those that an `INSTEAD OF` trigger
    // writes, and `NULL` for the other columns.
    if table.isView, change != .delete {
      for (index, column) in target.columns.enumerated() {
        if let value = written[column.key] {
          target.columns[index].store(value)
        } else {
          target.columns[index].isNullable = true
        }
      }
    }
    let scope = Scope(
      id: makeScopeID(), parent: nil, sources: [target], commonTables: commonTables)
    for column in columns {
      if case .tableStar(let name) = column.kind {
        report(
          .prohibitedHere, at: name.span, "RETURNING may not use \"TABLE.*\" wildcards")
      }
    }
    trace?.declareAliases(columns, in: scope)
    if let last = columns.last { trace?.scope(first.span.union(last.span), scope) }
    let items = resolveColumns(
      columns.filter { if case .tableStar = $0.kind { false } else { true } }, in: scope)
    let nullability = Nullability()
    var result = ResolvedDML(
      columns: items.map { SelectColumn($0, nullability: nullability, source: source) })
    if case .table = table.kind, items.count > 1 || columns.contains(where: \.isStar) {
      result.wholeTable = Self.wholeTable(of: result.columns, among: [target])
    }
    return result
  }

  /// Resolves `SET` against the columns of a table, and returns the assigned values by column.
  mutating func resolveAssignments(
    _ assignments: [Assignment], of table: Table, columns: [SourceColumn], in scope: Scope
  ) -> [NameKey: SelectColumn] {
    var written: [NameKey: SelectColumn] = [:]
    func record(_ value: TypedExpression, _ column: SourceColumn?) {
      guard let column else { return }
      written[column.key] = SelectColumn(
        value, name: column.name, nullability: Nullability())
    }
    for assignment in assignments {
      let value = resolve(assignment.value, in: scope)
      let names = assignment.columns
      let targets = names.map { target($0, of: table, columns: columns) }
      guard case .columns = assignment.target else {
        if checkScalar(value), let target = targets.first {
          store(value, in: target)
          record(value, target)
        }
        continue
      }
      if value.width != names.count, !value.isUnknown {
        report(
          .valueCount, at: assignment.span,
          "\(names.count) columns assigned \(value.width) values")
      } else if case .row(let parts) = value.kind {
        for (part, target) in zip(parts, targets) {
          store(part, in: target)
          record(part, target)
        }
      } else {
        if let target = targets.first { store(value, in: target) }
        // The columns of a subquery.
        for target in targets { record(.unknown(value.span), target) }
      }
    }
    return written
  }

  /// Returns the column that `SET` names, or reports an error.
  private mutating func target(
    _ name: Identifier, of table: Table, columns: [SourceColumn]
  ) -> SourceColumn? {
    let key = NameKey(name.text)
    if let index = columns.firstIndex(where: { $0.key == key }) {
      if index < table.columns.count, table.columns[index].isGenerated {
        report(
          .generatedColumn, at: name.span, "cannot UPDATE generated column `\(name.text)`")
      }
      if let origin = columns[index].origin {
        references?.record(origin, column: name.span, table: nil)
      }
      return columns[index]
    }
    if key.isRowID, table.hasRowID, !table.isView {
      return table.rowIDAlias.map { columns[$0] }
        ?? SourceColumn(
          name: "rowid", key: "rowid", type: .integer, affinity: .integer, isNullable: false,
          collation: "BINARY")
    }
    reportUnknown(
      .unknownColumn, "column", name.text, at: name.span, candidates: columns.map(\.name))
    return nil
  }
}

extension SourceColumn {
  /// Stores a value without a conversion.
  fileprivate mutating func store(_ value: SelectColumn) {
    isNullable = value.isNullable
    exponentBound = value.exponentBound
    // A parameter has the column's type.
    guard value.provenance != .empty, let declared = type, let written = value.type else { return }
    type = declared.union(written)
  }
}

/// The resolution of triggers. SQLite resolves their bodies when it prepares a statement that fires
/// them.
extension Resolver {
  /// Checks the triggers that an operation on `table` fires. An error in a trigger is an error of
  /// the statement.
  mutating func checkTriggers(
    of table: Table, for change: RowOperation, columns: [Identifier], at span: ByteSpan
  ) {
    guard checksTriggers else { return }
    let changed = Set(columns.map { NameKey($0.text) })
    for trigger in triggers(of: table) {
      let node = trigger.definition.node
      guard change.matches(node.event) else { continue }
      if case .update(let watched) = node.event, !watched.isEmpty, !changed.isEmpty,
        !watched.contains(where: { changed.contains(NameKey($0.text)) })
      {
        continue
      }
      check(trigger, of: table, at: span)
    }
  }

  /// Returns a table's triggers, sorted by name.
  private mutating func triggers(of table: Table) -> [Trigger] {
    let key = AccessLog.TableKey(database: table.database, name: table.name)
    if let known = cache.triggers[key] { return known }
    let triggers = catalog.triggers(of: table)
    cache.triggers[key] = triggers
    return triggers
  }

  /// Returns whether a trigger or constraint may skip an inserted row.
  mutating func mayDropRows(_ table: Table) -> Bool {
    table.ignoresConflicts || table.isView || (checksTriggers && !triggers(of: table).isEmpty)
  }

  /// Resolves the body of a trigger unless it was already visited.
  mutating func check(_ trigger: Trigger, of table: Table, at span: ByteSpan) {
    let key = NameKey("\(trigger.home).\(trigger.name)")
    guard visitedTriggers.insert(key).inserted else { return }
    guard !isInTrigger || depth < Self.ordinaryDepth else {
      deferredTriggers.append((trigger, table))
      return
    }
    resolveBody(of: trigger, of: table, at: span)
    guard !isInTrigger else { return }
    while let next = deferredTriggers.popLast() {
      resolveBody(of: next.trigger, of: next.table, at: span)
    }
  }

  private mutating func resolveBody(of trigger: Trigger, of table: Table, at span: ByteSpan) {
    let known = references
    let inner = withResolver(for: trigger.definition.source) { inner in
      inner.depth += 2
      inner.references = known
      inner.resolveBody(trigger.definition.node, of: table, home: trigger.home)
    }
    references = inner.references
    visitedTriggers = inner.visitedTriggers
    deferredTriggers += inner.deferredTriggers
    // The trigger's warnings were reported when it was created.
    if let first = inner.diagnostics.first(where: { $0.severity == .error }) {
      reportBroken("trigger `\(trigger.name)` fails", first, at: span)
    }
  }

  /// Resolves the condition and the statements of a trigger.
  mutating func resolveBody(_ node: CreateTrigger, of table: Table, home: NameKey) {
    isInTrigger = true
    parameterErrorMessage = "trigger cannot use variables"
    if home != "temp" { homeDatabase = home }
    var rows: [Source] = []
    let target = makeSource(table, alias: nil, at: node.table.span, isRead: false)
    func row(_ name: String, _ resolver: inout Resolver) -> Source {
      var source = target
      source = Source(
        id: resolver.makeSourceID(), name: NameKey(name), label: name, columns: target.columns)
      source.hasRowID = target.hasRowID
      source.rowIDAlias = target.rowIDAlias
      source.isUnknown = target.isUnknown
      source.isSingleRow = true
      source.isTriggerRow = true
      return source
    }
    switch node.event {
    case .insert: rows = [row("new", &self)]
    case .delete: rows = [row("old", &self)]
    case .update: rows = [row("old", &self), row("new", &self)]
    }
    let root = Scope(id: makeScopeID(), parent: nil, pseudoSources: rows)
    trace?.scope(node.span, root)
    if let condition = node.when { _ = resolveScalar(condition, in: root) }
    for statement in node.body {
      switch statement {
      case .select(let select): _ = resolveSelect(select, parent: root, commonTables: nil)
      case .insert(let insert): _ = resolve(insert, root: root)
      case .update(let update): _ = resolve(update, root: root)
      case .delete(let delete): _ = resolve(delete, root: root)
      default: break
      }
    }
  }
}
