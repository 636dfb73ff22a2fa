#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif
internal import Primitives

/// The elements of a publisher. Only the latest one is kept if it is not requested in time.
struct PublisherValues<Base: Publisher>: AsyncSequence, Sendable where Base.Output: Sendable {
  typealias Element = Base.Output
  typealias Failure = any Error

  private let source: PublisherSource<Base>

  @MainActor init(_ publisher: Base) { source = PublisherSource(publisher) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: PublisherSource<Base>
    private var elements: AsyncThrowingStream<Element, any Error>.AsyncIterator?

    init(source: PublisherSource<Base>) { self.source = source }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      if elements == nil { elements = await source.subscribe().makeAsyncIterator() }
      return try await elements?.nextElement(isolation: actor)
    }

    /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
    mutating func next() async throws -> Element? { try await next(isolation: #isolation) }
  }
}

/// A publisher, which is used only on the main actor, and its subscriptions.
@MainActor final class PublisherSource<Base: Publisher> where Base.Output: Sendable {
  private let publisher: Base
  private var cancellables: [UInt64: AnyCancellable] = [:]
  private var lastID: UInt64 = 0

  init(_ publisher: Base) { self.publisher = publisher }

  func subscribe() -> AsyncThrowingStream<Base.Output, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Base.Output.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    lastID += 1
    let id = lastID
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.removeSubscription(id) }
    }
    cancellables[id] = connect(publisher, to: continuation)
    return stream
  }

  private func removeSubscription(_ id: UInt64) { cancellables[id] = nil }
}

/// Not isolated to the main actor, because a publisher may publish on any thread.
private func connect<Base: Publisher>(
  _ publisher: Base, to continuation: AsyncThrowingStream<Base.Output, any Error>.Continuation
) -> AnyCancellable where Base.Output: Sendable {
  publisher.sink { completion in
    switch completion {
    case .finished: continuation.finish()
    case .failure(let error): continuation.finish(throwing: error)
    }
  } receiveValue: {
    continuation.yield($0)
  }
}
