public import Observe
internal import Primitives
public import SQLiteCore

/// The rows and columns that a route depends on, to the extent that the route determines them.
///
/// If they are uncertain, all rows matter: a predicate that is too narrow would miss a change.
struct LiveRouteRegion: Sendable {
  /// A predicate for the relevant rows of each table.
  private var predicates: [TableName: Region.RowPredicate] = [:]
  /// All tables that the route reads, with the columns.
  private var columns: [TableName: Region.ColumnSet] = [:]
  /// Indicates whether rows that the filters exclude can't affect the result, not even by an error.
  private var isCertain = true
  /// The number of times each table is read.
  private var counts: [TableName: Int] = [:]
  private let settings: RouteSettings
  /// The schema whose tables can be restricted to rows; `nil` for all schemas.
  private let schema: String?

  /// - Parameter schema: The schema whose tables can be restricted to rows; `nil` for all schemas.
  init(
    _ route: DatabaseRoute, _ settings: RouteSettings, _ catalog: some RouteCatalog,
    rowsOf schema: String? = nil
  ) throws {
    self.settings = settings
    self.schema = schema
    switch route.method {
    case .fetch, .fetchOne, .count: break
    default: return
    }
    let table = try catalog.table(route.table.name)
    visit(table, route.filter)
    readColumns(of: route, table)
    try visit(route.embeds, from: table, in: catalog)
    // The page condition is also evaluated for rows that the filter excludes.
    if route.page?.after != nil {
      let builder = RowPredicateBuilder(table: table)
      isCertain = isCertain && route.orders.allSatisfy { builder.neverFails($0.column) }
    }
    predicates = isCertain ? predicates.filter { counts[$0.key] == 1 } : [:]
  }

  private mutating func visit(_ table: TableSchema, _ filter: DatabaseRoute.Filter?) {
    let name = table.name
    counts[name, default: 0] += 1
    // The existence of rows matters even if no column is read.
    columns[name, default: .none].formUnion(.none)
    let filters = [filter, settings.rowFilters[table.routeTable]].compactMap { $0 }
    read(table.primaryKey.map(\.name), of: table)
    for filter in filters { readColumns(of: filter, table) }
    // The rows of a view belong to other tables, a virtual table's behavior is unknown, and all rows of an attached
    // database matter.
    guard table.kind == .table, schema.map({ name.schema.isSameName(as: $0) }) ?? true else {
      isCertain = false
      return
    }
    let builder = RowPredicateBuilder(table: table)
    isCertain = isCertain && filters.allSatisfy { builder.neverFails($0) }
    guard isCertain, !filters.isEmpty else { return }
    predicates[name] = builder.mayHold(.and(filters))
  }

  private mutating func visit(
    _ embeds: [DatabaseRoute.Embed], from source: TableSchema, in catalog: some RouteCatalog
  ) throws {
    for embed in embeds {
      let join = try ForeignKeyJoin.find(embed, from: source, in: catalog)
      read(join.pairs.map(\.source), of: source)
      if let joinTable = join.joinTable {
        visit(joinTable.table, nil)
        read(join.pairs.map(\.target) + joinTable.pairs.map(\.source), of: joinTable.table)
        read(joinTable.pairs.map(\.target), of: join.table)
      } else {
        read(join.pairs.map(\.target), of: join.table)
      }
      visit(join.table, embed.filter)
      if embed.columns.isEmpty { columns[join.table.name] = .all }
      read((embed.columns + embed.orders.map(\.column)).map(\.name), of: join.table)
      try visit(embed.embeds, from: join.table, in: catalog)
    }
  }

  // MARK: Columns

  private mutating func read(_ names: [String], of table: TableSchema) {
    for name in names {
      // An unknown name makes the route fail.
      guard let column = try? table.routeColumn(name) else { continue }
      columns[table.name, default: .none].formUnion(.some([Region.ColumnName(column.name)]))
    }
  }

  private mutating func readColumns(of route: DatabaseRoute, _ table: TableSchema) {
    if route.method != .count, route.columns.isEmpty, route.aggregates.isEmpty {
      columns[table.name] = .all
    }
    // With aggregates, an order can also be the name of one.
    read(route.columns.map(\.name) + route.orders.map(\.column.name), of: table)
    for aggregate in route.aggregates {
      if let column = aggregate.column { read([column.name], of: table) }
      if let filter = aggregate.filter { readColumns(of: filter, table) }
    }
    if let filter = route.groupFilter { readColumns(of: filter, table) }
  }

  private mutating func readColumns(of filter: DatabaseRoute.Filter, _ table: TableSchema) {
    switch filter.form {
    case .all: break
    case .tooDeep: columns[table.name] = .all
    case .not(let filter): readColumns(of: filter, table)
    case .and(let filters), .or(let filters):
      for filter in filters { readColumns(of: filter, table) }
    case .comparison(let comparison): read([comparison.column.name], of: table)
    }
  }

  // MARK: Regions

  /// Returns the region for an engine that does not report the columns that a statement reads.
  func region(wholeRowsOf tables: Set<TableName>) -> Region {
    columns.reduce(.nothing) { region, entry in
      let (table, columns) = entry
      let read = tables.contains(table) ? .all : columns
      if let predicate = predicates[table] {
        return region.union(.rows(of: table, where: predicate, reading: read))
      }
      guard case .some(let names) = read else { return region.union(.table(table)) }
      return region.union(.columns(table, names))
    }
  }

