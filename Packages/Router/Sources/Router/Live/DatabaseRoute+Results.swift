internal import Observe

extension DatabaseRoute {
  /// The values of a ``DatabaseRoute/Observation``, and the errors between them, which are not the end.
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
  /// What has failed is run again when a commit may have mended it. Where something else decides, such as a policy that
  /// looks at the time, ``DatabaseRoute/Observation/refreshed(within:clock:)`` has it run again. The sequence ends when the
  /// database is closed, or the task is cancelled. Of values that are no database's, an error is the last element.
  public struct Results<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Result<Value, any Error>
    public typealias Failure = Never

    let observation: Observation<Value>

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(observation)
    }

    /// One observation, from its first value or error on. It ends when it is let go.
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
          case .deferred(let ask): .deferred(ask)
          case .sequence, .failure: .other(observation.makeAsyncIterator())
          }
      }

      /// The next value or error.
      ///
      /// - Returns: `nil` where the task was cancelled or the database is closed.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
        -> Element?
      {
        switch state {
        case .database(var iterator):
          let result = await iterator.next(isolation: actor)
          state = .database(iterator)
          return result
        case .deferred(let ask):
          do {
            self = try await AsyncIterator(ask())
          } catch {
            self = AsyncIterator(Observation(throwing: error))
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

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension DatabaseRoute.Observation {
  /// The values, and what failed runs threw, which is not the end of it.
  public var results: DatabaseRoute.Results<Value> { DatabaseRoute.Results(observation: self) }
}
