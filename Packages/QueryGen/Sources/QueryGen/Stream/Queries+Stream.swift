internal import Primitives

extension Queries {
  /// The answers of an observed query, one after another.
  ///
  /// ```swift
  /// for try await todos in db.selectTodos.observe() { print(todos.count) }
  /// ```
  public struct Stream<Output: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Output
    public typealias Failure = any Error

    private let makeIterator: @Sendable () -> Iterator

    init(_ makeIterator: @escaping @Sendable () -> Iterator) { self.makeIterator = makeIterator }

    /// The elements of another sequence. Each iteration of this stream iterates that one anew.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Output {
      makeIterator = { Iterator(base.makeAsyncIterator()) }
    }

    /// One answer, asked for when the stream is iterated; then the end.
    public init(_ answer: @escaping @Sendable () async throws -> Output) {
      makeIterator = { Iterator(first: answer, then: NoElements()) }
    }

    /// One answer, then the end.
    public init(just output: Output) { self.init { output } }

    /// An error in place of the first answer.
    public init(throwing error: any Error) { self.init { throw error } }

    public func makeAsyncIterator() -> Iterator { makeIterator() }

    /// Goes through the answers once.
    public struct Iterator: AsyncIteratorProtocol {
      private var first: (() async throws -> Output)?
      private var rest: any AnswerIterator<Output>

      init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Output {
        rest = AnyFailure(base: base)
      }

      init<Base: AsyncSequence>(first: @escaping () async throws -> Output, then rest: Base)
      where Base.Element == Output {
        self.first = first
        self.rest = AnyFailure(base: rest.makeAsyncIterator())
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
            rest = AnyFailure(base: NoElements<Output>())
            throw error
          }
        }
        return try await rest.next(isolation: actor)
      }
    }
  }
}

/// An iterator whose failures are of any type.
private protocol AnswerIterator<Output> {
  associatedtype Output
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Output?
}

private struct AnyFailure<Base: AsyncIteratorProtocol>: AnswerIterator {
  var base: Base

  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Base.Element? {
    try await base.nextElement(isolation: actor)
  }
}

/// A sequence that ends at once.
private struct NoElements<Element>: AsyncSequence, AsyncIteratorProtocol {
  func makeAsyncIterator() -> Self { self }

  mutating func next() async -> Element? { nil }
}
