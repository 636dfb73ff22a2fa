/// What is asked of a database, as a value: one operation on one table.
///
/// A route holds no connection, and runs nothing by itself: a ``RouteExecutor`` does. It can be compared, printed,
/// kept in a file and sent elsewhere, and each of its parts can be read.
///
/// ```swift
/// let open: DatabaseRoute = .fetch(
///   from: "todos", filteredBy: DatabaseRoute.Column("completedOn").isNull(),
///   order: .ascending("name"))
/// let done: DatabaseRoute = try .update(id: 3, in: "todos", with: ["completedOn": 1_700_000_000])
/// ```
///
/// Names of tables and columns are looked up in the database as a route runs, and are never pasted into SQL as
/// they are; values are bound. The description shows names and operators, and no value.
public struct DatabaseRoute: Hashable, Sendable, Codable {
  /// A name that tells the route from others like it, where it is answered in place of the database.
  public var id: String?
  /// The table, or the view.
  public var table: Table
  /// What is done.
  public var method: Method
  /// The columns that are read or returned; all where there are none.
  public var columns: [Column] = []
  /// Which rows; `nil` for a route that has not said.
  public var filter: Filter?
  /// In which order.
  public var orders: [Order] = []
  /// How many rows at most.
  public var limit: Int?
  /// How many rows are left out before the first.
  public var offset: Int?
  /// Where the last page has ended: see ``page(after:size:)``.
  public var page: Page?
  /// The rows that are written; one for an update.
  public var values: [Record] = []
  /// What becomes of a row whose key is there already.
  public var conflict: Conflict?
  /// What a write gives back.
  public var returning: Returning = .representation
  /// The rows of other tables that come with each row.
  public var embeds: [Embed] = []
  /// How many rows there have to be.
  public var expectation: Expectation?
  /// The statement of a custom route.
  public var statement: CustomStatement?

  /// A route of which nothing else is said yet.
  public init(_ method: Method, _ table: Table, id: String? = nil) {
    self.method = method
    self.table = table
    self.id = id
  }

  /// What a route does.
  public enum Method: String, Hashable, Sendable, Codable, CaseIterable {
    case delete, fetch, fetchOne, insert, update, upsert, custom
    /// Counts rows.
    case count
  }

  /// What a write gives back.
  public enum Returning: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing.
    case minimal
    /// The rows as they are written, before triggers that run after it.
    case representation
  }

  /// How many rows there have to be: read, or written.
  public enum Expectation: Hashable, Sendable, Codable {
    /// Exactly one.
    case one
    /// No more than this.
    case atMost(Int)
  }

  /// Whether the route leaves the database as it is.
  public var isReadOnly: Bool {
    switch method {
    case .fetch, .fetchOne, .count: true
    case .custom: statement?.access == .read
    case .delete, .insert, .update, .upsert: false
    }
  }
}
