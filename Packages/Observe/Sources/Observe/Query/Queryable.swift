/// A request whose values can be shown, and go on changing.
///
/// Most requests are a ``ValueObservationQueryable``, a ``PresenceObservationQueryable`` or a
/// ``FetchQueryable``, which only say what they fetch. Others make their values themselves, from whatever
/// their context gives:
///
/// ```swift
/// struct Scores: Queryable {
///   static var defaultValue: [Int] { [] }
///
///   func values(in repository: PlayerRepository) -> QueryValues<[Int]> {
///     QueryValues(repository.scores())
///   }
/// }
/// ```
///
/// Equal requests in one context are one: they are observed once, and fetched once for all.
public protocol Queryable<Context>: Hashable, Sendable {
  /// What is shown.
  associatedtype Value: Sendable
  /// What the values are made from.
  associatedtype Context = DatabaseContext
  /// The values, one after another.
  associatedtype Values: AsyncSequence where Values.Element == Value

  /// What is shown before there is a value.
  @MainActor static var defaultValue: Value { get }

  /// The values, from the one of now on.
  ///
  /// Cancelling the task that iterates ends them. They are iterated anew by a refresh, and after an error.
  ///
  /// - Throws: What is shown as the query's error.
  @MainActor func values(in context: Context) throws -> Values

  /// The value of now, where it is to be had without waiting; `nil` where it is not, as by default.
  ///
  /// - Throws: What is shown as the query's error.
  @MainActor func immediateValue(in context: Context) throws -> Value?
}

extension Queryable {
  @MainActor public func immediateValue(in context: Context) throws -> Value? { nil }
}
