internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// Views, each of which is resolved once for a statement.
extension Resolver {
  /// Returns the resolved select of a view, or `nil` if an error was reported.
  ///
  /// - Parameter isOrdered: Indicates whether the views that the view uses are already resolved,
  ///   except for those in progress.
  mutating func resolveView(
    _ table: Table, _ definition: StoredStatement<CreateView>, at span: ByteSpan,
    isOrdered: Bool = false
  ) -> ResolvedSelect? {
    let key = AccessLog.TableKey(database: table.database, name: table.name)
    guard !viewsInProgress.contains(key) else {
      report(.circularReference, at: span, "view `\(table.name)` is circularly defined")
      return nil
    }
    if let known = cache.views[key] { return known }
    if let error = cache.viewErrors[key] {
      report(error.identity, at: span, error.message)
      return nil
    }
    StepCounter.step()
    if depth >= Self.ordinaryDepth {
      guard resolvesDeepViews else {
        report(.nestingTooDeep, at: span, "view `\(table.name)` is nested too deeply")
        return nil
      }
      if !isOrdered { resolveViews(usedBy: table) }
    }
    var rows = ResolvedSelect.unknown
    let inner = withResolver(for: definition.source) { inner in
      inner.viewsInProgress.append(key)
      inner.homeDatabase = table.database
      rows = inner.resolveSelect(definition.node.select, parent: nil, commonTables: nil)
    }
    access.merge(inner.access)
    if let first = inner.diagnostics.first(where: { $0.severity == .error }) {
      reportBroken("view `\(table.name)` cannot be used", first, at: span)
      cache.viewErrors[key] = diagnostics.last
      return nil
    }
    let names = definition.node.columns
    if checksViewColumnCount, !names.isEmpty, names.count != rows.columns.count {
      report(
        .columnCount, at: span,
        "expected \(names.count) columns for '\(table.name)' but got \(rows.columns.count)")
      return nil
    }
    guard !rows.isUnknown else { return nil }
    cache.views[key] = rows
    return rows
  }

  /// Resolves the views that a view uses, each after the views that it uses itself.
  private mutating func resolveViews(usedBy table: Table) {
    var seen: Set<AccessLog.TableKey> = []
    var path: [(table: Table, unvisited: [Table])] = [(table, viewsUsed(by: table))]
    while let last = path.last {
      guard let next = path[path.count - 1].unvisited.popLast() else {
        path.removeLast()
        guard !path.isEmpty, case .view(let definition) = last.table.kind else { continue }
        let known = diagnostics.count
        _ = resolveView(last.table, definition, at: ByteSpan(0..<0), isOrdered: true)
        // An error is reported where the view is used.
        diagnostics.removeSubrange(known...)
        continue
      }
      let key = AccessLog.TableKey(database: next.database, name: next.name)
      guard seen.insert(key).inserted, !viewsInProgress.contains(key),
        cache.views[key] == nil, cache.viewErrors[key] == nil
      else { continue }
      path.append((next, viewsUsed(by: next)))
    }
  }

  /// Returns the views whose names occur in a view's definition.
  private func viewsUsed(by table: Table) -> [Table] {
    guard case .view(let definition) = table.kind else { return [] }
    return TableNameCollector(definition.node.select).names.compactMap { name in
      let database = name.schema.map { NameKey($0.text) }
      let found = catalog.storedTable(NameKey(name.name.text), in: database)
      return found?.isView == true ? found : nil
    }
  }
}
