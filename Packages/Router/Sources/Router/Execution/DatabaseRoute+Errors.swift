internal import SQLiteCore

extension DatabaseRoute {
  /// Returns an error of the route with the route added, and without the searched text.
  func addingContext(_ error: any Error) -> any Error {
    if let error = error as? RouterError { return error.of(self) }
    if let error = error as? SQLiteError, let violation = RouterError(violationIn: error) {
      return violation.of(self)
    }
    // FTS5 includes a malformed query, which is a value, in its message.
    if let error = error as? SQLiteError, error.code.primary == .error, hasQuery {
      return RouterError.invalid("SQLite can't run the route: check the FTS5 query of its search")
        .of(self)
    }
    return error
  }

  /// Indicates whether the route contains a query in the engine's full-text language.
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
