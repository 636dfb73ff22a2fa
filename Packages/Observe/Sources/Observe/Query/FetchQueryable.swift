public import SQLiteCore

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
