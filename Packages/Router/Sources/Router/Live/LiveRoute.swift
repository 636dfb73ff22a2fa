internal import Observe
internal import SQLiteCore
internal import Primitives

/// A route that runs again and again, and tells each time what it depends on.
final class LiveRoute<Value: Decodable & Sendable>: Sendable {
  /// What equal routes have in common that give the same values.
  struct Key: Hashable, Sendable {
    let route: DatabaseRoute
    let expectation: DatabaseRoute.Expectation?
    let settings: ObjectIdentifier
  }

  private let route: DatabaseRoute
  private let expectation: DatabaseRoute.Expectation?
  private let settings: SharedSettings
  /// What is known of the route's rows, of one version of the schema.
  private let known = Mutex<(version: SchemaVersion, rows: LiveRows)?>(nil)

  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute`` for a route that writes.
  init(
    _ route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?,
    settings: SharedSettings
  ) throws(RouterError) {
    guard route.isReadOnly else {
      throw RouterError.invalid("only a route that reads can be observed").of(route)
    }
    try route.checkNesting(settings.values.limits.filterDepth)
    self.route = route
    self.expectation = expectation
    self.settings = settings
  }

  var key: Key {
    Key(route: route, expectation: expectation, settings: ObjectIdentifier(settings))
  }

  /// Runs the route, and sets what its values depend on.
  func fetch(_ connection: Connection, _ region: inout Region) throws -> [Value] {
    let run = RouteRun(connection: connection, settings: settings)
    let sink = WatchedRows(DecodedRows<Value>(decoder: run.settings.decoder))
    let result = Result { try run.run(route, sink, expecting: expectation).values }
    // An estimate is read from what SQLite keeps of tables, which changes without a word.
    region = route.counting == .exact ? Region(sink.access) : .everything
    // Where SQLite has failed on a row, it may have been one that the filter leaves out.
    if sink.isComplete, let rows = try? rows(run) { region = rows.narrow(region, sink.access) }
    return try result.get()
  }

  private func rows(_ run: RouteRun) throws -> LiveRows {
    let catalog = try run.maker(route).catalog
    if let version = catalog.version, let known = known.withLock({ $0 }), known.version == version {
      return known.rows
    }
    let rows = try LiveRows(route, run.settings, catalog)
    if let version = catalog.version { known.withLock { $0 = (version, rows) } }
    return rows
  }
}

/// Rows that are made as another sink makes them, while SQLite tells what is read for them.
final class WatchedRows<Base: RowSink>: RowSink {
  private let base: Base
  /// What has been read.
  private(set) var access = Statement.Access()
  /// Whether all rows have been read, and made into values.
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
