internal import SQLiteCore

extension DatabaseObservation {
  /// The values of a ``ValueObservation``, and the errors of fetches that failed: neither is the end.
  ///
  /// ```swift
  /// for await result in database.observe(fetch).results {
  ///   switch result {
  ///   case .success(let players): show(players)
  ///   case .failure(let error): show(error)
  ///   }
  /// }
  /// ```
  ///
  /// What holds for an observation's values holds for these. After a failure, the value is fetched again when a
  /// commit changes something of what it depended on when it was last fetched, or of what was read
  /// until the failure; where there has been no value yet, at the next commit, whatever that
  /// changes. Between commits a failed fetch is not repeated: what failed for another reason, such as a
  /// network, is fetched again by `Database.notifyChanges(in:)`.
  ///
  /// The sequence ends when the database is closed, or the task is cancelled. Where commits can't be
  /// recorded, the error is its only element.
  public struct Results<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Result<Value, any Error>
    public typealias Failure = Never

    let observation: ValueObservation<Value>

    public func makeAsyncIterator() -> AsyncIterator {
      let pacers = observation.timing.pacers
      let fetcher = Fetcher(region: observation.region, fetch: observation.fetch).paced(by: pacers)
      let observer = ResultObserver(fetcher, isDuplicate: observation.isDuplicate)
      return AsyncIterator(
        subscription: Subscription(
          to: observation.database, inbox: observer.inbox, control: observation.control,
          pacers: pacers
        ) {
          $0.add(observer, endsOnFailure: false, name: observation.name)
        })
    }

    /// One observation, from its first value or error on. It ends when it is let go.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<Element>
      private var hasEnded = false

      init(subscription: Subscription<Element>) { self.subscription = subscription }

      /// The next value or error.
      ///
      /// - Returns: `nil` where the task was cancelled or the database is closed.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Element? {
        if hasEnded { return nil }
        do {
          if let result = try await subscription.next() { return result }
          hasEnded = true
          return nil
        } catch {
          hasEnded = true
          if let error = error as? SQLiteError, error.code == .closed { return nil }
          return .failure(error)
        }
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension ValueObservation {
  /// The values, and what failed fetches threw, which is not the end of it.
  public var results: DatabaseObservation.Results<Value> {
    DatabaseObservation.Results(observation: self)
  }
}
