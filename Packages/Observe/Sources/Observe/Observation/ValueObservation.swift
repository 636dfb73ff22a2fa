internal import SQLiteCore

/// A value that is fetched from a database, and fetched again after a commit that may have changed
/// it.
///
/// ```swift
/// let scores = database.observe { connection in
///   try connection.values(Int.self, "SELECT score FROM player ORDER BY score DESC")
/// }
/// for try await best in scores { print(best) }
/// ```
///
/// Each iteration is a separate observation. Its first element is the value at the time of the
/// request; each later element is a newer value, fetched after a commit that may have changed it.
/// - No change is missed: after the last commit, the last element equals the result of a new fetch.
/// - Work is done only while a consumer waits for an element. A slow consumer receives the latest
///   value next, and not the skipped ones; a consumer that stops iterating has no further cost.
/// - Observations that wait for the same commit fetch in one read transaction, so their values are
///   consistent.
/// - A rolled back transaction is never observed, and a commit that does not change the read data
///   causes no fetch. An element may still equal the previous one: see `removeDuplicates()`.
/// - Cancelling the task ends the iteration, and interrupts its fetch.
/// - An error of the fetch ends the iteration, which rethrows it; ``results`` continues. Closing
///   the database ends the iteration with `SQLiteError` of code `closed`.
public struct ValueObservation<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  let database: ObservedDatabase
  /// `nil` if each fetch determines the region.
  let region: Region?
  let fetch: @Sendable (inout FetchContext) throws -> Value
  /// Reads a value from the snapshot of a ``ChangeSource``, which `fetch` then transforms; `nil` for an SQLite database.
  var load: Load?
  var isDuplicate: (@Sendable (Value, Value) -> Bool)?
  var control: DatabaseObservation.Control?
  var name: String?
  /// Creates an iteration's timer of the value's age, and its timer of the load.
  var makeStalenessTimer: (@Sendable () -> RefreshTimer)?
  var makeLoadTimer: (@Sendable () -> RefreshTimer)?

  /// Reads a value from a snapshot.
  struct Load: Sendable {
    let body: @Sendable (any Sendable) async -> LoadedValue
    /// Identifies equal values that are loaded once.
    var key: SharingKey?
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(subscription: subscribe(endsOnFailure: true))
  }

  /// Begins an iteration.
  ///
  /// - Parameter endsOnFailure: Whether a failed fetch ends the iteration, and its error is thrown.
  ///   Otherwise the error is an element.
  func subscribe(endsOnFailure: Bool) -> Subscription<Result<Value, any Error>> {
    let refreshTimers = [makeStalenessTimer, makeLoadTimer].compactMap { $0?() }
    let observer = ValueObserver(
      self, refreshTimers: refreshTimers, endsOnFailure: endsOnFailure)
    return Subscription(
      to: database, inbox: observer.inbox, control: control, refreshTimers: refreshTimers
    ) {
      $0.add(observer, endsOnFailure: endsOnFailure, name: name)
    }
  }

  /// Skips values that are equal to the previous one, by a custom comparison.
  ///
  /// - Parameter isDuplicate: Compares the last element with a new value, on a reader's thread.
  public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (Value, Value) -> Bool
  ) -> ValueObservation {
    var observation = self
    observation.isDuplicate = isDuplicate
    return observation
  }

  /// One iteration, starting with its first value. It ends when the iterator is released.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: Subscription<Result<Value, any Error>>

    /// Returns the next value. It is fetched now if the last one is stale, otherwise after the next
    /// relevant commit.
    ///
    /// - Returns: `nil` if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      try await subscription.next()?.get()
    }

    /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
    public mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }
  }
}

extension ValueObservation where Value: Equatable {
  /// Skips values that are equal to the previous one.
  public func removeDuplicates() -> ValueObservation { removeDuplicates { $0 == $1 } }
}

extension ValueObservation {
  /// Also refetches the value when it reaches a maximum age, for values with dependencies other
  /// than observed commits: other processes, `PRAGMA`s, the time, functions of the application.
  ///
  /// ```swift
  /// let due = database.observe { connection in
  ///   try connection.values(String.self, "SELECT name FROM task WHERE due < datetime('now')")
  /// }
  /// for try await names in due.refreshed(within: .seconds(60)).removeDuplicates() { show(names) }
  /// ```
  ///
  /// Commits cause fetches as usual, and each fetch restarts the timer, which exists only while a
  /// consumer waits. A consumer that requests a value after the maximum age immediately receives a
  /// new one; a paused one receives it when it is resumed. The intervals and cooldowns of `throttled`
  /// take precedence.
  ///
  /// - Parameters:
  ///   - maximumStaleness: The maximum age of the value: more than zero.
  ///   - clock: The clock that measures the age. Tests can pass their own.
  public func refreshed<C: Clock>(
    within maximumStaleness: Duration, clock: C = ContinuousClock()
  ) -> ValueObservation where C.Duration == Duration {
    precondition(maximumStaleness > .zero, "`maximumStaleness` must be greater than zero")
    var observation = self
    observation.makeStalenessTimer = { RefreshTimer(.staleness(maximumStaleness), clock: clock) }
    return observation
  }

