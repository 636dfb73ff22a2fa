public import SQLiteCore

/// A request whose values are shown, and may change over time.
///
/// Most requests are a ``ValueObservationQueryable``, a ``PresenceObservationQueryable`` or a
/// ``FetchQueryable``, which only define a fetch. Other requests produce their values themselves,
/// from any context:
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
/// Equal requests in one context share one observation and one fetch.
public protocol Queryable<Context>: Hashable, Sendable {
  /// The type of the values.
  associatedtype Value: Sendable
  /// The type of the context that the values are produced from.
  associatedtype Context = DatabaseContext
  /// The sequence of values.
  associatedtype Values: AsyncSequence where Values.Element == Value

  /// The value that is shown before the first one is available.
  @MainActor static var defaultValue: Value { get }

  /// Returns the values, starting with the current one.
  ///
  /// Cancelling the iterating task ends them. They are iterated again after a refresh and after an
  /// error.
  ///
  /// - Throws: An error, which becomes the query's error.
  @MainActor func values(in context: Context) throws -> Values

  /// Returns the current value if it is available without waiting; `nil`, the default, otherwise.
  ///
  /// - Throws: An error, which becomes the query's error.
  @MainActor func immediateValue(in context: Context) throws -> Value?
}

extension Queryable {
  @MainActor public func immediateValue(in context: Context) throws -> Value? { nil }
}

/// Options for fetching the values of a request.
public struct QueryableOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Fetches the first value synchronously, on the calling thread: in an app, this blocks the main
  /// thread. Use it for values that are cheap to fetch and must not appear late.
  ///
  /// Without this option no value is fetched on the main thread, and the default value is shown
  /// until the first one is available.
  public static let immediate = QueryableOptions(rawValue: 1 << 0)
}

/// A request whose value is fetched once, and again only by a refresh.
///
/// ```swift
/// struct Settings: FetchQueryable {
///   static var defaultValue: [String] { [] }
///
///   func fetch(_ db: Connection) throws -> [String] {
///     try db.values(String.self, "SELECT name FROM setting ORDER BY name")
///   }
/// }
/// ```
public protocol FetchQueryable: Queryable
where Context: TopLevelDatabaseReader, Values == QueryValues<Value> {
  /// Options for fetching the value. By default, it is not fetched on the calling thread.
  static var queryableOptions: QueryableOptions { get }

  /// Fetches the value in a read transaction.
  func fetch(_ db: Connection) throws -> Value
}

extension FetchQueryable {
  public static var queryableOptions: QueryableOptions { [] }

  @MainActor public func values(in context: Context) throws -> QueryValues<Value> {
    QueryValues(fetching: try context.reader) { try fetch($0) }
  }

  @MainActor public func immediateValue(in context: Context) throws -> Value? {
    guard Self.queryableOptions.contains(.immediate) else { return nil }
    return try context.reader.read { try fetch($0) }
  }
}

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
/// A value that is equal to the previous one is skipped, if values can be compared. A failed fetch
/// is repeated after the next commit.
public protocol ValueObservationQueryable: Queryable
where Context: TopLevelDatabaseReader, Values == QueryValues<Value> {
  /// Options for fetching the first value. By default, it is not fetched on the calling thread.
  static var queryableOptions: QueryableOptions { get }

  /// The region that the value depends on; `nil`, the default, to use the region that SQLite
  /// reports at each fetch.
  var region: Region? { get }

  /// Fetches the value in a read transaction.
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
