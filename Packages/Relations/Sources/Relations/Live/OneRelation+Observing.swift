public import Observation

/// What it leads to can be observed: its key, and what was fetched for it. Both follow the commits where its owner does: see
/// ``ModelSession/followChanges(_:)``.
extension OneRelation: Observable {
  func access<Value>(_ path: KeyPath<OneRelation, Value>) {
    let registrar = with { state -> ObservationRegistrar in
      if let known = state.registrar { return known }
      let made = ObservationRegistrar()
      state.registrar = made
      return made
    }
    registrar.access(self, keyPath: path)
  }

  /// Changes it, and tells those who have looked at it.
  @discardableResult
  func mutate<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    guard let registrar = with(\.registrar) else { return with(body) }
    return registrar.withMutation(of: self, keyPath: \.key) {
      registrar.withMutation(of: self, keyPath: \._object) { with(body) }
    }
  }
}
