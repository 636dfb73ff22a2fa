internal import Primitives
internal import QueryGenDriver
internal import SQLSyntax
internal import SQLiteCore

/// Applies the rules to one plan of a query.
struct PlanCheck {
  /// The number of rows above which a table is large.
  static let largeRowCount = 10_000

  let statement: PlannedStatement
  let facts: StatementFacts
  let objects: SchemaObjects
  let events: [PlanEvent]
  /// Indicates whether the rules that don't depend on the plan are applied too.
  let isFirst: Bool

  init(
    statement: PlannedStatement, nodes: [PlanNode], facts: StatementFacts, objects: SchemaObjects,
    isFirst: Bool
  ) {
    self.statement = statement
    self.facts = facts
    self.objects = objects
    self.isFirst = isFirst
    events = Self.events(of: nodes, facts, objects)
  }

  func findings() -> [PlanFinding] {
    events.compactMap(finding) + (isFirst ? limitFindings() : [])
  }

  private func finding(_ event: PlanEvent) -> PlanFinding? {
    switch event.kind {
    case .scan(let access, let isRepeated):
      joinFinding(access, event, scanFinding(access, isRepeated, event))
    case .automaticIndex(let access):
      joinFinding(access, event, automaticIndexFinding(access, event))
    case .search(let access): joinFinding(access, event, nil)
    case .sort(let term): sortFinding(term, event)
    }
  }

  /// Returns the finding for a join that no condition restricts, or else another finding.
  private func joinFinding(
    _ access: PlanNode.Access, _ event: PlanEvent, _ other: @autoclosure () -> PlanFinding?
  ) -> PlanFinding? {
    guard !event.outer.isEmpty, let table = Self.table(access.label, facts, objects),
      let select = facts.select(with: event.labels),
      !facts.isConnected(access.label, with: event.outer, in: select)
    else { return other() }
    let isWanted = facts.isConnected(
      access.label, with: event.outer, in: select, includesCross: true)
    if isWanted { return nil }
    return PlanFinding(
      .cartesianJoin, at: select.sources.first { $0.label == access.label }?.span,
      "no condition connects `\(table.name.name)` with \(words(event.outer)), so all their rows are "
        + "combined; add a condition, or write CROSS JOIN")
  }

  // MARK: Events

  static func events(
    of nodes: [PlanNode], _ facts: StatementFacts, _ objects: SchemaObjects
  ) -> [PlanEvent] {
    PlanEvent.events(withoutForeignKeyChecks(nodes, facts, objects)) {
      isSingle($0, facts, objects)
    }
  }

  /// Removes the searches for child rows from the plan of a statement that writes.
  private static func withoutForeignKeyChecks(
    _ nodes: [PlanNode], _ facts: StatementFacts, _ objects: SchemaObjects
  ) -> [PlanNode] {
    guard facts.isWrite else { return nodes }
    var seen: Set<String> = []
    return nodes.filter { node in
      guard case .access(let access) = node.kind else { return true }
      let isKnown = facts.selects.contains { select in
        select.sources.contains { $0.label == access.label || $0.table == nil }
      }
      return isKnown && seen.insert(access.label).inserted
    }
  }

  /// Returns whether an access finds at most one row.
  private static func isSingle(
    _ access: PlanNode.Access, _ facts: StatementFacts, _ objects: SchemaObjects
  ) -> Bool {
    if access.isVirtual { return access.label.hasPrefix("constant row") }
    guard access.isSearch, !facts.hasList(on: access.label) else { return false }
    switch access.path {
    // The first or last row, for min() or max().
    case .table: return true
    case .key:
      guard let table = table(access.label, facts, objects), table.isWithoutRowID else {
        return access.equalityCount == 1
      }
      return access.equalityCount == table.primaryKey.count
    case .index(let name):
      guard let index = objects.indexes[name.asciiLowercased] else { return false }
      return index.isUnique && access.equalityCount == index.keys.count
    case .automatic: return false
    }
  }

  /// Returns the table that a label in a plan refers to; `nil` for a subquery.
  private static func table(
    _ label: String, _ facts: StatementFacts, _ objects: SchemaObjects
  ) -> TableSchema? {
    let sources = facts.selects.lazy.flatMap(\.sources).filter { $0.label == label }
    let names = Set(sources.map(\.table))
    let name =
      names.isEmpty ? objects.tableOfView(label) : names.count == 1 ? names.first ?? nil : nil
    return name.flatMap { objects.tables[$0] }
  }

  // MARK: Scans

  private func scanFinding(
    _ access: PlanNode.Access, _ isRepeated: Bool, _ event: PlanEvent
  ) -> PlanFinding? {
    guard let table = Self.table(access.label, facts, objects), table.kind == .table else {
      return nil
    }
    let select = facts.select(with: event.labels) ?? facts.select(with: [access.label])
    let conditions = select.map { facts.conditions(on: access.label, in: $0) } ?? []
    let name = table.name.name
    let span = select?.sources.first { $0.label == access.label }?.span
    if let finding = specificFinding(conditions, table) { return finding }
    if isRepeated {
      return PlanFinding(
        .scanInJoin, at: span,
        "all rows of `\(name)` are read for each row of "
          + (event.outer.isEmpty ? "the enclosing select" : words(event.outer)),
        index: proposal(candidates(conditions, select, access.label, table), on: table))
    }
    guard let rows = objects.rows[name.asciiLowercased], rows > Self.largeRowCount,
      !endsEarly(event, select, conditions)
    else { return nil }
    return PlanFinding(
      .fullScan, at: span, "all \(rows) rows of `\(name)` are read",
      index: proposal(candidates(conditions, select, access.label, table), on: table))
  }

  private func words(_ labels: [String]) -> String {
    labels.map { "`\($0)`" }.joined(separator: " and ")
  }

