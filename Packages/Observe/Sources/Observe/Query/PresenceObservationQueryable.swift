public import SQLiteCore

/// A request for a value that may or may not exist, and whose last value is remembered after it is
/// deleted.
///
/// ```swift
/// struct PlayerRequest: PresenceObservationQueryable {
///   var id: Int
///
///   func fetch(_ db: Connection) throws -> Player? {
///     try db.fetchOne(Player.self, "SELECT * FROM player WHERE id = ?", id)
///   }
/// }
/// ```
///
/// It is observed like a ``ValueObservationQueryable``.
public protocol PresenceObservationQueryable: Queryable
where
  Context: TopLevelDatabaseReader, Value == Presence<WrappedValue>,
  Values == QueryValues<Presence<WrappedValue>>
{
  /// The type of the value that may exist.
  associatedtype WrappedValue: Sendable

  /// Options for fetching the first value. By default, it is not fetched on the calling thread.
  static var queryableOptions: QueryableOptions { get }

  /// The region that the value depends on; `nil`, the default, to use the region that SQLite
  /// reports at each fetch.
  var region: Region? { get }

  /// Fetches the value in a read transaction; returns `nil` if it does not exist.
  func fetch(_ db: Connection) throws -> WrappedValue?
}

extension PresenceObservationQueryable {
  public static var queryableOptions: QueryableOptions { [] }

  public var region: Region? { nil }

  @MainActor public static var defaultValue: Presence<WrappedValue> { .missing }

  @MainActor public func values(in context: Context) throws -> QueryValues<Presence<WrappedValue>> {
    QueryValues(observing: try context.reader, region, name: String(describing: Self.self)) {
      try fetch($0)
    }.scanPresence()
  }

  @MainActor public func immediateValue(in context: Context) throws -> Presence<WrappedValue>? {
    guard Self.queryableOptions.contains(.immediate) else { return nil }
    let value = try context.reader.read { try fetch($0) }
    return value.map { .existing($0) } ?? .missing
  }
}

extension PresenceObservationQueryable where WrappedValue: Equatable {
  @MainActor public func values(in context: Context) throws -> QueryValues<Presence<WrappedValue>> {
    QueryValues(
      observing: try context.reader, region, isDuplicate: { $0 == $1 },
      name: String(describing: Self.self)
    ) {
      try fetch($0)
    }.scanPresence()
  }
}

/// A value that exists in a database, has existed, or has never been seen.
///
/// `Presence` is not `Identifiable`: a missing value has no identity, and two missing values are
/// not the same.
public enum Presence<Value> {
  /// The value exists.
  case existing(Value)
  /// The value no longer exists. The associated value is its last known state.
  case gone(Value)
  /// The value does not exist, and was never seen.
  case missing

  /// The last known value; `nil` if it was never seen.
  public var value: Value? {
    switch self {
    case .existing(let value), .gone(let value): value
    case .missing: nil
    }
  }

  /// A Boolean value that indicates whether the value exists.
  public var exists: Bool {
    if case .existing = self { true } else { false }
  }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}
extension Presence: Hashable where Value: Hashable {}

/// A query value that depends on the previous one.
protocol PreviousValueAware {
  /// Returns this value as it follows `earlier`.
  func following(_ earlier: Self) -> Self
}

extension Presence: PreviousValueAware {
  func following(_ earlier: Presence) -> Presence {
    if case .missing = self, let known = earlier.value { .gone(known) } else { self }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Converts optional values to ``Presence``: an initial `nil` becomes ``Presence/missing``, and a
  /// `nil` after a value becomes ``Presence/gone(_:)`` with that value.
  public func scanPresence<Value: Sendable>() -> QueryValues<Presence<Value>>
  where Element == Value? {
    QueryValues(self) { value, last in
      let presence = value.map { Presence.existing($0) } ?? .missing
      return last.map { presence.following($0) } ?? presence
    }
  }
}
