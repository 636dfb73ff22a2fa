extension Queries {
  /// Whatever two functions answer.
  public struct Calling<Input: Sendable, Output: Sendable>: Query {
    private let answer: @Sendable (Input) async throws -> Output
    private let answers: (@Sendable ([Input]) async throws -> [Output])?
    private let stream: @Sendable (Input) -> Stream<Output>

    /// - Parameters:
    ///   - execute: Answers once.
    ///   - executeMany: Answers several inputs at once; `nil` to ask `execute` for each.
    ///   - observe: Gives the stream of answers.
    public init(
      execute: @escaping @Sendable (Input) async throws -> Output,
      executeMany: (@Sendable ([Input]) async throws -> [Output])? = nil,
      observe: @escaping @Sendable (Input) -> Stream<Output>
    ) {
      answer = execute
      answers = executeMany
      stream = observe
    }

    /// - Parameter execute: Answers once. Observed, it is asked once, and the stream ends.
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
