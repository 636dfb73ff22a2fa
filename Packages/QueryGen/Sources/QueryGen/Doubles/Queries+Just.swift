extension Queries {
  /// Always the same answer, whatever is asked.
  ///
  /// Observed, it gives its answer once, and ends.
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

  /// Always the same error, whatever is asked.
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
