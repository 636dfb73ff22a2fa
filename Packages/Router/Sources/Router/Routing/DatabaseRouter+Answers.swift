extension DatabaseRouter {
  /// Whether nothing but the executor has to be asked, or told.
  var isPlain: Bool {
    overrides.isEmpty && log == nil && OverrideScope.current.isEmpty
  }

  /// What a call comes to: by an override, or else by the executor.
  func answered<Result>(
    _ asked: AskedRoute<Routes>,
    by override: (RouteAnswer, DatabaseRoute) throws -> Result,
    else execute: (DatabaseRoute) async throws -> Result
  ) async throws -> Result {
    if isPlain { return try await execute(asked.route()) }
    let call = await routed(asked)
    do {
      let result =
        if let answer = call.answer {
          try override(answer.result.get(), call.call.routeOrNone)
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

  /// A call, with the override that answers it.
  ///
  /// - Parameter isFirst: Whether overrides answer as if nobody had called before.
  func routed(_ asked: AskedRoute<Routes>, isFirst: Bool = false) async -> RoutedCall {
    let start = ContinuousClock.now
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.reversed().map(\.overrides) + [overrides]
    let route: Result<DatabaseRoute, any Error>
    do {
      let asked = try await asked.route()
      try asked.checkNesting()
      route = .success(asked)
    } catch {
      // A case may be overridden whose route can't be said here.
      route = .failure(error)
    }
    let call = OverriddenCall(
      route: try? route.get(), collectionRoute: wholeRoute(for: asked, try? route.get()),
      isOfCollection: asked.isOfCollection)
    var answer: OverrideAnswer?
    for table in tables where answer == nil && !table.isEmpty {
      answer = await table.answer(call, isFirst: isFirst)
    }
    return RoutedCall(
      call: call, route: route, answer: answer,
      logs: scopes.compactMap(\.log) + (log.map { [$0] } ?? []), start: start)
  }

  /// The route of the whole router's collection that is called; for a route of the database the one that asks it,
  /// where the collection can tell.
  private func wholeRoute(
    for asked: AskedRoute<Routes>, _ route: DatabaseRoute?
  ) -> (any Sendable)? {
    if case .ofCollection(let route, _) = asked { return place.embed(route) }
    guard let route, let collection = Routes.self as? any RouteCollection.Type,
      let found = collection.collectionRoute(for: route) as? Routes
    else { return nil }
    return place.embed(found)
  }
}

/// What a router is called with.
enum AskedRoute<Routes: Sendable>: Sendable {
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

extension AskedRoute where Routes: RouteCollection {
  init(_ route: Routes) { self = .ofCollection(route) { try await route.route() } }
}

/// A call of a router that has overrides, or a log.
struct RoutedCall {
  let call: OverriddenCall
  /// What is asked of the database, or why that can't be said.
  let route: Result<DatabaseRoute, any Error>
  let answer: OverrideAnswer?
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
