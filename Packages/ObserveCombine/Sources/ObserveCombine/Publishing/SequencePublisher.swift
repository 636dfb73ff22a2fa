internal import Primitives

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A publisher of a sequence's elements: the values of an observation, its commits, its
/// differences.
///
/// ```swift
/// let names = database.observe { connection in
///   try connection.values(String.self, "SELECT name FROM player ORDER BY name")
/// }
/// let cancellable = names.publisher().receiveOnMainActor()
///   .sink(receiveCompletion: { show($0) }, receiveValue: { show($0) })
/// ```
///
/// Each subscription iterates the sequence independently.
/// - **Work follows demand.** No fetch runs without demand; each requested element is one element
///   of the sequence, and no more elements are delivered than requested.
/// - **Low demand misses no change.** A late request receives the latest value of an observation,
///   and every commit of `Database.changesPublisher(in:)`.
/// - **Cancelling ends the work**, and interrupts a running fetch. An element that another thread
///   is receiving at that time is the last.
/// - A subscriber may request more elements, or cancel, while it receives one.
/// - The subscriber is called on an unspecified thread, one call at a time: see
///   ``receiveOnMainActor()``.
///
/// The publisher completes when the sequence ends, or with the error that the sequence throws, as soon as there is
/// demand. Its `Failure` is `any Error`, and `Never` for a sequence that throws no error on a system with
/// `AsyncSequence.Failure` (macOS 15, iOS 18).
public struct SequencePublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
  /// Returns the next element of one iteration.
  typealias Step = () async throws(Failure) -> Output?

  private let makeStep: @Sendable () -> sending Step
  private var isOnMainActor = false

  /// Creates a publisher of the elements that a function returns.
  ///
  /// - Parameter makeStep: Starts an iteration.
  init(makeStep: @escaping @Sendable () -> sending Step) { self.makeStep = makeStep }

  /// Creates a publisher of a sequence.
  ///
  /// - Parameter base: Returns the sequence for each subscription.
  public init<Base: AsyncSequence & Sendable>(_ base: @escaping @Sendable () -> Base)
  where Base.Element == Output, Failure == any Error {
    self.init(makeStep: {
      var iterator = base().makeAsyncIterator()
      return { () async throws(any Error) -> Output? in try await iterator.nextElement() }
    })
  }

  /// Creates a publisher of a sequence that throws no error.
  ///
  /// - Parameter base: Returns the sequence for each subscription.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public init<Base: AsyncSequence & Sendable>(_ base: @escaping @Sendable () -> Base)
  where Base.Element == Output, Base.Failure == Never, Failure == Never {
    self.init(makeStep: {
      var iterator = base().makeAsyncIterator()
      return { () async throws(Never) -> Output? in await iterator.next(isolation: #isolation) }
    })
  }

  /// Calls subscribers on the main actor.
  ///
  /// A subscriber that cancels there receives no more elements. The publisher requests no more than
  /// the subscriber does, so that no element is buffered.
  public func receiveOnMainActor() -> SequencePublisher {
    var publisher = self
    publisher.isOnMainActor = true
    return publisher
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = SequenceSubscription<Output, Failure>(subscriber)
    // Created before the subscriber receives the subscription, so that it misses no later element.
    let step = makeStep()
    subscriber.receive(subscription: subscription)
    subscription.begin(isOnMainActor: isOnMainActor, step)
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a publisher of the sequence's elements, which iterates the sequence for each
  /// subscriber.
  ///
  /// ```swift
  /// let difference = database.observe(fetchPlayers).differences(by: \.id).publisher()
  /// ```
  public func publisher() -> SequencePublisher<Element, any Error> { SequencePublisher { self } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Returns a publisher that never fails of the sequence's elements, which iterates the sequence for each subscriber.
  public func publisher() -> SequencePublisher<Element, Never> { SequencePublisher { self } }
}
