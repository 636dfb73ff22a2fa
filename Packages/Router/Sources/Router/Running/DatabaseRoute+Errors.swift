internal import SQLiteCore

extension DatabaseRoute {
  /// An error that the route has ended with, as it is told: with the route, and without a word of what is searched.
  func told(_ error: any Error) -> any Error {
    if let error = error as? RouterError { return error.of(self) }
    if let error = error as? SQLiteError, let violation = RouterError(violationIn: error) {
      return violation.of(self)
    }
    // FTS5 quotes the query that it does not understand, which is a value.
    if let error = error as? SQLiteError, error.code.primary == .error, hasQuery {
      return RouterError.invalid("SQLite can't run it: is a search in the language of FTS5?").of(
        self)
    }
    return error
  }

  /// Whether it searches by a query in the language of the engine.
  private var hasQuery: Bool {
    (filter?.hasQuery ?? false) || embeds.contains(where: \.hasQuery)
      || aggregates.contains { $0.filter?.hasQuery ?? false }
  }
}

extension DatabaseRoute.Embed {
  fileprivate var hasQuery: Bool {
    (filter?.hasQuery ?? false) || embeds.contains(where: \.hasQuery)
  }
}

extension DatabaseRoute.Filter {
  fileprivate var hasQuery: Bool {
    switch form {
    case .all, .tooDeep: false
    case .not(let filter): filter.hasQuery
    case .and(let filters), .or(let filters): filters.contains(where: \.hasQuery)
    case .comparison(let comparison): comparison.operator == .search
    }
  }
}
