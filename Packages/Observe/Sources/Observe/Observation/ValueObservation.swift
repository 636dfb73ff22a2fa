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
