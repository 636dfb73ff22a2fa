public import QueryGen
public import Router

extension DatabaseRoute {
  /// A generated query as a route: it has the query's text, and its input as values.
  ///
  /// So it can be a case of a collection, and whatever holds for routes holds for it: overrides, scopes and logs of a
  /// router, policies and limits of an executor, transactions with other routes. The rows are read by their names: have
  /// `querygen.yaml` say `codable: true` and `coding_keys: columns`, and the generated structs can be asked for.
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
  /// What generated code alone knows of rows is not there: a value that is stored by a `ColumnFormat` is decoded as it is
  /// stored, and lists that `nest:` makes of several rows are not made.
  ///
  /// It is a `DatabaseRoute.Method.custom` route, which an executor with filters of rows refuses: its SQL could read
  /// anything. Observed, it waits for the tables and columns that SQLite says it reads.
  ///
  /// - Parameters:
  ///   - table: The table that it is found by, by overrides for instance.
  ///   - routeId: A name that it is found by.
  /// - Throws: `SQLiteError` where a value of the input can't be bound.
  public static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: KeyPath<DB, Statement>, with input: Statement.Input, on table: Table,
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    let statement = try Unconnected.query(query).statement(for: input)
    var route = DatabaseRoute(.custom, table, id: routeId)
    route.statement = try CustomStatement(
      statement.sql, values: statement.values, access: Statement.isReadOnly ? .read : .write)
    return route
  }

  /// A generated query without an input as a route: see `query(_:with:on:routeId:)`.
  public static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: KeyPath<DB, Statement>, on table: Table, routeId: String? = nil
  ) throws -> DatabaseRoute where Statement.Input == Void {
    try self.query(query, with: (), on: table, routeId: routeId)
  }
}
