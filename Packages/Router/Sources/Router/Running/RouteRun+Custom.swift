internal import SQLiteCore

/// SQL of one's own.
extension RouteRun {
  func runCustom<Sink: RowSink>(
    _ route: DatabaseRoute, _ sink: Sink, _ expectation: DatabaseRoute.Expectation?
  ) throws -> Outcome<Sink.Value> {
    let custom = try customStatement(of: route)
    try connection.withStatement(SQL(unsafe: custom.text)) { statement in
      guard custom.access == .write || statement.isReadOnly else {
        throw RouterError(code: .refused, message: "the statement is said to read, and writes")
      }
    }
    let before = connection.totalChangeCount
    var outcome = Outcome<Sink.Value>()
    outcome.values = try sink.values(connection, custom.text, custom.values, [])
    outcome.affected = connection.totalChangeCount - before
    let count = custom.access == .read ? outcome.values.count : outcome.affected
    try demands(route, expectation).check(count, of: route)
    let most =
      custom.access == .read ? settings.limits.maximumRows : settings.limits.maximumAffected
    if let most, count > most { throw RouterError.tooManyRows(most, route) }
    return outcome
  }

  /// The statement of a custom route, where such may be run.
  func customStatement(
    of route: DatabaseRoute
  ) throws(RouterError) -> DatabaseRoute.CustomStatement {
    guard let custom = route.statement else { throw .invalid("there is no statement") }
    guard settings.rowFilters.isEmpty else {
      throw RouterError(
        code: .refused, message: "SQL of its own could read rows that may not be read")
    }
    return custom
  }
}

extension DatabaseRoute.CustomStatement {
  /// What is bound to its parameters.
  var values: [BoundValue] {
    arguments.map { argument in
      switch argument {
      case .value(let value): .value(value)
      case .list(let values): .list(values)
      }
    }
  }
}
