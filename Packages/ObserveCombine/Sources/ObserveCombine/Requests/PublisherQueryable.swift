public import Observe

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A request whose values a publisher gives.
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
/// It serves `@Query` and `QueryController` as any other request does. See
/// `QueryValues.init(_:)` for how the publisher is subscribed to.
public protocol PublisherQueryable: Queryable
where Values == QueryValues<Value>, Context == PublisherContext {
  /// The `Context`, which follows from ``publisher(in:)`` by this name.
  associatedtype PublisherContext = DatabaseContext
  /// What gives the values.
  associatedtype ValuePublisher: Publisher where ValuePublisher.Output == Value

  /// What gives the values, from the one of now on.
  ///
  /// - Throws: What is shown as the query's error.
  @MainActor func publisher(in context: PublisherContext) throws -> ValuePublisher
}

extension PublisherQueryable {
  @MainActor public func values(in context: PublisherContext) throws -> QueryValues<Value> {
    QueryValues(try publisher(in: context))
  }
}

extension QueryValues {
  /// The values of a publisher, for a `Queryable` of your own.
  ///
  /// The publisher is subscribed to by each iteration, on the main actor, and with unlimited demand. It may
  /// publish anywhere. Who is slow gets the latest value next; those before it are dropped. Ending the iteration
  /// cancels the subscription there too, soon after.
  @MainActor public init<Base: Publisher>(_ publisher: Base) where Base.Output == Value {
    self.init(PublisherValues(publisher))
  }
}
