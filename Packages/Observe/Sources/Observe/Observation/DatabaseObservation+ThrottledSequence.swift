extension DatabaseObservation {
  /// An observation that gives at most one element per interval, and never leaves out the last.
  ///
  /// The first element comes at once. After each, the next is not asked for before the interval is over: what
  /// is committed in between causes no fetch, and the element that comes then is the latest. Changes that
  /// come seldom are not delayed.
  ///
  /// ```swift
  /// let progress = database.observe(fetch).throttled(minimumInterval: .milliseconds(250))
  /// for try await rows in progress { show(rows) }
  /// ```
  public struct ThrottledSequence<Base: AsyncSequence & Sendable, Pace: Clock>: AsyncSequence,
    Sendable
  where Pace.Duration == Duration {
    public typealias Element = Base.Element
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let interval: Duration
    let clock: Pace

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), interval: interval, clock: clock)
    }

    /// One observation, from its first element on. It ends when it is let go.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let interval: Duration
      let clock: Pace
      /// When the next element may be asked for.
      private var earliest: Pace.Instant?

      init(base: Base.AsyncIterator, interval: Duration, clock: Pace) {
        self.base = base
        self.interval = interval
        self.clock = clock
      }

      /// The next element: the latest when the interval after the last one is over, or else the one to
      /// come.
      ///
      /// - Returns: `nil` where the task was cancelled.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Base.Element? {
        await rest()
        let element = try await base.next(isolation: actor)
        earliest = clock.now.advanced(by: interval)
        return element
      }

      /// The same, isolated to no actor. Systems before macOS 15 call this.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        await rest()
        let element = try await base.next()
        earliest = clock.now.advanced(by: interval)
        return element
      }

      private func rest() async {
        guard let earliest, clock.now < earliest else { return }
        let resting = base as? any RestingIterator
        resting?.rest { [clock] in clock.now < earliest }
        // Cancelling the task ends the sleep early. The base sequence then ends.
        try? await clock.sleep(until: earliest, tolerance: nil)
        resting?.rest(while: nil)
      }
    }
  }
}

extension ValueObservation {
  /// Gives at most one value per interval: the first at once, and always the last.
  ///
  /// - Parameters:
  ///   - minimumInterval: How long no value is asked for after each one, counted from when it is given.
  ///   - clock: Tells the time; a test has one of its own.
  public func throttled<Pace: Clock>(
    minimumInterval: Duration, clock: Pace = ContinuousClock()
  ) -> DatabaseObservation.ThrottledSequence<ValueObservation, Pace>
  where Pace.Duration == Duration {
    DatabaseObservation.ThrottledSequence(base: self, interval: minimumInterval, clock: clock)
  }
}

extension DatabaseObservation.Results {
  /// Gives at most one value or error per interval: the first at once, and always the last.
  ///
  /// - Parameters:
  ///   - minimumInterval: How long nothing is asked for after each element, counted from when it is given.
  ///   - clock: Tells the time; a test has one of its own.
  public func throttled<Pace: Clock>(
    minimumInterval: Duration, clock: Pace = ContinuousClock()
  ) -> DatabaseObservation.ThrottledSequence<Self, Pace> where Pace.Duration == Duration {
    DatabaseObservation.ThrottledSequence(base: self, interval: minimumInterval, clock: clock)
  }
}

/// An iterator whose consumer can let it rest: `Database.settleObservations(includingConsumers:)` does not wait
/// for one that asks for nothing yet.
protocol RestingIterator {
  func rest(while isResting: (@Sendable () -> Bool)?)
}

extension ValueObservation.AsyncIterator: RestingIterator {
  func rest(while isResting: (@Sendable () -> Bool)?) { subscription.rest(while: isResting) }
}

extension DatabaseObservation.Results.AsyncIterator: RestingIterator {
  func rest(while isResting: (@Sendable () -> Bool)?) { subscription.rest(while: isResting) }
}
