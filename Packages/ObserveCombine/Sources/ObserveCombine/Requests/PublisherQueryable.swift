public import Observe

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A request whose values come from a publisher.
///
/// ```swift
/// struct ScoresRequest: PublisherQueryable {
///   static var defaultValue: [Int] { [] }
///
///   func publisher(in repository: PlayerRepository) -> AnyPublisher<[Int], any Error> {
///     repository.scores.publisher().eraseToAnyPublisher()
///   }
/// }
/// ```
///
/// `@Query` and `QueryController` use it like any other request. See `QueryValues.init(_:)` for
/// details of the subscription.
public protocol PublisherQueryable: Queryable
where Values == QueryValues<Value>, Context == PublisherContext {
  /// The request's `Context`, under a separate name so that it is inferred from ``publisher(in:)``.
  associatedtype PublisherContext = DatabaseContext
  /// The type of the publisher of the values.
  associatedtype ValuePublisher: Publisher where ValuePublisher.Output == Value

  /// Returns the publisher of the values, starting with the current one.
  ///
  /// - Throws: An error, which becomes the query's error.
  @MainActor func publisher(in context: PublisherContext) throws -> ValuePublisher
}

extension PublisherQueryable {
  @MainActor public func values(in context: PublisherContext) throws -> QueryValues<Value> {
    QueryValues(try publisher(in: context))
  }
}

extension QueryValues {
  /// Creates values from a publisher, for a custom `Queryable`.
  ///
  /// Each iteration subscribes to the publisher on the main actor, with unlimited demand. The
  /// publisher may publish on any thread. A slow consumer receives the latest value next; earlier
  /// ones are dropped. Ending the iteration cancels the subscription shortly afterwards, on the
  /// main actor.
  @MainActor public init<Base: Publisher>(_ publisher: Base) where Base.Output == Value {
    self.init(PublisherValues(publisher))
  }
}
