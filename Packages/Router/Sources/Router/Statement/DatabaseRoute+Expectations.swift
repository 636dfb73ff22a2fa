extension DatabaseRoute.Expectation {
  /// One row more than the maximum, which suffices to detect an excess.
  var rowLimit: Int {
    switch self {
    case .one: 2
    case .atMost(let count): count == Int.max ? count : count + 1
    }
  }

  func check(_ count: Int, of route: DatabaseRoute) throws(RouterError) {
    switch self {
    case .one where count == 0: throw .notFound(route)
    case .one where count > 1, .atMost(1) where count > 1:
      throw RouterError(
        code: .multipleRows, message: "expected at most one row, got more", table: route.table.name,
        routeId: route.id, route: route.description)
    case .atMost(let most) where count > most:
      throw .tooManyRows(most, route)
    default: break
    }
  }
}

extension RouterError {
  static func notFound(_ route: DatabaseRoute) -> RouterError {
    RouterError(
      code: .notFound, message: "expected one row, got none", table: route.table.name,
      routeId: route.id, route: route.description)
  }

  static func tooManyRows(_ most: Int, _ route: DatabaseRoute) -> RouterError {
    RouterError(
      code: .tooManyRows, message: "expected at most \(most) rows, got more",
      table: route.table.name, routeId: route.id, route: route.description)
  }

  /// Returns the error with the route's details, unless the error has its own.
  public func of(_ route: DatabaseRoute) -> RouterError {
    var error = self
    error.table = table ?? route.table.name
    error.routeId = routeId ?? route.id
    error.route = self.route ?? route.description
    return error
  }
}
