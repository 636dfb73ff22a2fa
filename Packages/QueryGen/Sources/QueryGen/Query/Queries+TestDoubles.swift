internal import Primitives

extension Queries {
  /// A query that always returns the same result.
  ///
  /// When observed, it emits the result once and finishes.
  ///
  /// ```swift
  /// let fetch: any Query<Int, String> = Queries.Just("Ada")
  /// ```
  public struct Just<Input: Sendable, Output: Sendable>: Query {
    private let output: Output

    public init(_ output: Output) { self.output = output }

    @discardableResult
    public func execute(_ input: Input) async throws -> Output { output }

    public func observe(_ input: Input) -> Stream<Output> { Stream(just: output) }
  }

  /// A query that always throws the same error.
  ///
  /// ```swift
  /// let fetch: any Query<Int, String> = Queries.Fail(CancellationError())
  /// ```
  public struct Fail<Input: Sendable, Output: Sendable>: Query {
    private let error: any Error

    public init(_ error: any Error) { self.error = error }

    @discardableResult
    public func execute(_ input: Input) async throws -> Output { throw error }

    public func observe(_ input: Input) -> Stream<Output> { Stream(throwing: error) }
  }
}

extension Queries {
  /// A query that calls closures.
  public struct ClosureQuery<Input: Sendable, Output: Sendable>: Query {
    private let answer: @Sendable (Input) async throws -> Output
    private let answers: (@Sendable ([Input]) async throws -> [Output])?
    private let stream: @Sendable (Input) -> Stream<Output>

    /// - Parameters:
    ///   - execute: Returns the result for one input.
    ///   - executeMany: Returns the results for several inputs; `nil` to call `execute` for each.
    ///   - observe: Returns the stream of results for one input.
    public init(
      execute: @escaping @Sendable (Input) async throws -> Output,
      executeMany: (@Sendable ([Input]) async throws -> [Output])? = nil,
      observe: @escaping @Sendable (Input) -> Stream<Output>
    ) {
      answer = execute
      answers = executeMany
      stream = observe
    }

    /// - Parameter execute: Returns the result for one input. An observation calls it once and
    ///   finishes.
    public init(_ execute: @escaping @Sendable (Input) async throws -> Output) {
      self.init(execute: execute) { input in Stream { try await execute(input) } }
    }

    @discardableResult
    public func execute(_ input: Input) async throws -> Output { try await answer(input) }

    @discardableResult
    public func execute(many inputs: [Input]) async throws -> [Output] {
      if let answers { return try await answers(inputs) }
      var outputs: [Output] = []
      for input in inputs { outputs.append(try await answer(input)) }
      return outputs
    }

    public func observe(_ input: Input) -> Stream<Output> { stream(input) }
  }
}

extension Queries {
  /// A test double that records its inputs, and emits the results that a test sends.
  ///
  /// ```swift
  /// let delete = Queries.Recorder<Int, Int>(1)
  /// try await TodoModel(delete: delete).clear()
  /// #expect(delete.executed == [1, 2, 3])
  /// ```
  public final class Recorder<Input: Sendable, Output: Sendable>: Query {
    private struct State {
      var executed: [Input] = []
      var observed: [Input] = []
      var observers: [Int: AsyncThrowingStream<Output, any Error>.Continuation] = [:]
      var nextObserver = 0
    }

    private let state = Mutex(State())
    private let answer: @Sendable (Input) async throws -> Output

    /// - Parameter answer: Returns the result of an execution, and the first result of an
    ///   observation.
    public init(_ answer: @escaping @Sendable (Input) async throws -> Output) {
      self.answer = answer
    }

    /// - Parameter output: The result of every execution, and the first result of every
    ///   observation.
    public convenience init(_ output: Output) { self.init { _ in output } }

    /// The inputs of all executions, in order.
    public var executed: [Input] { state.withLock { $0.executed } }

    /// The inputs of all observations, in the order in which their iterations began.
    public var observed: [Input] { state.withLock { $0.observed } }

    /// Emits another result to every observer.
    public func send(_ output: Output) {
      for observer in observers() { observer.yield(output) }
    }

    /// Finishes every observation, throwing `error` if it is not `nil`.
    public func finish(throwing error: (any Error)? = nil) {
      for observer in observers() { observer.finish(throwing: error) }
    }

    @discardableResult
    public func execute(_ input: Input) async throws -> Output {
      state.withLock { $0.executed.append(input) }
      return try await answer(input)
    }

    public func observe(_ input: Input) -> Stream<Output> {
      Stream { [self] in
        let sent = AsyncThrowingStream<Output, any Error> { continuation in
          let id = state.withLock { state in
            state.observed.append(input)
            state.observers[state.nextObserver] = continuation
            state.nextObserver += 1
            return state.nextObserver - 1
          }
          continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.observers[id] = nil }
          }
        }
        return Stream.Iterator(first: { [answer] in try await answer(input) }, then: sent)
      }
    }

    private func observers() -> [AsyncThrowingStream<Output, any Error>.Continuation] {
      // A continuation calls back into `state` when it finishes, so it must be used outside the
      // lock.
      state.withLock { Array($0.observers.sorted { $0.key < $1.key }.map(\.value)) }
    }
  }
}
