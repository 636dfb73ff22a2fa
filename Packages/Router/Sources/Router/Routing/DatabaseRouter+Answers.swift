extension DatabaseRouter {
  /// Indicates whether there are no overrides and logs, so that the executor can be called directly.
  var isPlain: Bool {
    overrides.isEmpty && log == nil && OverrideScope.current.isEmpty
  }

  /// Answers a call by an override or else by the executor.
  func answered<Result>(
    _ reference: RouteReference<Routes>,
    by override: (OverrideValue, DatabaseRoute) throws -> Result,
    else execute: (DatabaseRoute) async throws -> Result
  ) async throws -> Result {
    if isPlain { return try await execute(reference.route()) }
    let call = await routed(reference)
    do {
      let result =
        if let answer = call.answer {
          try override(answer.result.get(), call.call.routeOrPlaceholder)
        } else {
          try await execute(call.route.get())
        }
      call.log(nil)
      return result
    } catch {
      call.log(error)
      throw error
    }
  }

  /// Looks up the override that answers a call.
  ///
  /// - Parameter isFirst: Whether overrides answer as if it were their first call.
  func routed(_ reference: RouteReference<Routes>, isFirst: Bool = false) async -> RoutedCall {
    let start = ContinuousClock.now
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.reversed().map(\.overrides) + [overrides]
    let route: Result<DatabaseRoute, any Error>
    do {
      let resolved = try await reference.route()
      try resolved.checkNesting()
      route = .success(resolved)
    } catch {
      // A case can be overridden even if its route can't be determined.
      route = .failure(error)
    }
    let call = OverriddenCall(
      route: try? route.get(), collectionRoute: rootRoute(for: reference, try? route.get()),
      isOfCollection: reference.isOfCollection)
    var answer: MatchedOverride?
    for table in tables where answer == nil && !table.isEmpty {
      answer = await table.answer(call, isFirst: isFirst)
    }
    return RoutedCall(
      call: call, route: route, answer: answer,
      logs: scopes.compactMap(\.log) + (log.map { [$0] } ?? []), start: start)
  }

  /// Returns the called case of the router's root collection; for a database route, the case that the collection
  /// returns for it.
  private func rootRoute(
    for reference: RouteReference<Routes>, _ route: DatabaseRoute?
  ) -> (any Sendable)? {
    if case .ofCollection(let route, _) = reference { return casePath.embed(route) }
    guard let route, let collection = Routes.self as? any RouteCollection.Type,
      let found = collection.collectionRoute(for: route) as? Routes
    else { return nil }
    return casePath.embed(found)
  }
}

/// The argument of a router's call.
enum RouteReference<Routes: Sendable>: Sendable {
  case ofDatabase(DatabaseRoute)
  case ofCollection(Routes, @Sendable () async throws -> DatabaseRoute)

  var isOfCollection: Bool {
    if case .ofCollection = self { true } else { false }
  }

  func route() async throws -> DatabaseRoute {
    switch self {
    case .ofDatabase(let route): route
    case .ofCollection(_, let route): try await route()
    }
  }
}

extension RouteReference where Routes: RouteCollection {
  init(_ route: Routes) { self = .ofCollection(route) { try await route.route() } }
}

/// A call of a router that has overrides or a log.
struct RoutedCall {
  let call: OverriddenCall
  /// The database route, or the error if it can't be determined.
  let route: Result<DatabaseRoute, any Error>
  let answer: MatchedOverride?
  let logs: [RouteLog]
  let start: ContinuousClock.Instant

  func log(_ failure: (any Error)?) {
    if logs.isEmpty { return }
    let names = call.names
    let record = RouteLog.Call(
      name: names.isEmpty ? nil : names.joined(separator: "."), route: call.route,
      answer: answer.map { .override($0.name) } ?? .database,
      duration: start.duration(to: .now), failure: failure)
    for log in logs { log.append(record) }
  }
}