  /// Limits the share of time spent fetching: the longer a fetch takes, the longer the next one is
  /// delayed.
  ///
  /// ```swift
  /// // Fetching takes at most a tenth of the time, regardless of the number of commits.
  /// let totals = database.observe(fetchTotals).throttled(maximumLoad: 0.1)
  /// ```
  ///
  /// The first value is delivered immediately, and always the last one: commits during the rest
  /// cause one fetch after it. A value with a short fetch is hardly delayed, and the cost of a long
  /// fetch stays limited during a burst of commits. This can be combined with
  /// ``throttled(minimumInterval:clock:)``, which is applied after it.
  ///
  /// - Parameters:
  ///   - maximumLoad: The maximum share of time: more than 0, and at most 1. The rest after each
  ///     fetch takes `(1 - maximumLoad) / maximumLoad` times the fetch's duration.
  ///   - clock: The clock that measures durations. Tests can pass their own.
  public func throttled<C: Clock>(
    maximumLoad: Double, clock: C = ContinuousClock()
  ) -> ValueObservation where C.Duration == Duration {
    precondition(
      maximumLoad > 0 && maximumLoad <= 1, "`maximumLoad` must be greater than 0 and at most 1")
    let factor = (1 - maximumLoad) / maximumLoad
    var observation = self
    observation.makeLoadTimer = { RefreshTimer(.cooldown(factor), clock: clock) }
    return observation
  }
}

extension DatabaseObservation.Results {
  /// Also refetches when the value, or the last failure, reaches a maximum age: see
  /// ``ValueObservation/refreshed(within:clock:)``.
  ///
  /// This retries a fetch whose failure no commit can fix.
  public func refreshed<C: Clock>(
    within maximumStaleness: Duration, clock: C = ContinuousClock()
  ) -> Self where C.Duration == Duration {
    Self(observation: observation.refreshed(within: maximumStaleness, clock: clock))
  }

  /// Limits the share of time spent fetching: see
  /// ``ValueObservation/throttled(maximumLoad:clock:)``.
  public func throttled<C: Clock>(
    maximumLoad: Double, clock: C = ContinuousClock()
  ) -> Self where C.Duration == Duration {
    Self(observation: observation.throttled(maximumLoad: maximumLoad, clock: clock))
  }
}

extension ValueObservation {
  /// Shares fetches between observations of one database with equal keys: a commit that makes
  /// several of them stale causes one fetch.
  ///
  /// ```swift
  /// let count = database.observe { try $0.value(Int.self, "SELECT count(*) FROM player") ?? 0 }
  ///   .shared(by: "number of players")
  /// ```
  ///
  /// The observations are otherwise independent: a later one fetches its own first value, and a
  /// slow one receives the latest value.
  ///
  /// - Parameter key: The identity of the fetched value. Observations with equal keys and the same
  ///   value type must fetch the same value.
  public func shared(by key: some Hashable & Sendable) -> ValueObservation {
    let key = SharingKey(key, Value.self)
    if load != nil {
      var observation = self
      observation.load?.key = key
      return observation
    }
    return wrapped { context, fetch in
      let known = context.cache.value(for: key, Value.self)
      if let known {
        context.region = context.region.union(known.region)
        return known.value
      }
      // The region of this fetch is also a dependency of the other observations.
      var inner = FetchContext(context.input, cache: context.cache)
      defer { context.region = context.region.union(inner.region) }
      let value = try fetch(&inner)
      // Failures are not shared: a fetch is interrupted if its consumer was released.
      context.cache.store(value, inner.region, for: key)
      return value
    }
  }

  /// Transforms each value, on a reader's thread.
  ///
  /// Unlike `map`, this returns an observation, which can be named, throttled and compared. An
  /// earlier `removeDuplicates()` does not apply to the transformed values and is dropped.
  ///
  /// - Parameter transform: Transforms a value. An error that it throws counts as an error of the
  ///   fetch.
  public func transformed<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> ValueObservation<Other> {
    fetching { [fetch] context in try transform(try fetch(&context)) }
  }

  /// Returns the observation with `body` around each fetch.
  func wrapped(
    _ body:
      @escaping @Sendable (inout FetchContext, (inout FetchContext) throws -> Value) throws -> Value
  ) -> ValueObservation {
    var observation = fetching { [fetch] context in try body(&context, fetch) }
    observation.isDuplicate = isDuplicate
    return observation
  }

  /// Returns the observation with another fetch, and without a comparison.
  private func fetching<Other>(
    _ fetch: @escaping @Sendable (inout FetchContext) throws -> Other
  ) -> ValueObservation<Other> {
    var observation = ValueObservation<Other>(database: database, region: region, fetch: fetch)
    observation.load = load.map { ValueObservation<Other>.Load(body: $0.body, key: $0.key) }
    observation.control = control
    observation.name = name
    observation.makeStalenessTimer = makeStalenessTimer
    observation.makeLoadTimer = makeLoadTimer
    return observation
  }
}
