public import SQLiteCore

/// A request for something that may be there or not, and that is remembered once it is gone.
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
/// It is observed as a ``ValueObservationQueryable`` is.
public protocol PresenceObservationQueryable: Queryable
where
  Context: TopLevelDatabaseReader, Value == Presence<WrappedValue>,
  Values == QueryValues<Presence<WrappedValue>>
{
  /// What may be there.
  associatedtype WrappedValue: Sendable

  /// How the first value is fetched: by default not on the thread that asks.
  static var queryableOptions: QueryableOptions { get }

  /// What the value depends on; `nil`, as by default, where SQLite is to tell at each fetch.
  var region: Region? { get }

  /// Fetches what is there, in a read transaction; `nil` where nothing is.
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

/// Something that may be in a database, may have been, or may never have been seen there.
///
/// It is not `Identifiable`: what was never there has no identity, and two of those are not one.
public enum Presence<Value> {
  /// It is there.
  case existing(Value)
  /// It was there when it was last seen: so it was then.
  case gone(Value)
  /// It is not there, and was not seen there.
  case missing

  /// The last that is known of it; `nil` where it was never seen.
  public var value: Value? {
    switch self {
    case .existing(let value), .gone(let value): value
    case .missing: nil
    }
  }

  /// Whether it is there.
  public var exists: Bool {
    if case .existing = self { true } else { false }
  }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}
extension Presence: Hashable where Value: Hashable {}

/// A value that remembers the one before it.
protocol RememberingValue {
  /// This value as it is to be told to someone who knows `earlier`.
  func following(_ earlier: Self) -> Self
}

extension Presence: RememberingValue {
  func following(_ earlier: Presence) -> Presence {
    if case .missing = self, let known = earlier.value { .gone(known) } else { self }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Tells what is there, and what was: the first `nil` is ``Presence/missing``, one after a value
  /// is that value, ``Presence/gone(_:)``.
  public func scanPresence<Value: Sendable>() -> QueryValues<Presence<Value>>
  where Element == Value? {
    QueryValues(self) { value, last in
      let presence = value.map { Presence.existing($0) } ?? .missing
      return last.map { presence.following($0) } ?? presence
    }
  }
}
