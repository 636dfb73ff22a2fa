public import QueryGen
public import Router
internal import SQLiteCore

extension DatabaseRoute {
  /// Creates a route from a generated query, with the query's SQL and with its input as bound
  /// values.
  ///
  /// The route can be a case of a collection, and supports overrides, scopes and logs of a router,
  /// policies and limits of an executor, and transactions with other routes. The rows are decoded
  /// by column names: with `codable: true` and `coding_keys: columns` in `querygen.yaml`, they can
  /// be decoded as the generated structs.
  ///
  /// ```swift
  /// enum PlayerRoute: RouteCollection {
  ///   case of(team: Int)
  ///   case score(id: Int, points: Int)
  ///
  ///   func route() async throws -> DatabaseRoute {
  ///     switch self {
  ///     case .of(let team): try .query(\DB.playersOf, with: team, on: "player")
  ///     case .score(let id, let points):
  ///       try .query(\DB.score, with: ScoreInput(points: points, id: id), on: "player")
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Features of generated row decoding are not available: a value stored by a `ColumnFormat` is
  /// decoded in its stored form, and `nest:` does not combine rows into lists. A query that executes
  /// several statements can't be a route.
  ///
  /// The route has the method `DatabaseRoute.Method.custom`. An executor with row filters rejects
  /// it, because its SQL could read any row. When observed, it depends on the tables and columns
  /// that SQLite reports.
  ///
  /// - Parameters:
  ///   - query: The key path of the query.
  ///   - input: The query's input.
  ///   - table: The route's table, by which for example overrides match it.
  ///   - routeId: The route's identifier.
  /// - Throws: `SQLiteError` if a value of the input can't be bound.
  public static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: KeyPath<DB, Statement>, with input: Statement.Input, on table: Table,
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    let statement = try DB.detachedQuery(query).statement(for: input)
    var route = DatabaseRoute(.custom, table, id: routeId)
    route.statement = try CustomStatement(
      statement.sql, values: statement.values, access: Statement.isReadOnly ? .read : .write)
    return route
  }

  /// Creates a route from a generated query without input: see `query(_:with:on:routeId:)`.
  public static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: KeyPath<DB, Statement>, on table: Table, routeId: String? = nil
  ) throws -> DatabaseRoute where Statement.Input == Void {
    try self.query(query, with: (), on: table, routeId: routeId)
  }
}

extension GeneratedDatabase {
  /// Creates a query without a database, to be executed on a given connection.
  static func detachedQuery<Statement: GeneratedQuery>(
    _ path: KeyPath<Self, Statement>
  ) throws -> Statement {
    Self(migrated: try closedDatabase.get())[keyPath: path]
  }
}

/// The database of detached queries, which are only executed on given connections.
private let closedDatabase = Result<Database, any Error> {
  let database = try Database.inMemory(Configuration())
  database.close()
  return database
}
