#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A publisher of a sequence's elements: the values of an observation, its commits, its differences.
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
/// - **Work follows demand.** No fetch runs without demand; each requested element is one element of the sequence,
///   and no more elements are delivered than requested.
/// - **Low demand loses nothing.** A late request receives the latest value of an observation, and every commit of
///   `Database.changesPublisher(in:)`.
/// - **Cancelling ends the work**, and interrupts a running fetch. An element that another thread is receiving at that
///   time is the last.
/// - A subscriber may request more elements, or cancel, while it receives one.
/// - The subscriber is called on an unspecified thread, one call at a time: see ``receiveOnMainActor()``.
///
/// The publisher completes when the sequence ends, or with the error that the sequence throws, as soon as there is
/// demand.
public struct SequencePublisher<Base: AsyncSequence & Sendable>: Publisher, Sendable
where Base.Element: Sendable {
  public typealias Output = Base.Element
  public typealias Failure = Base.Failure

  private let makeBase: @Sendable () -> Base
  private var isOnMainActor = false

  /// Creates a publisher of a sequence.
  ///
  /// - Parameter base: Returns the sequence for each subscription.
  public init(_ base: @escaping @Sendable () -> Base) { makeBase = base }

  /// Calls subscribers on the main actor.
  ///
  /// A subscriber that cancels there receives no more elements. The publisher requests no more than the subscriber does, so
  /// that no element is buffered.
  public func receiveOnMainActor() -> SequencePublisher {
    var publisher = self
    publisher.isOnMainActor = true
    return publisher
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = SequenceSubscription<Output, Failure>(subscriber)
    // Before the subscriber receives the subscription, so that it misses no element from now on.
    var iterator = makeBase().makeAsyncIterator()
    subscriber.receive(subscription: subscription)
    subscription.begin(isOnMainActor: isOnMainActor) { () async throws(Failure) -> Output? in
      try await iterator.next(isolation: #isolation)
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a publisher of the sequence's elements, which iterates the sequence for each subscriber.
  ///
  /// ```swift
  /// let difference = database.observe(fetchPlayers).differences(by: \.id).publisher()
  /// ```
  public func publisher() -> SequencePublisher<Self> { SequencePublisher { self } }
}
