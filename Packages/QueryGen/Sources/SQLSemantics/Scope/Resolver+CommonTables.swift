internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// `WITH` clauses. As in SQLite, a common table is only resolved when it is used.
extension Resolver {
  mutating func makeCommonTables(
    _ with: WithClause?, parent: Scope?, outer: CommonTables?
  ) -> CommonTables? {
    guard let with else { return outer }
    trace?.declare(with)
    var tables: [NameKey: CommonTable] = [:]
    for table in with.tables {
      let name = NameKey(table.name.text)
      guard tables[name] != nil else {
        tables[name] = table
        continue
      }
      report(
        .alreadyExists, at: table.name.span, "duplicate WITH table name: `\(table.name.text)`")
    }
    return CommonTables(id: makeScopeID(), tables: tables, parent: outer, scope: parent)
  }

  /// Returns the resolved select of a common table, or `nil` if an error was reported.
  ///
  /// - Parameter isOrdered: Indicates whether the common tables that the table uses are already
  ///   resolved, except for those in progress.
  mutating func resolveCommonTable(
    _ table: CommonTable, home: CommonTables, at span: ByteSpan, isOrdered: Bool = false
  ) -> ResolvedSelect? {
    let name = NameKey(table.name.text)
    let state = home.pending[name]
    let home = home.withoutRecursion
    switch state {
    case .prohibited(let message):
      report(.circularReference, at: span, message)
      return nil
    case .rows(let columns):
      return ResolvedSelect(
        columns: columns.map { column in
          SelectColumn(
            name: column.name, innerName: column.name, storedName: column.name,
            type: column.type, affinity: column.affinity, isNullable: column.isNullable,
            collation: column.collation, exponentBound: column.exponentBound,
            provenance: column.provenance, hasFraction: column.hasFraction)
        })
    case nil: break
    }
    let key = CommonTableKey(table, home)
    if let known = cache.commonTables[key] { return known }
    if let error = cache.commonTableErrors[key] {
      diagnostics.append(error)
      return nil
    }
    if depth >= Self.ordinaryDepth, !isOrdered {
      resolveCommonTables(usedBy: table, home: home, at: span)
    }
    let known = diagnostics.count
    let result = resolve(table, home: home)
    if let result {
      cache.commonTables[key] = result
    } else if known < diagnostics.count {
      cache.commonTableErrors[key] = diagnostics[known]
    }
    return result
  }

  private mutating func resolve(_ table: CommonTable, home: CommonTables) -> ResolvedSelect? {
    StepCounter.step()
    var result =
      isRecursive(table)
      ? resolveRecursive(table, home: home)
      : resolveSelect(
        table.select, parent: home.scope,
        commonTables: home.with(
          NameKey(table.name.text), .prohibited("circular reference: `\(table.name.text)`")))
    guard !result.isUnknown else { return nil }
    guard checkColumns(of: table, result) else { return nil }
    if !table.columns.isEmpty {
      for (index, column) in table.columns.enumerated() where index < result.columns.count {
        result.columns[index].innerName = column.text
      }
    }
    return result
  }

  /// Resolves the common tables that a common table uses, each after those that it uses itself.
  private mutating func resolveCommonTables(
    usedBy table: CommonTable, home: CommonTables, at span: ByteSpan
  ) {
    typealias Use = (table: CommonTable, home: CommonTables)
    func uses(of use: Use) -> [Use] {
      TableNameCollector(use.table.select).names.compactMap { name in
        name.schema == nil ? use.home.find(NameKey(name.name.text)) : nil
      }
    }
    var seen: Set<CommonTableKey> = []
    var path: [(use: Use, unvisited: [Use])] = [((table, home), uses(of: (table, home)))]
    while let last = path.last {
      guard let next = path[path.count - 1].unvisited.popLast() else {
        path.removeLast()
        guard !path.isEmpty else { continue }
        let known = diagnostics.count
        _ = resolveCommonTable(last.use.table, home: last.use.home, at: span, isOrdered: true)
        guard known < diagnostics.count else { continue }
        // The error is reported where the common table is used.
        let key = CommonTableKey(last.use.table, last.use.home)
        cache.commonTables[key] = nil
        cache.commonTableErrors[key] = diagnostics[known]
        diagnostics.removeSubrange(known...)
        continue
      }
      let name = NameKey(next.table.name.text)
      let key = CommonTableKey(next.table, next.home)
      guard seen.insert(key).inserted, next.home.pending[name] == nil,
        cache.commonTables[key] == nil, cache.commonTableErrors[key] == nil
      else { continue }
      path.append((next, uses(of: next)))
    }
  }

  private mutating func checkColumns(of table: CommonTable, _ rows: ResolvedSelect) -> Bool {
    guard !table.columns.isEmpty, table.columns.count != rows.columns.count else { return true }
    report(
      .columnCount, at: table.name.span,
      "table `\(table.name.text)` has \(rows.columns.count) values for \(table.columns.count) "
        + "columns")
    return false
  }

