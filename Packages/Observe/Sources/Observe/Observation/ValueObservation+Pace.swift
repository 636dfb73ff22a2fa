extension ValueObservation {
  /// Fetches the value anew, too, once it is so old, for what it depends on besides commits that are seen: other
  /// processes, `PRAGMA`s, the time, functions of the application.
  ///
  /// ```swift
  /// let due = database.observe { connection in
  ///   try connection.values(String.self, "SELECT name FROM task WHERE due < datetime('now')")
  /// }
  /// for try await names in due.refreshed(within: .seconds(60)).removeDuplicates() { show(names) }
  /// ```
  ///
  /// Nothing but time makes the difference: values come at each commit as ever, and each fetch begins the time
  /// anew. Only while a consumer waits is there a timer. Who asks later than that gets a fresh value
  /// at once; who is paused, when it is resumed. Intervals and rests of `throttled` go before.
  ///
  /// - Parameters:
  ///   - maximumStaleness: How long after a fetch the value counts as fresh: more than zero.
  ///   - clock: Tells the time; a test has one of its own.
  public func refreshed<Pace: Clock>(
    within maximumStaleness: Duration, clock: Pace = ContinuousClock()
  ) -> ValueObservation where Pace.Duration == Duration {
    precondition(maximumStaleness > .zero, "a value is fresh for a time that is more than zero")
    var observation = self
    observation.timing.staleness = { FetchTimer(.staleness(maximumStaleness), clock: clock) }
    return observation
  }

  /// Fetches no more often than a share of the time allows: after a fetch that took long, the next
  /// waits long.
  ///
  /// ```swift
  /// // The fetch takes a reader at most a tenth of the time, however much is committed.
  /// let totals = database.observe(fetchTotals).throttled(maximumLoad: 0.1)
  /// ```
  ///
  /// The first value comes at once, and the last always: what is committed during the rest causes one fetch
  /// after it. A value that takes a millisecond is hardly ever late, with one that takes a second a burst
  /// of commits is bearable. It combines with ``throttled(minimumInterval:clock:)``, which comes after it.
  ///
  /// - Parameters:
  ///   - maximumLoad: The share: more than 0, and at most 1. The rest after each fetch is
  ///     `(1 - maximumLoad) / maximumLoad` times as long as it took.
  ///   - clock: Tells the time; a test has one of its own.
  public func throttled<Pace: Clock>(
    maximumLoad: Double, clock: Pace = ContinuousClock()
  ) -> ValueObservation where Pace.Duration == Duration {
    precondition(
      maximumLoad > 0 && maximumLoad <= 1, "a share of the time is more than 0, and at most 1")
    let factor = (1 - maximumLoad) / maximumLoad
    var observation = self
    observation.timing.load = { FetchTimer(.rest(factor), clock: clock) }
    return observation
  }
}

extension DatabaseObservation.Results {
  /// Fetches anew, too, once the value is so old, or the last fetch has failed so long ago: see
  /// ``ValueObservation/refreshed(within:clock:)``.
  ///
  /// So a fetch is repeated whose failure no commit can mend.
  public func refreshed<Pace: Clock>(
    within maximumStaleness: Duration, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    Self(observation: observation.refreshed(within: maximumStaleness, clock: clock))
  }

  /// Fetches no more often than a share of the time allows: see
  /// ``ValueObservation/throttled(maximumLoad:clock:)``.
  public func throttled<Pace: Clock>(
    maximumLoad: Double, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    Self(observation: observation.throttled(maximumLoad: maximumLoad, clock: clock))
  }
}
