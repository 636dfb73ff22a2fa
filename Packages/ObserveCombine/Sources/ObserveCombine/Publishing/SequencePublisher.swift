#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A publisher of what a sequence gives: the values of an observation, its commits, its differences.
///
/// ```swift
/// let names = database.observe { connection in
///   try connection.values(String.self, "SELECT name FROM player ORDER BY name")
/// }
/// let cancellable = names.publisher().receiveOnMainActor()
///   .sink(receiveCompletion: { show($0) }, receiveValue: { show($0) })
/// ```
///
/// Each subscription iterates for itself.
/// - **Work follows demand.** Nothing is fetched before it is asked for; each element of demand is one
///   element of the sequence, and no more come than are asked for.
/// - **Nothing is dropped for lack of demand.** Who asks late gets the latest value of an observation, and every
///   commit of `Database.changesPublisher(in:)`.
/// - **Cancelling ends the work**, and interrupts a fetch that runs. What is being received by another thread
///   meanwhile is the last.
/// - A subscriber may ask for more, or cancel, while it receives.
/// - The subscriber is called on no thread in particular, one call at a time: see ``receiveOnMainActor()``.
///
/// It completes when the sequence ends, or with the error that it throws: as soon as there is demand.
public struct SequencePublisher<Base: AsyncSequence & Sendable>: Publisher, Sendable
where Base.Element: Sendable {
  public typealias Output = Base.Element
  public typealias Failure = Base.Failure

  private let makeBase: @Sendable () -> Base
  private var isOnMainActor = false

  /// Publishes what a sequence gives.
  ///
  /// - Parameter base: Gives the sequence, for each subscription.
  public init(_ base: @escaping @Sendable () -> Base) { makeBase = base }

  /// Has subscribers called on the main actor.
  ///
  /// After a subscriber there has cancelled, it receives nothing more. No demand is made beyond that of the
  /// subscriber, so that nothing waits in between.
  public func receiveOnMainActor() -> SequencePublisher {
    var publisher = self
    publisher.isOnMainActor = true
    return publisher
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = SequenceSubscription<Output, Failure>(subscriber)
    // Before it is told, so that it misses nothing from now on.
    var iterator = makeBase().makeAsyncIterator()
    subscriber.receive(subscription: subscription)
    subscription.begin(isOnMainActor: isOnMainActor) { () async throws(Failure) -> Output? in
      try await iterator.next(isolation: #isolation)
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Publishes what the sequence gives, to each subscriber from the start.
  ///
  /// ```swift
  /// let difference = database.observe(fetchPlayers).differences(by: \.id).publisher()
  /// ```
  public func publisher() -> SequencePublisher<Self> { SequencePublisher { self } }
}
