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

  /// Which keys there are: no others are made of a call.
  struct Kinds: OptionSet {
    let rawValue: Int

    static let names = Kinds(rawValue: 1)
    static let id = Kinds(rawValue: 2)
    static let method = Kinds(rawValue: 4)
    static let table = Kinds(rawValue: 8)
    static let route = Kinds(rawValue: 16)
    static let any = Kinds(rawValue: 32)
  }

  var kind: Kinds {
    switch self {
    case .names: .names
    case .id: .id
    case .method: .method
    case .table: .table
    case .route: .route
    case .any: .any
    }
  }
}

/// What an override is asked about.
struct OverriddenCall: Sendable {
  /// What is asked of the database; `nil` where that could not be said.
  let route: DatabaseRoute?
  /// The case of the whole collection of routes that asks it, where one does.
  let collectionRoute: (any Sendable)?
  /// Whether it was called by that case, and not by the route.
  let isOfCollection: Bool
  /// Whether the override was found by the route that it comes to itself.
  var isFoundByRoute = false

  /// The names of the case that is called, from the outermost on.
  var names: [String] { (collectionRoute as? any CasePathable)?.caseNames ?? [] }

  /// The keys under which overrides of the call may be, of these kinds.
  func keys(of kinds: OverrideKey.Kinds) -> [OverrideKey] {
    var keys: [OverrideKey] = []
    if kinds.contains(.any) { keys.append(.any) }
    if kinds.contains(.names) {
      var names = names
      while !names.isEmpty {
        keys.append(.names(names))
        names.removeLast()
      }
    }
    guard let route else { return keys }
    if kinds.contains(.route) { keys.append(.route(route)) }
    if kinds.contains(.table) { keys.append(.table(route.table)) }
    if kinds.contains(.method) {
      keys.append(.method(route.method, table: nil))
      keys.append(.method(route.method, table: route.table))
    }
    if kinds.contains(.id), let id = route.id {
      keys.append(.id(id, table: nil))
      keys.append(.id(id, table: route.table))
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
  let reply: @Sendable (OverriddenCall) async throws -> DatabaseRoute.Reply?
}
