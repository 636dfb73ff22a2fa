public import Observation

/// What it leads to can be observed: its key, and what was fetched for it. Both follow the commits where its owner does: see
/// ``ModelSession/followChanges(_:)``.
extension OneRelation: Observable {
  func access() {
    let registrar = with { state -> ObservationRegistrar in
      if let known = state.registrar { return known }
      let made = ObservationRegistrar()
      state.registrar = made
      return made
    }
    Watched.access(by: registrar)
  }

  /// Changes it, and tells those who have looked at it.
  @discardableResult
  func mutate<Result: Sendable>(_ body: (inout OneState) -> Result) -> Result {
    guard let registrar = with({ $0.registrar }) else { return with(body) }
    return Watched.mutate(by: registrar) { with(body) }
  }
}
