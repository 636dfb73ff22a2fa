public import Observe

/// Changed copies. What concerns how a database is asked has no effect on values that come from elsewhere.
extension DatabaseRoute.Observation {
  /// What is made of each value, on a reader's thread. What it throws counts as the route's.
  public func transformed<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> DatabaseRoute.Observation<Other> {
    switch source {
    case .database(let values): DatabaseRoute.Observation<Other>(values.transformed(transform))
    case .sequence(let begin):
      DatabaseRoute.Observation<Other>(
        .sequence {
          let step = begin()
          return { try await step().map(transform) }
        })
    case .deferred(let ask):
      DatabaseRoute.Observation<Other>(.deferred { try await ask().transformed(transform) })
    case .failure(let error): DatabaseRoute.Observation<Other>(throwing: error)
    }
  }

  /// Skips a value that is equal to the one before, by a rule of yours.
  public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (Value, Value) -> Bool
  ) -> Self {
    switch source {
    case .database(let values): Self(values.removeDuplicates(by: isDuplicate))
    case .sequence(let begin):
      Self(
        .sequence {
          let step = begin()
          var last: Value?
          return {
            while let value = try await step() {
              if let last, isDuplicate(last, value) { continue }
              last = value
              return value
            }
            return nil
          }
        })
    case .deferred(let ask):
      Self(.deferred { try await ask().removeDuplicates(by: isDuplicate) })
    case .failure: self
    }
  }

  /// Fetches anew, too, once the value is so old: where a policy depends on the time, say. See
  /// `ValueObservation.refreshed(within:)`.
  public func refreshed<Pace: Clock>(
    within maximumStaleness: Duration, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    changed { $0.refreshed(within: maximumStaleness, clock: clock) }
  }

  /// Fetches no more often than a share of the time allows: see `ValueObservation.throttled(maximumLoad:)`.
  public func throttled<Pace: Clock>(
    maximumLoad: Double, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    changed { $0.throttled(maximumLoad: maximumLoad, clock: clock) }
  }

  /// Has a control pause it and resume it.
  public func controlled(by control: DatabaseObservation.Control) -> Self {
    changed { $0.controlled(by: control) }
  }

  /// Gives it a name, where observations are looked at; its own is the route's description.
  public func named(_ name: String) -> Self { changed { $0.named(name) } }

  private func changed(
    _ change: @escaping @Sendable (ValueObservation<Value>) -> ValueObservation<Value>
  ) -> Self {
    switch source {
    case .database(let values): Self(change(values))
    case .deferred(let ask): Self(.deferred { try await ask().changed(change) })
    case .sequence, .failure: self
    }
  }
}

extension DatabaseRoute.Observation where Value: Equatable {
  /// Skips a value that is equal to the one before.
  public func removeDuplicates() -> Self { removeDuplicates { $0 == $1 } }
}
