/// A recording's answer to a call.
enum ReplayResult {
  case responses([DatabaseRoute.Response])
  case failure(any Error)
  /// No answer, with the reason.
  case none(String)
}

extension RouteRecording.Call: CustomStringConvertible {
  /// The routes in short form, without their values.
  public var description: String {
    let routes = routes.map { "'\($0)'" }.joined(separator: ", ")
    return isBatch ? "[\(routes)] together" : routes
  }
}

extension RouteRecording.Call {
  /// Returns this call's outcome for a call of equal routes, which may have other expectations about the number of
  /// rows, and may or may not request the written rows.
  func answer(to requested: [DatabaseRoute]) -> ReplayResult {
    switch outcome {
    case .failure(let failure): answer(to: requested, failure)
    case .responses(let responses): answer(to: requested, responses)
    }
  }

  private func answer(
    to requested: [DatabaseRoute], _ responses: [DatabaseRoute.Response]
  ) -> ReplayResult {
    guard responses.count == requested.count, routes.count == requested.count else {
      return .none(
        "the recorded call has \(responses.count) responses to \(requested.count) routes")
    }
    var answers: [DatabaseRoute.Response] = []
    for (route, (recorded, response)) in zip(requested, zip(routes, responses)) {
      var answer = response
      if route.writesRecords {
        if route.returning == .minimal {
          answer = DatabaseRoute.Response(affected: response.affected)
        } else if recorded.returning == .minimal, response.affected > 0 {
          return .none("the call was recorded without the rows that it wrote")
        }
      }
      do {
        try route.check(answer)
      } catch {
        return .failure(error)
      }
      answers.append(answer)
    }
    return .responses(answers)
  }

  private func answer(
    to requested: [DatabaseRoute], _ failure: RouteRecording.Failure
  ) -> ReplayResult {
    guard case .router(let error) = failure, error.isAboutCount,
      requested.map(\.expectation) != routes.map(\.expectation)
    else { return .failure(failure.error) }
    if !isBatch, let requested = requested.first, let recorded = routes.first {
      switch error.code {
      // The method allows at most one row, regardless of the call.
      case .multipleRows where requested.method == .fetchOne: return .failure(error)
      case .multipleRows:
        do {
          try requested.expectation?.check(2, of: requested)
        } catch {
          return .failure(error)
        }
      case .notFound where recorded.method != .custom:
        // The recorded call found no row, which is an answer if no row is required.
        do {
          try requested.check(DatabaseRoute.Response())
          return .responses([DatabaseRoute.Response()])
        } catch {
          return .failure(error)
        }
      default: break
      }
    }
    return .none(
      "the call was recorded with another expected number of rows, which it did not meet")
  }
}

extension RouterError {
  /// Indicates whether the error concerns the number of rows.
  fileprivate var isAboutCount: Bool {
    code == .notFound || code == .multipleRows || code == .tooManyRows
  }
}

/// The key for matching calls with recorded calls: their routes, without expectations about the number of rows and
/// without the selection of returned rows.
struct RouteCallKey: Hashable {
  let routes: [DatabaseRoute]
  let isBatch: Bool

  init(_ routes: [DatabaseRoute], isBatch: Bool) {
    self.routes = routes.map { route in
      guard route.expectation != nil || route.returning != .representation else { return route }
      var route = route.returningRows
      route.expectation = nil
      return route
    }
    self.isBatch = isBatch
  }

  init(_ call: RouteRecording.Call) { self.init(call.routes, isBatch: call.isBatch) }

  /// Returns the distance of two calls. The table and the method have more weight than the other parts.
  func distance(from other: RouteCallKey) -> Int {
    var distance = isBatch == other.isBatch ? 0 : 8
    distance += 20 * abs(routes.count - other.routes.count)
    for (route, other) in zip(routes, other.routes) {
      let parts = route.differences(from: other)
      distance += parts.count
      if route.table != other.table { distance += 8 }
      if route.method != other.method { distance += 4 }
    }
    return distance
  }

  /// Returns the differences of two calls, in words without values.
  func differences(from other: RouteCallKey) -> String {
    if isBatch != other.isBatch {
      return isBatch ? "that it ran alone" : "that it ran several routes together"
    }
    if routes.count != other.routes.count { return "that it has \(other.routes.count) routes" }
    for (index, (route, other)) in zip(routes, other.routes).enumerated() where route != other {
      let parts = route.differences(from: other).joined(separator: ", ")
      return isBatch ? "route \(index + 1): \(parts)" : parts
    }
    return "nothing"
  }
}

extension DatabaseRoute {
  /// Returns the parts in which a route differs from another, in words without values.
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
    compare("its counting method", \.counting)
    compare("its conflict", \.conflict)
    compare("its embedded rows", \.embeds)
    if statement != other.statement {
      parts.append(
        statement?.text == other.statement?.text ? "the values of its SQL" : "its SQL")
    }
    compare("its expectation", \.expectation)
    compare("the rows that it returns", \.returning)
    return parts
  }
}
