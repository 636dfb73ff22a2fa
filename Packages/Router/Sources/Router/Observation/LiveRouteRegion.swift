internal import Observe
internal import Primitives
internal import SQLiteCore

/// The rows that a route depends on, to the extent that the route determines them.
///
/// If they are uncertain, all rows matter: a predicate that is too narrow would miss a change.
struct LiveRouteRegion: Sendable {
  /// A predicate for the relevant rows of each table.
  private var predicates: [TableName: Region.RowPredicate] = [:]
  /// All tables that the route reads.
  private var tables: Set<TableName> = []

  init(_ route: DatabaseRoute, _ settings: RouteSettings, _ catalog: SQLiteCatalog) throws {
    switch route.method {
    case .fetch, .fetchOne, .count: break
    default: return
    }
    // The number of times each table is read.
    var counts: [TableName: Int] = [:]
    var found: [TableName: Region.RowPredicate] = [:]
    // Whether rows that the filters exclude can't affect the result, not even by an error.
    var isCertain = true

    func visit(_ table: TableSchema, _ filter: DatabaseRoute.Filter?) {
      let name = table.name
      counts[name, default: 0] += 1
      // The rows of a view belong to other tables, a virtual table's behavior is unknown, and all rows of an attached
      // database matter.
      guard table.kind == .table, name.schema.isSameName(as: "main") else {
        isCertain = false
        return
      }
      let builder = RowPredicateBuilder(table: table)
      let filters = [filter, settings.rowFilters[table.routeTable]].compactMap { $0 }
      isCertain = isCertain && filters.allSatisfy { builder.neverFails($0) }
      guard isCertain, !filters.isEmpty else { return }
      found[name] = builder.mayHold(.and(filters))
    }

    func visit(_ embeds: [DatabaseRoute.Embed], from source: TableSchema) throws {
      for embed in embeds {
        let join = try ForeignKeyJoin.find(embed, from: source, in: catalog)
        if let joinTable = join.joinTable { visit(joinTable.table, nil) }
        visit(join.table, embed.filter)
        try visit(embed.embeds, from: join.table)
      }
    }

    let table = try catalog.table(route.table.name)
    visit(table, route.filter)
    try visit(route.embeds, from: table)
    // The page condition is also evaluated for rows that the filter excludes.
    if route.page?.after != nil {
      let builder = RowPredicateBuilder(table: table)
      isCertain = isCertain && route.orders.allSatisfy { builder.neverFails($0.column) }
    }
    guard isCertain else { return }
    tables = Set(counts.keys)
    predicates = found.filter { counts[$0.key] == 1 }
  }

  /// Returns a region without the rows that do not matter.
  func narrow(_ region: Region, _ access: Statement.Access) -> Region {
    // In addition to its tables, a route reads lists and JSON. The rows of other tables are unknown.
    let isKnown = access.reads.keys.allSatisfy { table in
      tables.contains(table) || Self.functions.contains { table.name.isSameName(as: $0) }
    }
    guard isKnown else { return region }
    return predicates.reduce(region) { $0.narrowed(to: $1.value, of: $1.key) }
  }

  private static let functions = ["array_each", "json_each", "json_tree"]
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
    let region = try LiveRouteRegion(route, runner.settings, catalog)
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
