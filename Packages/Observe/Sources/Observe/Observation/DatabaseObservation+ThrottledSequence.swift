extension DatabaseObservation {
  /// An observation that delivers at most one element per interval, and never drops the last one.
  ///
  /// The first element is delivered immediately. After each element, the next one is not requested
  /// until the interval has ended: commits during the interval cause no fetch, and the next element
  /// is the latest. Infrequent changes are not delayed.
  ///
  /// ```swift
  /// let progress = database.observe(fetch).throttled(minimumInterval: .milliseconds(250))
  /// for try await rows in progress { show(rows) }
  /// ```
  public struct ThrottledSequence<Base: AsyncSequence & Sendable, C: Clock>: AsyncSequence,
    Sendable
  where C.Duration == Duration {
    public typealias Element = Base.Element
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let interval: Duration
    let clock: C

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), interval: interval, clock: clock)
    }

    /// One iteration, starting with its first element. It ends when the iterator is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let interval: Duration
      let clock: C
      /// The earliest time at which the next element may be requested.
      private var earliest: C.Instant?

      init(base: Base.AsyncIterator, interval: Duration, clock: C) {
        self.base = base
        self.interval = interval
        self.clock = clock
      }

      /// Waits until the interval since the last element has ended, and returns the latest element,
      /// waiting for it if necessary.
      ///
      /// - Returns: `nil` if the task was cancelled.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Base.Element? {
        await waitForInterval()
        let element = try await base.next(isolation: actor)
        earliest = clock.now.advanced(by: interval)
        return element
      }

      /// The same as `next(isolation:)`, isolated to no actor. Systems before macOS 15 call this
      /// method.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        await waitForInterval()
        let element = try await base.next()
        earliest = clock.now.advanced(by: interval)
        return element
      }

      private func waitForInterval() async {
        guard let earliest, clock.now < earliest else { return }
        let throttled = base as? any IdleReporting
        throttled?.throttle { [clock] in clock.now < earliest }
        // Cancelling the task ends the sleep early. The base sequence then ends.
        try? await clock.sleep(until: earliest, tolerance: nil)
        throttled?.throttle(while: nil)
      }
    }
  }
}

extension ValueObservation {
  /// Delivers at most one value per interval: the first immediately, and always the last.
  ///
  /// - Parameters:
  ///   - minimumInterval: The time after each value during which no value is requested, counted
  ///     from its delivery.
  ///   - clock: The clock that measures the interval. Tests can pass their own.
  public func throttled<C: Clock>(
    minimumInterval: Duration, clock: C = ContinuousClock()
  ) -> DatabaseObservation.ThrottledSequence<ValueObservation, C>
  where C.Duration == Duration {
    DatabaseObservation.ThrottledSequence(base: self, interval: minimumInterval, clock: clock)
  }
}

extension DatabaseObservation.Results {
  /// Delivers at most one value or error per interval: the first immediately, and always the last.
  ///
  /// - Parameters:
  ///   - minimumInterval: The time after each element during which no element is requested, counted
  ///     from its delivery.
  ///   - clock: The clock that measures the interval. Tests can pass their own.
  public func throttled<C: Clock>(
    minimumInterval: Duration, clock: C = ContinuousClock()
  ) -> DatabaseObservation.ThrottledSequence<Self, C> where C.Duration == Duration {
    DatabaseObservation.ThrottledSequence(base: self, interval: minimumInterval, clock: clock)
  }
}

/// An iterator that can report when its consumer deliberately requests nothing:
/// `Database.waitUntilIdle(includingConsumers:)` does not wait for it during the interval.
protocol IdleReporting {
  func throttle(while isThrottled: (@Sendable () -> Bool)?)
}

extension ValueObservation.AsyncIterator: IdleReporting {
  func throttle(while isThrottled: (@Sendable () -> Bool)?) {
    subscription.throttle(while: isThrottled)
  }
}

extension DatabaseObservation.Results.AsyncIterator: IdleReporting {
  func throttle(while isThrottled: (@Sendable () -> Bool)?) {
    subscription.throttle(while: isThrottled)
  }
}
