public import Router
internal import SQLiteCore

/// Generates random routes for the tables of the conformance suite, to compare two executors.
///
/// ```swift
/// var routes = RandomRoutes(seed: 1)
/// let differences = await routes.differences(between: executor, and: SQLiteRouteExecutor(database), routes: 1_000)
/// #expect(differences.isEmpty)
/// ```
///
/// The routes only use features of all engines: they use no columns without a type, do not test if a text value is true,
/// and generate no keys.
public struct RandomRoutes: Sendable {
  private struct Table: Sendable {
    let name: String
    let key: [String]
    /// The columns, each with the values for conditions and for written rows.
    let columns: [(name: String, values: [SQLiteValue])]
    var embeds: [DatabaseRoute.Embed] = []

    var filters: RandomFilters {
      RandomFilters(
        columns: columns.map { (DatabaseRoute.Column($0.name), $0.values.filter { $0 != .null }) },
        hasTruthOfText: false)
    }
  }

  private static let ids: [SQLiteValue] = (1...12).map { .integer($0) }
  private static let numbers: [SQLiteValue] = (-3...7).map { .integer($0) } + [.null]
  private static let texts: [SQLiteValue] =
    ["", "a", "A", "Ann", "ann@x", "a%b", "it's", "é", "\\", "zz"].map { .text($0) } + [.null]
  private static let areas: [SQLiteValue] = ["A", "B", "C"].map { .text($0) }

  private static let tables: [Table] = [
    Table(
      name: "item", key: ["id"],
      columns: [
        ("id", ids), ("name", texts), ("rank", numbers),
        ("price", [.real(0.5), .real(1.5), .real(-1.25), .null]),
        ("done", [.integer(0), .integer(1), .null]),
      ]),
    Table(
      name: "account", key: ["id"],
      columns: [
        ("id", ids), ("email", texts), ("name", texts), ("score", numbers), ("note", texts),
      ]),
    Table(
      name: "seat", key: ["area", "number"],
      columns: [("area", areas), ("number", numbers), ("holder", texts)]),
    Table(
      name: "team", key: ["id"], columns: [("id", ids), ("name", texts)],
      embeds: [
        .init("player", as: "players", columns: ["id", "score"], orderedBy: [.ascending("id")]),
        .init(
          "player", as: "best", columns: ["name"],
          orderedBy: [.descending("score"), .ascending("id")],
          limit: 1),
      ]),
    Table(
      name: "player", key: ["id"],
      columns: [("id", ids), ("team", ids), ("name", texts), ("score", numbers)],
      embeds: [
        .init("team", columns: ["name"]),
        .init("hobby", as: "hobbies", columns: ["id"], orderedBy: [.ascending("id")]),
        .init(
          "team", as: "reds", columns: ["id"], filteredBy: DatabaseRoute.Column("id").equals(1)),
      ]),
    Table(
      name: "practice", key: ["player", "hobby"], columns: [("player", ids), ("hobby", ids)]),
  ]

  private var random: SeededGenerator