  /// Returns a region without the rows that do not matter.
  func narrow(_ region: Region, _ access: Statement.Access) -> Region {
    // In addition to its tables, a route reads lists and JSON. The rows of other tables are unknown.
    let isKnown =
      isCertain
      && access.reads.keys.allSatisfy { table in
        counts[table] != nil || Self.functions.contains { table.name.isSameName(as: $0) }
      }
    guard isKnown else { return region }
    return predicates.reduce(region) { $0.narrowed(to: $1.value, of: $1.key) }
  }

  private static let functions = ["array_each", "json_each", "json_tree"]
}

extension RoutePlan {
  /// The part of the database that a route's result depends on, for engines that don't report the columns that a
  /// statement reads.
  ///
  /// The region contains the tables of the route and of its embeds, with the columns that it selects, filters, orders
  /// and joins by, and the rows that the filters and row filters select. It contains a view itself, and not the tables
  /// that the view reads. A custom route depends on the tables that it declares by ``DatabaseRoute/reading(_:)``.
  /// Otherwise it depends on everything, as a count that is an estimate does.
  ///
  /// ```swift
  /// let region = try RoutePlan(route, settings: settings).region(in: catalog)
  /// ```
  ///
  /// - Parameters:
  ///   - catalog: The tables of the database.
  ///   - tables: Tables whose columns all matter.
  /// - Throws: ``RouterError`` if a table or a relation is unknown; errors of the catalog.
  public func region(
    in catalog: some RouteCatalog, wholeRowsOf tables: Set<TableName> = []
  ) throws -> Region {
    if let tables = route.statement?.tables, route.method == .custom {
      return try tables.reduce(.nothing) { region, table in
        let name = table.schema.map { TableName(schema: $0, table.name) }
        return region.union(.table(try name ?? catalog.table(table.name).name))
      }
    }
    guard route.method != .custom, route.counting == .exact else { return .everything }
    return try LiveRouteRegion(route, settings, catalog).region(wholeRowsOf: tables)
  }
}

/// A route that runs repeatedly, and determines its region each time.
final class LiveRoute<Value: Decodable & Sendable>: Sendable {
  /// Identifies equal routes that return the same values.
  struct Key: Hashable, Sendable {
    let route: DatabaseRoute
    let expectation: DatabaseRoute.Expectation?
    let settings: ObjectIdentifier
  }

  private let route: DatabaseRoute
  private let expectation: DatabaseRoute.Expectation?
  private let settings: RouteSettings
  /// The cached row dependencies, for one version of the schema.
  private let cached = Mutex<(version: SchemaVersion, region: LiveRouteRegion)?>(nil)

  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute`` for a route that writes.
  init(
    _ route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?,
    settings: RouteSettings
  ) throws(RouterError) {
    guard route.isReadOnly else {
      throw RouterError.invalid("only a route that reads can be observed").of(route)
    }
    try route.checkNesting(settings.limits.filterDepth)
    self.route = route
    self.expectation = expectation
    self.settings = settings
  }

  var key: Key {
    Key(route: route, expectation: expectation, settings: settings.identity)
  }

  /// Runs the route, and sets the region that its values depend on.
  func fetch(_ connection: Connection, _ region: inout Region) throws -> [Value] {
    let runner = RouteRunner(connection: connection, settings: settings)
    let sink = AccessRecordingSink(DecodedRows<Value>(decoder: runner.settings.decoder))
    let result = Result { try runner.run(route, sink, expecting: expectation).values }
    // An estimate depends on SQLite's statistics, whose changes are not reported.
    region = route.counting == .exact ? Region(sink.access) : .everything
    // If SQLite failed on a row, the row may be one that the filter excludes.
    if sink.isComplete, let live = try? liveRegion(runner) {
      region = live.narrow(region, sink.access)
    }
    return try result.get()
  }

  private func liveRegion(_ runner: RouteRunner) throws -> LiveRouteRegion {
    let catalog = try runner.catalog(of: route)
    if let version = catalog.version, let cached = cached.withLock({ $0 }),
      cached.version == version
    {
      return cached.region
    }
    let region = try LiveRouteRegion(route, runner.settings, catalog, rowsOf: "main")
    if let version = catalog.version { cached.withLock { $0 = (version, region) } }
    return region
  }
}

/// A sink that creates values with another sink, and records the tables and columns that SQLite reads.
final class AccessRecordingSink<Base: RowSink>: RowSink {
  private let base: Base
  /// The accesses so far.
  private(set) var access = Statement.Access()
  /// Indicates whether all rows have been read and converted.
  private(set) var isComplete = false

  init(_ base: Base) { self.base = base }

  func values(
    _ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable],
    _ embeds: [DatabaseRoute.Embed]
  ) throws -> [Base.Value] {
    isComplete = false
    let (result, read) = connection.recordingAccess {
      Result { try base.values(connection, sql, arguments, embeds) }
    }
    access.formUnion(read)
    let values = try result.get()
    isComplete = true
    return values
  }

  func value(_ row: borrowing Row, _ embeds: [DatabaseRoute.Embed]) throws -> Base.Value {
    try base.value(row, embeds)
  }
}
