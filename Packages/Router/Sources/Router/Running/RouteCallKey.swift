/// What has to be equal in two calls for the one to answer the other: their routes, but for what the call says of
/// the number of rows, and of what is given back.
struct RouteCallKey: Hashable {
  let routes: [DatabaseRoute]
  let isTogether: Bool

  init(_ routes: [DatabaseRoute], isTogether: Bool) {
    self.routes = routes.map { route in
      guard route.expectation != nil || route.returning != .representation else { return route }
      var route = route.givingRows
      route.expectation = nil
      return route
    }
    self.isTogether = isTogether
  }

  init(_ call: RouteRecording.Call) { self.init(call.routes, isTogether: call.isTogether) }

  /// How much two calls differ: the table and the method count for more than the rest.
  func distance(from other: RouteCallKey) -> Int {
    var distance = isTogether == other.isTogether ? 0 : 8
    distance += 20 * abs(routes.count - other.routes.count)
    for (route, other) in zip(routes, other.routes) {
      let parts = route.differences(from: other)
      distance += parts.count
      if route.table != other.table { distance += 8 }
      if route.method != other.method { distance += 4 }
    }
    return distance
  }

  /// In what two calls differ, in words without values.
  func differences(from other: RouteCallKey) -> String {
    if isTogether != other.isTogether {
      return isTogether ? "that it ran by itself" : "that it was a call of several together"
    }
    if routes.count != other.routes.count { return "that it has \(other.routes.count) routes" }
    for (index, (route, other)) in zip(routes, other.routes).enumerated() where route != other {
      let parts = route.differences(from: other).joined(separator: ", ")
      return isTogether ? "route \(index + 1): \(parts)" : parts
    }
    return "nothing"
  }
}

extension DatabaseRoute {
  /// The parts in which a route differs from another, in words without values.
  fileprivate func differences(from other: DatabaseRoute) -> [String] {
    var parts: [String] = []
    func compare<Part: Equatable>(_ name: String, _ path: (DatabaseRoute) -> Part) {
      if path(self) != path(other) { parts.append(name) }
    }
    compare("its method", \.method)
    compare("its table", \.table)
    compare("its id", \.id)
    compare("its columns", \.columns)
    if filter != other.filter {
      let isSameForm = filter?.description == other.filter?.description
      parts.append(isSameForm ? "the values of its filter" : "its filter")
    }
    compare("its order", \.orders)
    compare("its limit", \.limit)
    compare("its offset", \.offset)
    compare("its page", \.page)
    if values != other.values {
      let columns = values.map { $0.fields.map(\.column) }
      parts.append(
        values.count != other.values.count
          ? "the number of its rows"
          : columns == other.values.map { $0.fields.map(\.column) }
            ? "the values that it writes" : "the columns that it writes")
    }
    compare("its aggregates", \.aggregates)
    if groupFilter != other.groupFilter {
      let isSameForm = groupFilter?.description == other.groupFilter?.description
      parts.append(
        isSameForm ? "the values of the filter of its groups" : "the filter of its groups")
    }
    compare("how it counts", \.counting)
    compare("its conflict", \.conflict)
    compare("its embedded rows", \.embeds)
    if statement != other.statement {
      parts.append(
        statement?.text == other.statement?.text ? "the values of its SQL" : "its SQL")
    }
    compare("what it expects", \.expectation)
    compare("what it gives back", \.returning)
    return parts
  }
}
