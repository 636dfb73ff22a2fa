internal import SQLiteCore

/// A value that is fetched from a database, and fetched again when a commit has made it stale.
///
/// ```swift
/// let scores = database.observe { connection in
///   try connection.values(Int.self, "SELECT score FROM player ORDER BY score DESC")
/// }
/// for try await best in scores { print(best) }
/// ```
///
/// Each iteration is an observation of its own. Its first element is the value as it is when the
/// iteration asks for it; each later one is a value of after a commit that may have changed it, later
/// than all that came before.
/// - No change is missed: after the last commit, the last element is what a fetch would give.
/// - Work is done only while someone waits for an element. Who is slow gets the latest value next,
///   and not those that were skipped; who stops iterating costs nothing any more.
/// - Observations that wait for the same commit fetch in one read transaction: they agree.
/// - A transaction that is rolled back is never seen, and a commit that changes nothing of what was
///   read causes no fetch. An element may still equal the one before: see `removeDuplicates()`.
/// - Cancelling the task ends the iteration, and interrupts its fetch.
/// - What the fetch throws ends the iteration, which rethrows it; ``results`` goes on. Closing the
///   database ends it with `SQLiteError` of code `closed`.
public struct ValueObservation<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  let database: Database
  /// `nil` where each fetch finds out.
  let region: Region?
  let fetch: @Sendable (inout FetchRun) throws -> Value
  var isDuplicate: (@Sendable (Value, Value) -> Bool)?
  var control: DatabaseObservation.Control?
  var name: String?
  /// What an iteration has its fetches timed by.
  var timing = FetchTiming()

  public func makeAsyncIterator() -> AsyncIterator {
    let pacers = timing.pacers
    let fetcher = Fetcher(region: region, fetch: fetch).paced(by: pacers)
    let observer = Observer(fetcher, isDuplicate: isDuplicate)
    return AsyncIterator(
      subscription: Subscription(
        to: database, inbox: observer.inbox, control: control, pacers: pacers
      ) {
        $0.add(observer, name: name)
      })
  }

  /// Skips a value that is equal to the one before, by a rule of yours.
  ///
  /// - Parameter isDuplicate: Compares the last element with a fresh value, on a reader's thread.
  public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (Value, Value) -> Bool
  ) -> ValueObservation {
    var observation = self
    observation.isDuplicate = isDuplicate
    return observation
  }

  /// One observation, from its first value on. It ends when it is let go.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: Subscription<Value>

    /// The next value: it is fetched now if the last one is stale, or else when a commit makes it so.
    ///
    /// - Returns: `nil` where the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      try await subscription.next()
    }

    /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
    public mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }
  }
}

extension ValueObservation where Value: Equatable {
  /// Skips a value that is equal to the one before.
  public func removeDuplicates() -> ValueObservation { removeDuplicates { $0 == $1 } }
}

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
