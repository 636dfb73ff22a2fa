internal import PostgreSQL
internal import Primitives
internal import Router
internal import SQLiteCore

/// The tables of the schemas of an executor, read when they are first needed.
final class CatalogStore: Sendable {
  /// The tables at one time.
  struct Snapshot: Sendable {
    fileprivate(set) var catalogs: [String: PostgreSQLCatalog] = [:]
    fileprivate let defaultSchema: String
    fileprivate var entries: [String: [PostgreSQLCatalog.Entry]] = [:]
    fileprivate var number = 0
    fileprivate let readAt = ContinuousClock.now

    var age: Duration { readAt.duration(to: .now) }
  }

  let schemas: [String]
  private let state: Mutex<Snapshot?>

  init(schemas: [String], _ snapshot: Snapshot? = nil) {
    self.schemas = schemas
    state = Mutex(snapshot)
  }

  /// Returns the tables, and reads them if they are older than `age`.
  func snapshot(
    on access: some PostgreSQLAccess, maximumAge age: Duration
  ) async throws -> Snapshot {
    if let current = state.withLock({ $0 }), current.age < age { return current }
    return try await read(on: access)
  }

  /// Reads the tables. Statements stay cached if the tables have not changed.
  @discardableResult
  func read(on access: some PostgreSQLAccess) async throws -> Snapshot {
    var new = Snapshot(defaultSchema: schemas.first ?? "public")
    for schema in schemas {
      let result = try await access.result(
        of: PostgreSQLQuery(unsafe: PostgreSQLCatalog.query), values: [schema])
      var entries: [PostgreSQLCatalog.Entry] = []
      try result.forEach { row in
        var texts: [String?] = []
        for index in 0..<row.columnCount {
          texts.append(
            index == 4
              ? String(try row.read(Int.self, at: index)) : try row.read(String?.self, at: index))
        }
        entries.append(try PostgreSQLCatalog.Entry(texts))
      }
      new.entries[schema] = entries
    }
    return state.withLock { state in
      if let state, state.entries == new.entries {
        new.number = state.number
      } else {
        new.number = (state?.number ?? 0) + 1
      }
      for schema in schemas {
        new.catalogs[schema] = PostgreSQLCatalog(
          schema: schema, entries: new.entries[schema] ?? [],
          version: SchemaVersion(number: new.number))
      }
      state = new
      return new
    }
  }
}

extension CatalogStore.Snapshot {
  /// Returns the catalog of a table's schema.
  ///
  /// - Throws: `RouterError` with code `unknownSchema` if the executor does not use the schema.
  func catalog(
    of table: DatabaseRoute.Table, _ settings: RouteSettings
  ) throws(RouterError) -> PostgreSQLCatalog {
    let name = table.schema ?? defaultSchema
    guard var catalog = catalogs[name] else {
      throw RouterError(
        code: .unknownSchema, message: "the executor uses no schema \(name): add it to `schemas`",
        table: table.name)
    }
    catalog.cache = settings.cache
    return catalog
  }

  /// Returns the columns of a constraint, and whether it is a primary key.
  func constraint(
    _ name: String?, of table: String?, in schema: String?
  ) -> (columns: [String], isPrimaryKey: Bool) {
    guard let name, let table, let schema else { return ([], false) }
    let found = (entries[schema] ?? []).filter { $0.table == table && $0.isPart(of: name) }
    return (found.map(\.name), found.contains(where: \.isPrimaryKey))
  }
}

extension PostgreSQLCatalog.Entry {
  fileprivate var isPrimaryKey: Bool { part == "index" && kind == "p" }

  fileprivate func isPart(of constraint: String) -> Bool {
    part == "index" ? type == constraint : part == "key" && kind == constraint
  }
}