  public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a route that reads.
  public mutating func read() -> DatabaseRoute {
    let table = element(of: Self.tables)
    var route = DatabaseRoute(.fetch, DatabaseRoute.Table(table.name))
    if !chance(4) {
      route.filter = table.filters.filter(depth: Int.random(in: 0...3, using: &random), &random)
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      route.method = .count
      return route
    case 1, 2: return aggregation(of: table, route)
    default: break
    }
    route.columns = table.columns.map { DatabaseRoute.Column($0.name) }
    if chance(2) {
      route.columns = (0...Int.random(in: 0...2, using: &random)).map { _ in
        DatabaseRoute.Column(element(of: table.columns).name)
      }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    if !table.embeds.isEmpty, chance(2) {
      var embed = element(of: table.embeds)
      embed.isRequired = chance(3)
      route.columns.removeAll { $0.name == embed.name }
      if !route.columns.isEmpty { route.embeds = [embed] }
    }
    // An order that ends with the key makes the rows comparable.
    route.orders = orders(of: table)
    if chance(4) {
      route.page = .init(after: chance(3) ? nil : record(of: table))
      route.limit = Int.random(in: 1...4, using: &random)
      return route
    }
    if chance(3) {
      route.limit = Int.random(in: 0...5, using: &random)
      if chance(2) { route.offset = Int.random(in: 0...3, using: &random) }
    }
    return route
  }

  /// Returns a route that writes, and returns the written rows.
  public mutating func write() -> DatabaseRoute {
    let table = element(of: Self.tables)
    let methods: [DatabaseRoute.Method] = [.insert, .insert, .upsert, .upsert, .update, .delete]
    var route = DatabaseRoute(element(of: methods), DatabaseRoute.Table(table.name))
    switch route.method {
    case .insert, .upsert:
      route.values = (0...Int.random(in: 0...2, using: &random)).map { _ in record(of: table) }
      if route.method == .upsert {
        route.conflict = .init(resolution: chance(3) ? .ignore : .merge)
      }
    case .update where table.columns.count > table.key.count:
      var values = record(of: table)
      values.fields.removeAll { table.key.contains($0.column.name) }
      values.fields.shuffle(using: &random)
      values.fields = Array(values.fields.prefix(2))
      route.values = [values]
      route.filter = someRows(of: table)
    default:
      route.method = .delete
      route.filter = someRows(of: table)
    }
    route.columns = table.columns.map { DatabaseRoute.Column($0.name) }
    return route.returning(.representation)
  }

  /// Returns a filter that excludes some row for all engines: they know different things about the values of columns, and
  /// therefore refuse different filters that exclude none.
  private mutating func someRows(of table: Table) -> DatabaseRoute.Filter {
    let key = table.columns[0]
    let excluded = DatabaseRoute.Column(key.name).notEquals(element(of: key.values))
    return .and([table.filters.filter(depth: 2, &random), excluded])
  }

  private mutating func aggregation(of table: Table, _ route: DatabaseRoute) -> DatabaseRoute {
    let numbers = table.columns.filter { $0.values.contains(.integer(1)) && $0.name != "done" }
      .map { DatabaseRoute.Column($0.name) }
    guard !numbers.isEmpty else { return route.aggregating(.count(as: "n")) }
    let column = element(of: numbers)
    var route = route
    if chance(2) {
      let group = DatabaseRoute.Column(element(of: table.columns).name)
      route.columns = [group]
      route.orders = [.ascending(group)]
    }
    let filter = chance(2) ? table.filters.filter(depth: 1, &random) : nil
    return route.aggregating(
      .count(as: "n", filteredBy: filter), .sum(column, as: "total", filteredBy: filter),
      .average(column, as: "average"), .minimum(column, as: "least"),
      .maximum(column, as: "greatest"))
  }

  private mutating func orders(of table: Table) -> [DatabaseRoute.Order] {
    var names: [String] = []
    while names.count < 2, chance(2) {
      let name = element(of: table.columns).name
      if !names.contains(name) { names.append(name) }
    }
    names += table.key.filter { !names.contains($0) }
    return names.map {
      chance(2) ? .ascending(DatabaseRoute.Column($0)) : .descending(DatabaseRoute.Column($0))
    }
  }

  private mutating func record(of table: Table) -> DatabaseRoute.Record {
    DatabaseRoute.Record(
      fields: table.columns.map {
        .init(column: DatabaseRoute.Column($0.name), value: element(of: $0.values))
      })
  }

  private mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Returns `true` once in `count` calls.
  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 1...count, using: &random) == 1
  }
}

extension RandomRoutes {
  /// Runs random routes on two executors, for tables that are equal at first, and compares their results: the columns and
  /// the rows, or the code of the error. After a write, the whole table is compared.
  ///
  /// - Returns: A description of each route with different results. No more routes are run after a write with different
  ///   results.
  public mutating func differences(
    between a: some RouteExecutor, and b: some RouteExecutor, routes count: Int
  ) async -> [String] {
    typealias Executor = RouteExecutorConformance.NumericExecutor
    let (a, b) = (Executor(base: a), Executor(base: b))
    var differences: [String] = []
    for number in 1...max(count, 1) {
      let isWrite = number % 4 == 0
      let route = isWrite ? write() : read()
      var (first, second) = (await Self.result(of: route, a), await Self.result(of: route, b))
      if first == second, isWrite {
        var all = DatabaseRoute(.fetch, route.table)
        all.columns = route.columns
        (first, second) = (await Self.result(of: all, a), await Self.result(of: all, b))
      }
      if first == second { continue }
      differences.append("\(route)\n  \(first)\n  \(second)")
      if isWrite { break }
    }
    return differences
  }

  /// Returns the result of a route as text, with the rows in their order if the route has one.
  private static func result(of route: DatabaseRoute, _ executor: some RouteExecutor) async
    -> String
  {
    do {
      let response = try await executor.run(route)
      var rows = response.rows.map { "\($0)".replacing("Primitives.DataValue", with: "") }
      if route.orders.isEmpty { rows.sort() }
      return
        "\(response.columns): \(rows.joined(separator: " ")) \(route.isReadOnly ? 0 : response.affected)"
    } catch let error as RouterError {
      return "\(error.code)"
    } catch {
      return "\(error)"
    }
  }
}
