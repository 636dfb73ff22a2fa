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
