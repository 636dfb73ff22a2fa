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
  var storage: Storage

  /// A name that tells the route from others like it, where it is answered in place of the database.
  public var id: String? {
    get { storage.parts.id }
    set { change { $0.id = newValue } }
  }

  /// The table, or the view.
  public var table: Table {
    get { storage.parts.table }
    set { change { $0.table = newValue } }
  }

  /// What is done.
  public var method: Method {
    get { storage.parts.method }
    set { change { $0.method = newValue } }
  }

  /// The columns that are read or returned; all where there are none.
  public var columns: [Column] {
    get { storage.parts.columns }
    set { change { $0.columns = newValue } }
  }

  /// Which rows; `nil` for a route that has not said.
  public var filter: Filter? {
    get { storage.parts.filter }
    set { change { $0.filter = newValue } }
  }

  /// In which order.
  public var orders: [Order] {
    get { storage.parts.orders }
    set { change { $0.orders = newValue } }
  }

  /// How many rows at most.
  public var limit: Int? {
    get { storage.parts.limit }
    set { change { $0.limit = newValue } }
  }

  /// How many rows are left out before the first.
  public var offset: Int? {
    get { storage.parts.offset }
    set { change { $0.offset = newValue } }
  }

  /// Where the last page has ended: see `page(after:size:)`.
  public var page: Page? {
    get { storage.parts.page }
    set { change { $0.page = newValue } }
  }

  /// The rows that are written; one for an update.
  public var values: [Record] {
    get { storage.parts.values }
    set { change { $0.values = newValue } }
  }

  /// What becomes of a row whose key is there already.
  public var conflict: Conflict? {
    get { storage.parts.conflict }
    set { change { $0.conflict = newValue } }
  }

  /// What a write gives back.
  public var returning: Returning {
    get { storage.parts.returning }
    set { change { $0.returning = newValue } }
  }

  /// The rows of other tables that come with each row.
  public var embeds: [Embed] {
    get { storage.parts.embeds }
    set { change { $0.embeds = newValue } }
  }

  /// What is made of many rows, in the place of the rows themselves: see ``aggregating(_:)``.
  public var aggregates: [Aggregate] {
    get { storage.parts.aggregates }
    set { change { $0.aggregates = newValue } }
  }

  /// Which groups, where there are aggregates: see ``filteringGroups(by:)``.
  public var groupFilter: Filter? {
    get { storage.parts.groupFilter }
    set { change { $0.groupFilter = newValue } }
  }

  /// How rows are counted. For a ``Method/count``.
  public var counting: Counting {
    get { storage.parts.counting }
    set { change { $0.counting = newValue } }
  }

  /// How many rows there have to be.
  public var expectation: Expectation? {
    get { storage.parts.expectation }
    set { change { $0.expectation = newValue } }
  }

  /// The statement of a custom route.
  public var statement: CustomStatement? {
    get { storage.parts.statement }
    set { change { $0.statement = newValue } }
  }

  /// A route of which nothing else is said yet.
  public init(_ method: Method, _ table: Table, id: String? = nil) {
    self.init(Parts(method, table, id: id))
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
