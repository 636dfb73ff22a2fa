internal import PostgreSQL
internal import Router
internal import SQLiteCore

/// The embedded rows of written rows, which a second statement selects by the primary key.
struct EmbedsOfWrite {
  private let route: DatabaseRoute
  private let keys: [String]
  /// The columns that the route returns.
  private let selected: [DatabaseRoute.Column]
  /// The columns that the write returns: `selected`, and the key.
  let returned: [DatabaseRoute.Column]
  /// The positions of the key's columns in `returned`.
  private let positions: [Int]

  init(_ route: DatabaseRoute, _ table: TableSchema) throws(RouterError) {
    keys = table.primaryKey.map(\.name)
    guard !keys.isEmpty else {
      throw RouterError(
        code: .unsupported,
        message: "a write can return embedded rows only for a table with a primary key")
    }
    self.route = route
    selected =
      route.columns.isEmpty
      ? table.resultNames(beside: route.embeds).map { DatabaseRoute.Column($0) } : route.columns
    var names: [String?] = []
    for column in selected {
      names.append(column.path.isEmpty ? try table.routeColumn(column.name).name : nil)
    }
    var returned = selected
    var positions: [Int] = []
    for key in keys {
      if let index = names.firstIndex(of: key) {
        positions.append(index)
      } else {
        positions.append(returned.count)
        returned.append(DatabaseRoute.Column(key))
      }
    }
    self.returned = returned
    self.positions = positions
  }

  /// Returns the response with the embedded rows added.
  func completed(
    _ response: DatabaseRoute.Response, by runner: PostgreSQLRouteRunner
  ) async throws -> DatabaseRoute.Response {
    var embedded: [[DataValue]: ArraySlice<DataValue>] = [:]
    let size = keys.count == 1 ? 10_000 : 50
    for start in stride(from: 0, to: response.rows.count, by: size) {
      let rows = response.rows[start..<min(start + size, response.rows.count)].map { key(of: $0) }
      for row in try await select(rows, runner) {
        embedded[Array(row.prefix(keys.count))] = row.dropFirst(keys.count)
      }
    }
    var completed = response
    completed.columns = Array(response.columns.prefix(selected.count)) + route.embeds.map(\.name)
    for (index, row) in response.rows.enumerated() {
      let values = embedded[key(of: row)] ?? ArraySlice(route.embeds.map { _ in DataValue.null })
      completed.rows[index] = Array(row.prefix(selected.count)) + values
    }
    return completed
  }

  private func key(of row: [DataValue]) -> [DataValue] { positions.map { row[$0] } }

  /// Selects the keys and the embedded rows of rows.
  private func select(
    _ rows: [[DataValue]], _ runner: PostgreSQLRouteRunner
  ) async throws -> [[DataValue]] {
    let columns = keys.map { DatabaseRoute.Column($0) }
    var selection = DatabaseRoute(.fetch, route.table)
    selection.columns = columns
    selection.embeds = route.embeds
    if keys.count == 1 {
      selection.filter = columns[0].in(rows.map { SQLiteValue($0[0]) })
    } else {
      selection.filter = .or(
        rows.map { row in .and(zip(columns, row).map { $0.equals(SQLiteValue($1)) }) })
    }
    let catalog = try runner.catalog(of: route)
    let statement = try PostgreSQLDialect.statement(
      of: selection, settings: runner.settings, in: catalog)
    let reader = try RouteRowReader(selection, in: catalog)
    var found: [[DataValue]] = []
    try await runner.result(statement.text.sql, statement.values).forEach {
      found.append(try reader.row($0))
    }
    return found
  }
}