  /// Returns whether a `LIMIT` ends a scan after a few rows. With a condition, most rows may be
  /// skipped.
  private func endsEarly(
    _ event: PlanEvent, _ select: StatementFacts.Select?, _ conditions: [PlanCondition]
  ) -> Bool {
    guard let select, select.limit != nil, !select.isCompound else { return false }
    return !event.isSorted && conditions.isEmpty && select.conditions.isEmpty
      && !select.combinesRows
  }

  private func automaticIndexFinding(
    _ access: PlanNode.Access, _ event: PlanEvent
  ) -> PlanFinding? {
    guard let table = Self.table(access.label, facts, objects), table.kind == .table else {
      return nil
    }
    let select = facts.select(with: event.labels)
    let keys = access.columns.compactMap {
      IndexCandidate.Key($0.asciiLowercased, of: table)
    }
    return PlanFinding(
      .automaticIndex, at: select?.sources.first { $0.label == access.label }?.span,
      "SQLite builds an index on `\(table.name.name)` (\(access.columns.joined(separator: ", "))) "
        + "each time this statement runs",
      index: proposal([IndexCandidate(keys, of: table)], on: table))
  }

  // MARK: Sorts

  private func sortFinding(_ term: String, _ event: PlanEvent) -> PlanFinding? {
    let clauses = ["ORDER BY", "GROUP BY", "DISTINCT"]
    guard clauses.contains(term) else { return nil }
    let select = facts.select(with: event.labels)
    let terms = select.map { orderTerms(of: $0, term) } ?? []
    // SQLite sorts for some compound operators too.
    if select != nil, terms.isEmpty { return nil }
    var index: IndexProposal?
    if let select, let keys = orderKeys(terms, in: select),
      let table = Self.table(keys.label, facts, objects), table.kind == .table
    {
      let conditions = facts.conditions(on: keys.label, in: select)
      let equalities = equalityKeys(conditions, table)
      index = proposal(
        [IndexCandidate(equalities + keys.keys, of: table)] + [
          IndexCandidate(keys.keys, of: table)
        ],
        on: table)
    }
    let span = terms.first.map { first in terms.reduce(first.span) { $0.union($1.span) } }
    return PlanFinding(
      .sortWithoutIndex, at: span,
      "the rows are sorted for \(term) in a temporary B-tree, since no index has their order",
      index: index)
  }

  private func orderTerms(
    of select: StatementFacts.Select, _ clause: String
  ) -> [StatementFacts.SortTerm] {
    switch clause {
    case "GROUP BY": return select.groupBy.map { .init($0) }
    case "DISTINCT":
      guard select.isDistinct else { return [] }
      return select.columns.compactMap { column in
        switch column.kind {
        case .expression(let expression, _): .init(expression)
        case .star, .tableStar: nil
        }
      }
    default:
      let order = select.orderBy.isEmpty ? select.window : select.orderBy
      return order.map { term in
        // A number or an alias stands for a result column.
        guard let column = select.resultColumn(term.expression) else { return term }
        var term = term
        term.expression = column
        return term
      }
    }
  }

  /// Returns the keys of an index with an order, if all terms are columns of one source.
  private func orderKeys(
    _ terms: [StatementFacts.SortTerm], in select: StatementFacts.Select
  ) -> (label: String, keys: [IndexCandidate.Key])? {
    var label: String?
    var keys: [IndexCandidate.Key] = []
    // An index can be read backward.
    let isReversed = terms.allSatisfy(\.isDescending)
    for term in terms {
      var expression = term.expression.unparenthesized
      var suffix = ""
      if case .collate(let node) = expression {
        let operand = node.operand.unparenthesized
        expression = select.resultColumn(operand) ?? operand
        suffix = " COLLATE \(node.collation.text)"
      }
      guard let column = facts.column(expression), label == nil || label == column.label,
        let table = Self.table(column.label, facts, objects)
      else { return nil }
      label = column.label
      if term.isDescending, !isReversed { suffix += " DESC" }
      guard let key = IndexCandidate.Key(column.name, of: table, suffix: suffix) else {
        return nil
      }
      keys.append(key)
    }
    return label.map { ($0, keys) }
  }

  // MARK: Candidates

  private func equalityKeys(
    _ conditions: [PlanCondition], _ table: TableSchema
  ) -> [IndexCandidate.Key] {
    conditions.compactMap { condition in
      if case .equality(let column) = condition { .init(column, of: table) } else { nil }
    }
  }

  private func candidates(
    _ conditions: [PlanCondition], _ select: StatementFacts.Select?, _ label: String,
    _ table: TableSchema
  ) -> [IndexCandidate] {
    let equalities = equalityKeys(conditions, table)
    let ranges: [IndexCandidate.Key] = conditions.compactMap { condition in
      if case .range(let column) = condition { .init(column, of: table) } else { nil }
    }
    var lists = [equalities + ranges.prefix(1)]
    if let select, let order = orderKeys(orderTerms(of: select, "ORDER BY"), in: select),
      order.label == label
    {
      lists.append(equalities + order.keys)
    }
    lists.append(Array(ranges.prefix(1)))
    return lists.map { IndexCandidate($0, of: table) }
  }
}

extension StatementFacts {
  /// Returns whether a column of a source is compared with several values, so that a search of it is
  /// repeated. SQLite reads `x = 1 OR x = 2` as a list too.
  fileprivate func hasList(on label: String) -> Bool {
    selects.contains { select in
      select.conditions.contains { condition in
        switch condition {
        case .in(let node): column(node.operand)?.label == label
        case .binary(let node) where node.op == .or:
          columns(in: node.span).contains { $0.label == label }
        default: false
        }
      }
    }
  }
}
