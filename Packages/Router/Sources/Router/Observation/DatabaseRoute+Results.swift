internal import Observe

extension DatabaseRoute {
  /// The values of a ``DatabaseRoute/Observation`` and the errors between them. An error does not end the sequence.
  ///
  /// ```swift
  /// for await result in executor.observeValue(Todo.self, for: .fetchOne(id: 3, from: "todos")).results {
  ///   switch result {
  ///   case .success(let todo): show(todo)
  ///   case .failure(let error): show(error)
  ///   }
  /// }
  /// ```
  ///
  /// After a failure, the route runs again when a commit may have fixed it. If the failure depends on something else,
  /// such as a policy that reads the time, ``DatabaseRoute/Observation/refreshed(within:clock:)`` retries it. The
  /// sequence ends when the database is closed or the task is cancelled. For values that don't come from a database, an
  /// error is the last element.
  public struct Results<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Result<Value, any Error>
    public typealias Failure = Never

    let observation: Observation<Value>

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(observation)
    }

    /// One iteration, starting with its first value or error. It ends when the iterator is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
      enum State {
        case database(DatabaseObservation.Results<Value>.AsyncIterator)
        case deferred(@Sendable () async throws -> Observation<Value>)
        case other(Observation<Value>.AsyncIterator)
        case ended
      }

      var state: State

      init(_ observation: Observation<Value>) {
        state =
          switch observation.source {
          case .database(let values): .database(values.results.makeAsyncIterator())
          case .deferred(let makeObservation): .deferred(makeObservation)
          case .sequence: .other(observation.makeAsyncIterator())
          }
      }

      /// Returns the next value or error.
      ///
      /// - Returns: `nil` if the task was cancelled or the database is closed.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
        -> Element?
      {
        switch state {
        case .database(var iterator):
          let result = await iterator.next(isolation: actor)
          state = .database(iterator)
          return result
        case .deferred(let makeObservation):
          do {
            self = try await AsyncIterator(makeObservation())
          } catch {
            state = .ended
            return .failure(error)
          }
          return await next(isolation: actor)
        case .other(var iterator):
          do {
            guard let value = try await iterator.next(isolation: actor) else { return nil }
            state = .other(iterator)
            return .success(value)
          } catch {
            state = .ended
            return .failure(error)
          }
        case .ended: return nil
        }
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension DatabaseRoute.Observation {
  /// The values, and the errors of failed runs, which don't end the sequence.
  public var results: DatabaseRoute.Results<Value> { DatabaseRoute.Results(observation: self) }
}
