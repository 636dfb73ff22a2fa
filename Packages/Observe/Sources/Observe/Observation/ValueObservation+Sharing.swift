internal import SQLiteCore

extension ValueObservation {
  /// Has observations of one database that have equal keys fetch once for all of them, where a commit has made them
  /// stale together.
  ///
  /// ```swift
  /// let count = database.observe { try $0.value(Int.self, "SELECT count(*) FROM player") ?? 0 }
  ///   .shared(by: "number of players")
  /// ```
  ///
  /// Each goes on for itself: who comes later fetches a first value, and who is slow is given the latest.
  ///
  /// - Parameter key: Says what is fetched: observations with equal keys and the same type of value have to fetch the
  ///   same.
  public func shared(by key: some Hashable & Sendable) -> ValueObservation {
    wrapped { run, fetch in
      let known = run.flush.value(of: AnyHashable(key), Value.self)
      if let known {
        run.region = run.region.union(known.region)
        return known.value
      }
      // What is read here alone is what others depend on, too.
      var part = FetchRun(connection: run.connection, flush: run.flush)
      defer { run.region = run.region.union(part.region) }
      let value = try fetch(&part)
      // A failure is each one's own: a fetch is interrupted where its consumer is gone.
      run.flush.keep(value, part.region, for: AnyHashable(key))
      return value
    }
  }

  /// What is made of each value, on a reader's thread.
  ///
  /// Unlike `map`, it gives an observation, which can go on to be named, throttled and compared. A comparison that was
  /// there before, of `removeDuplicates()`, is not of these values, and is left out.
  ///
  /// - Parameter transform: What it throws counts as the fetch's.
  public func transformed<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> ValueObservation<Other> {
    fetching { [fetch] run in try transform(try fetch(&run)) }
  }

  /// The observation with something done around each fetch.
  func wrapped(
    _ body:
      @escaping @Sendable (inout FetchRun, (inout FetchRun) throws -> Value) throws -> Value
  ) -> ValueObservation {
    var observation = fetching { [fetch] run in try body(&run, fetch) }
    observation.isDuplicate = isDuplicate
    return observation
  }

  /// The observation with another fetch, and no comparison.
  private func fetching<Other>(
    _ fetch: @escaping @Sendable (inout FetchRun) throws -> Other
  ) -> ValueObservation<Other> {
    var observation = ValueObservation<Other>(database: database, region: region, fetch: fetch)
    observation.control = control
    observation.name = name
    observation.timing = timing
    return observation
  }
}
