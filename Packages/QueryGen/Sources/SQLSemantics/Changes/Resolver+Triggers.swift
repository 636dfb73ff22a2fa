internal import QueryModel
internal import SQLSyntax

/// Triggers, whose bodies SQLite resolves when a statement that fires them is prepared.
extension Resolver {
  /// Checks the triggers that a change of `table` fires. An error in one is an error of the
  /// statement.
  mutating func checkTriggers(
    of table: Table, for change: Change, columns: [Identifier], at span: ByteSpan
  ) {
    let changed = Set(columns.map { NameKey($0.text) })
    for trigger in catalog.triggers(of: table) {
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

  /// Resolves the body of a trigger once.
  mutating func check(_ trigger: Trigger, of table: Table, at span: ByteSpan) {
    let key = NameKey("\(trigger.database).\(trigger.name)")
    guard openTriggers.insert(key).inserted else { return }
    var inner = forStored(trigger.definition.source)
    inner.references = references
    inner.resolveBody(trigger.definition.node, of: table, home: trigger.database)
    references = inner.references
    openTriggers.formUnion(inner.openTriggers)
    memory.selectCount = inner.memory.selectCount
    if let first = inner.diagnostics.first {
      report(.brokenObject, at: span, "trigger `\(trigger.name)` fails: \(first.message)")
    }
  }

  /// Resolves the condition and the statements of a trigger.
  mutating func resolveBody(_ node: CreateTrigger, of table: Table, home: NameKey) {
    isInTrigger = true
    parameterRefusal = "trigger cannot use variables"
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
