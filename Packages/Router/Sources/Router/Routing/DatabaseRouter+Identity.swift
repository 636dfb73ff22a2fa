public import Observe

/// A router as the context of queries: copies of one are the same as long as they have the same overrides, those of the
/// scopes that the caller is in too. So nobody is shown what an override answers to someone else.
extension DatabaseRouter: IdentifiedContext {
  public var contextIdentity: DatabaseContext.Identity {
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.map(\.overrides) + [overrides]
    return DatabaseContext.Identity(
      RouterContext(
        router: ObjectIdentifier(identity), place: place.names, isSealed: isSealed,
        overrides: tables.map { $0.entries.map(\.number) },
        logs: (scopes.compactMap(\.log) + (log.map { [$0] } ?? [])).map { ObjectIdentifier($0) }))
  }
}

/// What tells routers apart.
private struct RouterContext: Hashable {
  let router: ObjectIdentifier
  let place: [String]
  let isSealed: Bool
  /// The numbers of the overrides, of which no two are equal.
  let overrides: [[Int]]
  let logs: [ObjectIdentifier]
}
