internal import Primitives

extension Queries {
  /// The results of an observed query, as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await todos in db.selectTodos.observe() { print(todos.count) }
  /// ```
  public struct Stream<Output: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Output
    public typealias Failure = any Error

    private let makeIterator: @Sendable () -> Iterator

    init(_ makeIterator: @escaping @Sendable () -> Iterator) { self.makeIterator = makeIterator }

    /// Creates a stream of a sequence's elements. Each iteration of the stream starts a new
    /// iteration of the sequence.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Output {
      makeIterator = { Iterator(base.makeAsyncIterator()) }
    }

    /// Creates a stream that computes one result when it is iterated, and then finishes.
    public init(_ answer: @escaping @Sendable () async throws -> Output) {
      makeIterator = { Iterator(first: answer, then: EmptyAsyncSequence()) }
    }

    /// Creates a stream of one result.
    public init(just output: Output) { self.init { output } }

    /// Creates a stream that throws an error instead of a first result.
    public init(throwing error: any Error) { self.init { throw error } }

    public func makeAsyncIterator() -> Iterator { makeIterator() }

    /// Iterates over the results.
    public struct Iterator: AsyncIteratorProtocol {
      private var first: (() async throws -> Output)?
      private var rest: any AnyFailureIterator<Output>

      init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Output {
        rest = FailureErasingIterator(base: base)
      }

      init<Base: AsyncSequence>(first: @escaping () async throws -> Output, then rest: Base)
      where Base.Element == Output {
        self.first = first
        self.rest = FailureErasingIterator(base: rest.makeAsyncIterator())
      }

      public mutating func next() async throws -> Output? {
        try await next(isolation: nil)
      }

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> Output? {
        if let first {
          self.first = nil
          do {
            return try await first()
          } catch {
            rest = FailureErasingIterator(base: EmptyAsyncSequence<Output>())
            throw error
          }
        }
        return try await rest.next(isolation: actor)
      }
    }
  }
}

/// An iterator that can throw errors of any type.
private protocol AnyFailureIterator<Output> {
  associatedtype Output
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Output?
}

private struct FailureErasingIterator<Base: AsyncIteratorProtocol>: AnyFailureIterator {
  var base: Base

  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Base.Element? {
    try await base.nextElement(isolation: actor)
  }
}

/// A sequence without elements.
private struct EmptyAsyncSequence<Element>: AsyncSequence, AsyncIteratorProtocol {
  func makeAsyncIterator() -> Self { self }

  mutating func next() async -> Element? { nil }
}
