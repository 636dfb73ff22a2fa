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
      .cartesianJoin, at: select.span(of: access.label),
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
    let place =
      place(of: access.label, among: event.labels)
      ?? place(of: access.label, among: [access.label])
    guard let table = Self.table(access.label, place?.facts ?? facts, objects),
      table.kind == .table
    else { return nil }
    let conditions = place.map { $0.facts.conditions(on: access.label, in: $0.select) } ?? []
    let name = table.name.name
    let span = place?.span(of: access.label)
    if let place, var finding = specificFinding(conditions, table, place) {
      finding.view = place.view
      if place.view != nil { finding.span = span }
      return finding
    }
    if isRepeated {
      return PlanFinding(
        .scanInJoin, at: span,
        "all rows of `\(name)` are read for each row of "
          + (event.outer.isEmpty ? "the enclosing select" : words(event.outer)),
        index: proposal(candidates(conditions, place, access.label, table), on: table),
        view: place?.view)
    }
    guard let rows = objects.rows[name.asciiLowercased], rows > Self.largeRowCount,
      !endsEarly(event, place?.select, conditions)
    else { return nil }
    return PlanFinding(
      .fullScan, at: span, "all \(rows) rows of `\(name)` are read",
      index: proposal(candidates(conditions, place, access.label, table), on: table),
      view: place?.view)
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
    let place = place(of: access.label, among: event.labels)
    guard let table = Self.table(access.label, place?.facts ?? facts, objects),
      table.kind == .table
    else { return nil }
    let keys = access.columns.compactMap {
      IndexCandidate.Key($0.asciiLowercased, of: table)
    }
    return PlanFinding(
      .automaticIndex, at: place?.span(of: access.label),
      "SQLite builds an index on `\(table.name.name)` (\(access.columns.joined(separator: ", "))) "
        + "each time this statement runs",
      index: proposal([IndexCandidate(keys, of: table)], on: table), view: place?.view)
  }

  // MARK: Sorts

  private func sortFinding(_ term: String, _ event: PlanEvent) -> PlanFinding? {
    let clauses = ["ORDER BY", "GROUP BY", "DISTINCT"]
    guard clauses.contains(term) else { return nil }
    let place = event.labels.first.flatMap { self.place(of: $0, among: event.labels) }
    var terms = place.map { orderTerms(of: $0.select, term) } ?? []
    // The statement may sort the rows of a view.
    let sortsView = terms.isEmpty && place?.view != nil
    if sortsView, let outer = place?.outer { terms = orderTerms(of: outer, term) }
    // SQLite sorts for some compound operators too.
    if place != nil, terms.isEmpty { return nil }
    var index: IndexProposal?
    if let place, let keys = orderKeys(terms, place, isOfView: sortsView) {
      let conditions = place.facts.conditions(on: keys.label, in: place.select)
      let equalities = equalityKeys(conditions, keys.table)
      index = proposal(
        [IndexCandidate(equalities + keys.keys, of: keys.table)] + [
          IndexCandidate(keys.keys, of: keys.table)
        ],
        on: keys.table)
    }
    var span = terms.first.map { first in terms.reduce(first.span) { $0.union($1.span) } }
    if let view = place?.viewSpan, !sortsView { span = view }
    return PlanFinding(
      .sortWithoutIndex, at: span,
      "the rows are sorted for \(term) in a temporary B-tree, since no index has their order",
      index: index, view: place?.view)
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

  /// Returns the keys of an index with an order, if all terms are columns of one table.
  ///
  /// - Parameter isOfView: Whether the terms belong to the select that uses a view.
  private func orderKeys(
    _ terms: [StatementFacts.SortTerm], _ place: Place, isOfView: Bool = false
  ) -> (label: String, table: TableSchema, keys: [IndexCandidate.Key])? {
    let (facts, select) =
      isOfView ? (self.facts, place.outer ?? place.select) : (place.facts, place.select)
    var label: String?
    var keys: [IndexCandidate.Key] = []
    var table: TableSchema?
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
      guard var column = facts.column(expression) else { return nil }
      if isOfView {
        guard let origin = place.origin(of: column) else { return nil }
        column = origin
      }
      guard label == nil || label == column.label,
        let found = Self.table(column.label, place.facts, objects), found.kind == .table
      else { return nil }
      label = column.label
      table = found
      if term.isDescending, !isReversed { suffix += " DESC" }
      guard let key = IndexCandidate.Key(column.name, of: found, suffix: suffix) else {
        return nil
      }
      keys.append(key)
    }
    guard let label, let table else { return nil }
    return (label, table, keys)
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
    _ conditions: [PlanCondition], _ place: Place?, _ label: String, _ table: TableSchema
  ) -> [IndexCandidate] {
    let equalities = equalityKeys(conditions, table)
    let ranges: [IndexCandidate.Key] = conditions.compactMap { condition in
      if case .range(let column) = condition { .init(column, of: table) } else { nil }
    }
    var lists = [equalities + ranges.prefix(1)]
    if let place, let order = orderKeys(orderTerms(of: place.select, "ORDER BY"), place),
      order.label == label
    {
      lists.append(equalities + order.keys)
    }
    lists.append(Array(ranges.prefix(1)))
    // The others may belong to tables that are read later.
    if equalities.count > 1 { lists += equalities.map { [$0] } }
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
