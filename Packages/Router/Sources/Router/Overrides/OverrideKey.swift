/// By what an override is found. A call has a few keys, so that it matters little how many overrides there are.
enum OverrideKey: Hashable, Sendable {
  /// The names of a case, and of those that it is in.
  case names([String])
  case id(String, table: DatabaseRoute.Table?)
  case method(DatabaseRoute.Method, table: DatabaseRoute.Table?)
  case table(DatabaseRoute.Table)
  case route(DatabaseRoute)
  /// The override looks at each call.
  case any
}

/// What an override is asked about.
struct OverriddenCall: Sendable {
  /// What is asked of the database.
  let route: DatabaseRoute
  /// The case of the whole collection of routes that asks it, where one does.
  let collectionRoute: (any Sendable)?

  /// The keys under which overrides of the call may be.
  var keys: [OverrideKey] {
    var keys: [OverrideKey] = [
      .any, .route(route), .table(route.table), .method(route.method, table: nil),
      .method(route.method, table: route.table),
    ]
    if let id = route.id { keys += [.id(id, table: nil), .id(id, table: route.table)] }
    if let cases = collectionRoute as? any CasePathable {
      var names = cases.caseNames
      while !names.isEmpty {
        keys.append(.names(names))
        names.removeLast()
      }
    }
    return keys
  }
}

/// An override, of whatever router: which calls it is for, and what it answers.
struct RouteOverride: Sendable {
  let key: OverrideKey
  /// What the override is for, in words.
  let name: String
  /// The route of the database that the override is for too, where that has to be asked of a collection.
  var route: (@Sendable () async throws -> DatabaseRoute)?
  /// `nil` where it is not for the call after all.
  let reply: @Sendable (OverriddenCall) async throws -> RouteReply?
}
