public import Observe
internal import Primitives

extension DatabaseRoute {
  /// What a route reads, now and whenever it has changed: see ``LiveRouteExecutor``.
  ///
  /// Of a database, what holds for Observe's `ValueObservation` holds for it: no change is missed, work is done only
  /// while someone waits, values that one commit has made stale are fetched in one read transaction. An error ends
  /// an iteration; ``results`` goes on.
  ///
  /// ```swift
  /// let todos = executor.observeValues(Todo.self, for: .fetch(from: "todos")).removeDuplicates()
  /// for try await list in todos { show(list) }
  /// ```
  public struct Observation<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    /// Gives one element after another.
    typealias Step = () async throws -> Value?

    enum Source: Sendable {
      case database(ValueObservation<Value>)
      case sequence(@Sendable () -> Step)
      /// What it is has to be asked, each time that an iteration begins.
      case deferred(@Sendable () async throws -> Observation)
      case failure(any Error)
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    /// The values of a database.
    public init(_ observation: ValueObservation<Value>) { self.init(.database(observation)) }

    /// The elements of a sequence in a database's place: of another executor, or of a test.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
      self.init(
        .sequence {
          var iterator = base.makeAsyncIterator()
          return { try await iterator.nextElement() }
        })
    }

    /// What is found out each time that an iteration begins: which database is read, say.
    ///
    /// - Parameter ask: What it throws is the iteration's error.
    public init(asking ask: @escaping @Sendable () async throws -> Observation) {
      self.init(.deferred(ask))
    }

    /// No value, but an error.
    public init(throwing error: any Error) { self.init(.failure(error)) }

    public func makeAsyncIterator() -> AsyncIterator {
      switch source {
      case .database(let values): AsyncIterator(state: .database(values.makeAsyncIterator()))
      case .sequence(let begin): AsyncIterator(state: .sequence(begin()))
      case .deferred(let ask): AsyncIterator(state: .deferred(ask))
      case .failure(let error): AsyncIterator(state: .failure(error))
      }
    }

    /// One observation, from its first value on. It ends when it is let go.
    public struct AsyncIterator: AsyncIteratorProtocol {
      enum State {
        case database(ValueObservation<Value>.AsyncIterator)
        case sequence(Step)
        case deferred(@Sendable () async throws -> Observation)
        case failure(any Error)
        case ended
      }

      var state: State

      /// The next value: the first at once, each other when it may have changed.
      ///
      /// - Returns: `nil` where the task was cancelled.
      /// - Throws: ``RouterError``, and whatever the database throws; that is the end.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Value? {
        switch state {
        case .database(var iterator):
          defer { state = .database(iterator) }
          return try await iterator.next(isolation: actor)
        case .sequence(let step): return try await step()
        case .deferred(let ask):
          do {
            state = try await ask().makeAsyncIterator().state
          } catch {
            state = .failure(error)
          }
          return try await next(isolation: actor)
        case .failure(let error):
          state = .ended
          throw error
        case .ended: return nil
        }
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

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
