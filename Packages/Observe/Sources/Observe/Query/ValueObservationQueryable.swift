public import SQLiteCore

/// A request whose value is fetched, and fetched again after each commit that may have changed it.
///
/// ```swift
/// struct PlayersRequest: ValueObservationQueryable {
///   static var defaultValue: [Player] { [] }
///
///   func fetch(_ db: Connection) throws -> [Player] {
///     try db.fetchAll(Player.self, "SELECT * FROM player ORDER BY score DESC")
///   }
/// }
/// ```
///
/// A value that is equal to the one before is skipped, where values can be compared. A fetch that has
/// failed is tried again after the next commit.
public protocol ValueObservationQueryable: Queryable
where Context: TopLevelDatabaseReader, Values == QueryValues<Value> {
  /// How the first value is fetched: by default not on the thread that asks.
  static var queryableOptions: QueryableOptions { get }

  /// What the value depends on; `nil`, as by default, where SQLite is to tell at each fetch.
  var region: Region? { get }

  /// Fetches the value, in a read transaction.
  func fetch(_ db: Connection) throws -> Value
}

extension ValueObservationQueryable {
  public static var queryableOptions: QueryableOptions { [] }

  public var region: Region? { nil }

  @MainActor public func values(in context: Context) throws -> QueryValues<Value> {
    QueryValues(observing: try context.reader, region, name: String(describing: Self.self)) {
      try fetch($0)
    }
  }

  @MainActor public func immediateValue(in context: Context) throws -> Value? {
    guard Self.queryableOptions.contains(.immediate) else { return nil }
    return try context.reader.read { try fetch($0) }
  }
}

extension ValueObservationQueryable where Value: Equatable {
  @MainActor public func values(in context: Context) throws -> QueryValues<Value> {
    QueryValues(
      observing: try context.reader, region, isDuplicate: { $0 == $1 },
      name: String(describing: Self.self)
    ) {
      try fetch($0)
    }
  }
}
