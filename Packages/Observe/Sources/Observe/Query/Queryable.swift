public import SQLiteCore

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

/// How the values of a request are fetched.
public struct QueryableOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Fetches the first value at once, on the thread that asks: in an app that is the main thread, which
  /// stands still meanwhile. For values that are cheap to fetch, and must not be late.
  ///
  /// Without it nothing is fetched on the main thread, and the default value is there until the
  /// first one has come.
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
  /// How the value is fetched: by default not on the thread that asks.
  static var queryableOptions: QueryableOptions { get }

  /// Fetches the value, in a read transaction.
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
