public import Observation

/// A relation's key and target are observable. Both are refreshed after commits if the owner is:
/// see ``ModelSession/followChanges(_:)``.
extension OneRelation: Observable {
  func access() {
    let registrar = with { state -> ObservationRegistrar in
      if let existing = state.registrar { return existing }
      let newRegistrar = ObservationRegistrar()
      state.registrar = newRegistrar
      return newRegistrar
    }
    ObservedContent.access(by: registrar)
  }

  /// Changes the state and notifies observers.
  @discardableResult
  func mutate<Result: Sendable>(_ body: (inout ToOneState) -> Result) -> Result {
    guard let registrar = with({ $0.registrar }) else { return with(body) }
    return ObservedContent.mutate(by: registrar) { with(body) }
  }
}
