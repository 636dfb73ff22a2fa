extension DatabaseRouter {
  /// What a call comes to: by an override, or else by the executor.
  func answered<Result>(
    _ route: DatabaseRoute, _ collectionRoute: Routes?,
    by override: (RouteAnswer) throws -> Result, else execute: () async throws -> Result
  ) async throws -> Result {
    guard let call = await routed(route, collectionRoute) else { return try await execute() }
    do {
      let result =
        if let answer = call.answer { try override(answer.result.get()) } else {
          try await execute()
        }
      call.log(nil)
      return result
    } catch {
      call.log(error)
      throw error
    }
  }

  /// Whether nothing but the executor has to be asked, or told.
  var isPlain: Bool {
    overrides.isEmpty && log == nil && OverrideScope.current.isEmpty
  }

  /// A call, with the override that answers it; `nil` where nothing but the executor has to be asked, or told.
  func routed(_ route: DatabaseRoute, _ collectionRoute: Routes?) async -> RoutedCall? {
    if isPlain { return nil }
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.reversed().map(\.overrides) + [overrides]
    let start = ContinuousClock.now
    let call = OverriddenCall(
      route: route, collectionRoute: wholeRoute(for: route, collectionRoute))
    return RoutedCall(
      call: call, answer: await answer(call, tables),
      logs: scopes.compactMap(\.log) + (log.map { [$0] } ?? []), start: start)
  }

  private func answer(_ call: OverriddenCall, _ tables: [OverrideTable]) async -> OverrideAnswer? {
    for table in tables where !table.isEmpty {
      if let answer = await table.answer(call) { return answer }
    }
    return nil
  }

  /// The route of the whole router's collection that is called; for a route of the database the one that asks it,
  /// where the collection can tell.
  private func wholeRoute(
    for route: DatabaseRoute, _ collectionRoute: Routes?
  ) -> (any Sendable)? {
    if let collectionRoute { return place.embed(collectionRoute) }
    guard let collection = Routes.self as? any RouteCollection.Type,
      let found = collection.collectionRoute(for: route) as? Routes
    else { return nil }
    return place.embed(found)
  }
}

/// A call of a router that has overrides, or a log.
struct RoutedCall {
  let call: OverriddenCall
  let answer: OverrideAnswer?
  let logs: [RouteLog]
  let start: ContinuousClock.Instant

  func log(_ failure: (any Error)?) {
    if logs.isEmpty { return }
    let record = RouteCall(
      name: (call.collectionRoute as? any CasePathable)?.caseNames.joined(separator: "."),
      route: call.route, answer: answer.map { .override($0.name) } ?? .database,
      duration: start.duration(to: .now), failure: failure)
    for log in logs { log.append(record) }
  }
}