  /// Returns whether the last arms of a common table refer to the table itself in `FROM`.
  private func isRecursive(_ table: CommonTable) -> Bool {
    recursiveArmCount(table) > 0
  }

  private func recursiveArmCount(_ table: CommonTable) -> Int {
    guard let last = table.select.rest.last, last.op == .union || last.op == .unionAll else {
      return 0
    }
    var count = 0
    for arm in table.select.rest.reversed() {
      guard arm.op == last.op, case .query(let query) = arm.arm,
        query.from?.names(NameKey(table.name.text)) ?? 0 > 0
      else { break }
      count += 1
    }
    return count
  }

  /// Resolves a recursive table. The initial arms determine the columns' types. The recursive arms
  /// are then resolved with these columns, repeatedly, until the types no longer change.
  private mutating func resolveRecursive(
    _ table: CommonTable, home: CommonTables
  ) -> ResolvedSelect {
    let name = NameKey(table.name.text)
    let recursive = recursiveArmCount(table)
    var initial = table.select
    initial.rest.removeLast(recursive)
    initial.orderBy = []
    initial.limit = nil
    for arm in table.select.rest.suffix(recursive) {
      guard case .query(let query) = arm.arm else { continue }
      if query.from?.names(name) ?? 0 > 1 {
        report(
          .recursionMisuse, at: query.span,
          "multiple references to recursive table: `\(table.name.text)`")
        return .unknown
      }
    }
    let start = resolveSelect(
      initial, parent: home.scope,
      commonTables: home.with(name, .prohibited("circular reference: `\(table.name.text)`")))
    guard !start.isUnknown, checkColumns(of: table, start) else { return .unknown }
    let names = table.columns.isEmpty ? nil : table.columns.map(\.text)
    var columns = start.sourceColumns(names: names)
    var result = start
    // Types can only widen and there are few of them, so the loop ends after a few rounds.
    for _ in 0..<8 {
      var trial = self
      let round = trial.resolveRecursiveStep(table, home.with(name, .rows(columns)))
      cache.selectCount = trial.cache.selectCount
      guard !round.isUnknown, trial.diagnostics.count == diagnostics.count else {
        self = trial
        return .unknown
      }
      result = round
      let next = zip(columns, round.columns).map { old, new in
        var column = old
        column.type = union(old.type, new.type)
        column.isNullable = old.isNullable || new.isNullable
        column.provenance = old.provenance.union(new.provenance)
        column.hasFraction = old.hasFraction || new.hasFraction
        // A number that grows with each row has no bound.
        if old.exponentBound != union(exponents: old.exponentBound, new.exponentBound) {
          column.exponentBound = nil
        }
        return column
      }
      let isDone = zip(columns, next).allSatisfy {
        $0.type == $1.type && $0.isNullable == $1.isNullable && $0.provenance == $1.provenance
          && $0.hasFraction == $1.hasFraction && $0.exponentBound == $1.exponentBound
      }
      columns = next
      if isDone {
        self = trial
        break
      }
    }
    for (index, column) in columns.enumerated() where index < result.columns.count {
      result.columns[index].innerName = column.name
      result.columns[index].type = column.type
      result.columns[index].isNullable = column.isNullable
      result.columns[index].provenance = column.provenance
      result.columns[index].hasFraction = column.hasFraction
      result.columns[index].exponentBound = column.exponentBound
    }
    checkTraits(result.traits.suffix(recursive), of: table)
    result.rowCount = .many
    result.wholeTable = nil
    return result
  }

  private mutating func checkTraits(
    _ traits: some Collection<ResolvedSelect.Traits>, of table: CommonTable
  ) {
    if traits.contains(where: \.isAggregate) {
      report(
        .recursionMisuse, at: table.name.span, "recursive aggregate queries not supported")
    } else if traits.contains(where: \.hasWindow) {
      report(
        .recursionMisuse, at: table.name.span,
        "cannot use window functions in recursive queries")
    }
  }

  private mutating func resolveRecursiveStep(
    _ table: CommonTable, _ commonTables: CommonTables
  ) -> ResolvedSelect {
    resolveSelect(table.select, parent: commonTables.scope, commonTables: commonTables)
  }
}

extension FromClause {
  /// Returns the number of direct references to the named table in the clause.
  fileprivate func names(_ name: NameKey) -> Int {
    let (first, joins) = flattened
    return ([first] + joins.map(\.source)).count { source in
      if case .table(let table) = source.unwrapped, table.name.schema == nil {
        return NameKey(table.name.name.text) == name
      }
      return false
    }
  }

  /// The first source and the joins without the parentheses at the start, which don't form a group.
  var flattened: (first: TableSource, joins: [Join]) {
    var opening = first
    var joins = joins
    while case .parenthesized(let node) = opening, node.alias == nil {
      joins = node.from.joins + joins
      opening = node.from.first
    }
    return (opening, joins)
  }
}

extension TableSource {
  /// The source without parentheses around it alone.
  fileprivate var unwrapped: TableSource {
    var source = self
    while case .parenthesized(let node) = source, node.from.joins.isEmpty {
      source = node.from.first
    }
    return source
  }
}
