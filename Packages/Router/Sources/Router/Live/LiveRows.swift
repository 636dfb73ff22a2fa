internal import Observe
internal import SQLiteCore

/// Which rows of its tables a route depends on, as far as that can be told from the route.
///
/// Where it can't be told for certain, all rows matter: a predicate too narrow would lose a change.
struct LiveRows: Sendable {
  /// What holds for the rows that matter, by the table.
  private var predicates: [TableName: Region.RowPredicate] = [:]
  /// All tables that the route is about.
  private var tables: Set<TableName> = []

  init(_ route: DatabaseRoute, _ settings: RouteSettings, _ catalog: Catalog) throws {
    switch route.method {
    case .fetch, .fetchOne, .count: break
    default: return
    }
    var walk = Walk(settings: settings, catalog: catalog)
    let facts = try catalog.table(route.table.name)
    walk.visit(facts, route.filter)
    try walk.visit(route.embeds, from: facts)
    // The condition of a page is evaluated for rows that the filter leaves out, too.
    if route.page?.after != nil {
      let rows = RowConditions(facts: facts)
      walk.isCertain = walk.isCertain && route.orders.allSatisfy { rows.neverFails($0.column) }
    }
    guard walk.isCertain else { return }
    tables = Set(walk.counts.keys)
    for (table, predicate) in walk.predicates where walk.counts[table] == 1 {
      predicates[table] = predicate
    }
  }

  /// A region without the rows that do not matter.
  func narrow(_ region: Region, _ access: Statement.Access) -> Region {
    // Beside its tables a route reads lists and JSON. Another table would be one that nothing is known of.
    let isKnown = access.reads.keys.allSatisfy { table in
      tables.contains(table) || Self.functions.contains { table.name.isSameName(as: $0) }
    }
    guard isKnown else { return region }
    return predicates.reduce(region) { $0.narrowed(to: $1.value, of: $1.key) }
  }

  private static let functions = ["holt_array", "json_each", "json_tree"]

  /// The tables of a route, one after another.
  private struct Walk {
    let settings: RouteSettings
    let catalog: Catalog
    /// How often each table is read.
    var counts: [TableName: Int] = [:]
    var predicates: [TableName: Region.RowPredicate] = [:]
    /// Whether a row that a filter leaves out makes no difference, not even an error.
    var isCertain = true

    mutating func visit(_ facts: TableFacts, _ filter: DatabaseRoute.Filter?) {
      let name = TableName(facts.name)
      counts[name, default: 0] += 1
      // A view's rows are others', what a virtual table does is its own, and of an attached database all rows matter.
      guard !facts.isView, !facts.isVirtual, facts.schema == nil else {
        isCertain = false
        return
      }
      let conditions = RowConditions(facts: facts)
      let filters = [filter, settings.rowFilters[facts.table]].compactMap { $0 }
      isCertain = isCertain && filters.allSatisfy { conditions.neverFails($0) }
      guard isCertain, !filters.isEmpty else { return }
      predicates[name] = conditions.mayHold(.and(filters))
    }

    mutating func visit(_ embeds: [DatabaseRoute.Embed], from near: TableFacts) throws {
      for embed in embeds {
        let relation = try Relation.find(embed, from: near, in: catalog)
        if let through = relation.through { visit(through.table, nil) }
        visit(relation.table, embed.filter)
        try visit(embed.embeds, from: relation.table)
      }
    }
  }
}
