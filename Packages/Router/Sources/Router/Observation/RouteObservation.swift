public import Observe
internal import Primitives

extension DatabaseRoute {
  /// The result of a route that reads: its current value, and a new one after each change. See ``LiveRouteExecutor``.
  ///
  /// The guarantees of Observe's `ValueObservation` apply to values from a database: no change is missed, work is done
  /// only while a consumer waits, and values that one commit has made stale are fetched in one read transaction. An
  /// error ends an iteration; ``results`` continues after errors.
  ///
  /// ```swift
  /// let todos = executor.observeValues(Todo.self, for: .fetch(from: "todos")).removeDuplicates()
  /// for try await list in todos { show(list) }
  /// ```
  public struct Observation<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    /// Returns the next element.
    typealias Step = () async throws -> Value?

    enum Source: Sendable {
      case database(ValueObservation<Value>)
      case sequence(@Sendable () -> Step)
      /// The source is determined when an iteration begins.
      case deferred(@Sendable () async throws -> Observation)
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    /// Creates an observation of a database.
    public init(_ observation: ValueObservation<Value>) { self.init(.database(observation)) }

    /// Creates an observation from another sequence, for example of another executor or in a test.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
      self.init(
        .sequence {
          var iterator = base.makeAsyncIterator()
          return { try await iterator.nextElement() }
        })
    }

    /// Creates an observation whose source is determined each time an iteration begins, for example because it depends
    /// on the database in use.
    ///
    /// - Parameter makeObservation: Returns the observation. An error ends the iteration.
    public init(deferred makeObservation: @escaping @Sendable () async throws -> Observation) {
      self.init(.deferred(makeObservation))
    }

    /// Creates an observation that throws an error.
    public init(throwing error: any Error) { self.init(.deferred { throw error }) }

    public func makeAsyncIterator() -> AsyncIterator {
      switch source {
      case .database(let values): AsyncIterator(state: .database(values.makeAsyncIterator()))
      case .sequence(let begin): AsyncIterator(state: .sequence(begin()))
      case .deferred(let makeObservation): AsyncIterator(state: .deferred(makeObservation))
      }
    }

    /// One iteration, starting with its first value. It ends when the iterator is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
      enum State {
        case database(ValueObservation<Value>.AsyncIterator)
        case sequence(Step)
        case deferred(@Sendable () async throws -> Observation)
        case ended
      }

      var state: State

      /// Returns the next value: the first one immediately, each other one after a possible change.
      ///
      /// - Returns: `nil` if the task was cancelled.
      /// - Throws: ``RouterError``, and errors of the database. An error ends the iteration.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Value? {
        switch state {
        case .database(var iterator):
          defer { state = .database(iterator) }
          return try await iterator.next(isolation: actor)
        case .sequence(let step): return try await step()
        case .deferred(let makeObservation):
          state = .ended
          state = try await makeObservation().makeAsyncIterator().state
          return try await next(isolation: actor)
        case .ended: return nil
        }
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

/// Modified copies. Settings for database observations have no effect on values from other sources.
extension DatabaseRoute.Observation {
  /// Transforms each value, on a reader's thread. An error counts as the route's.
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
    case .deferred(let makeObservation):
      DatabaseRoute.Observation<Other>(
        .deferred { try await makeObservation().transformed(transform) })
    }
  }

  /// Skips values that are equal to the previous one, by a custom comparison.
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
    case .deferred(let makeObservation):
      Self(.deferred { try await makeObservation().removeDuplicates(by: isDuplicate) })
    }
  }

  /// Also refetches the value when it reaches a maximum age, for example because a policy depends on the time. See
  /// `ValueObservation.refreshed(within:)`.
  public func refreshed<Pace: Clock>(
    within maximumStaleness: Duration, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    changed { $0.refreshed(within: maximumStaleness, clock: clock) }
  }

  /// Limits the share of time spent fetching: see `ValueObservation.throttled(maximumLoad:)`.
  public func throttled<Pace: Clock>(
    maximumLoad: Double, clock: Pace = ContinuousClock()
  ) -> Self where Pace.Duration == Duration {
    changed { $0.throttled(maximumLoad: maximumLoad, clock: clock) }
  }

  /// Assigns the observation to a control, which pauses and resumes it.
  public func controlled(by control: DatabaseObservation.Control) -> Self {
    changed { $0.controlled(by: control) }
  }

  /// Names the observation in events and statistics. The default is the route's description.
  public func named(_ name: String) -> Self { changed { $0.named(name) } }

  private func changed(
    _ change: @escaping @Sendable (ValueObservation<Value>) -> ValueObservation<Value>
  ) -> Self {
    switch source {
    case .database(let values): Self(change(values))
    case .deferred(let makeObservation):
      Self(.deferred { try await makeObservation().changed(change) })
    case .sequence: self
    }
  }
}

extension DatabaseRoute.Observation where Value: Equatable {
  /// Skips values that are equal to the previous one.
  public func removeDuplicates() -> Self { removeDuplicates { $0 == $1 } }
}
