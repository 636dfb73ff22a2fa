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

extension DatabaseRoute: CustomStringConvertible, CustomReflectable {
  /// The route in short: its names and operators, and no value.
  public var description: String {
    var words = ["\(method.rawValue) \(table)"]
    if !columns.isEmpty { words.append("(\(columns.map(\.description).joined(separator: ", ")))") }
    if !aggregates.isEmpty {
      words.append("make \(aggregates.map(\.description).joined(separator: ", "))")
    }
    if let names = values.first?.fields.map(\.column.description) {
      let count = values.count == 1 ? "" : " × \(values.count)"
      words.append("set \(names.joined(separator: ", "))\(count)")
    }
    if let filter { words.append("where \(filter)") }
    if let groupFilter { words.append("having \(groupFilter)") }
    if !orders.isEmpty {
      words.append("by \(orders.map(\.description).joined(separator: ", "))")
    }
    if page?.after != nil { words.append("after a row") }
    if let limit { words.append("limit \(limit)") }
    if let offset { words.append("offset \(offset)") }
    if !embeds.isEmpty { words.append("with \(embeds.map(\.name).joined(separator: ", "))") }
    if counting != .exact { words.append(counting.description) }
    if let id { words.append("[\(id)]") }
    return words.joined(separator: " ")
  }

  /// Shows the description alone, so that no value gets into a log.
  public var customMirror: Mirror { Mirror(self, children: ["route": description]) }
}

extension DatabaseRoute.Filter: CustomStringConvertible {
  /// The conditions, without their values; of a long list the first ones and the number of the
  /// others.
  public var description: String {
    switch form {
    case .all: "all"
    case .comparison(let comparison): comparison.description
    case .and(let filters): "(\(Self.list(filters, separator: " and ")))"
    case .or(let filters): "(\(Self.list(filters, separator: " or ")))"
    case .not(let filter): "not \(filter)"
    case .tooDeep: "nested too deep"
    }
  }

  private static func list(_ filters: [Self], separator: String) -> String {
    let most = 100
    var parts = filters.prefix(most).map(\.description)
    if filters.count > most { parts.append("\(filters.count - most) more") }
    return parts.joined(separator: separator)
  }
}

extension DatabaseRoute.Comparison: CustomStringConvertible {
  public var description: String {
    switch operand {
    case .none: "\(column) \(self.operator)"
    case .value: "\(column) \(self.operator) ?"
    case .list(let values): "\(column) \(self.operator) [\(values.count)]"
    case .any(let values): "\(column) \(self.operator) any [\(values.count)]"
    case .each(let values): "\(column) \(self.operator) each [\(values.count)]"
    }
  }
}

extension DatabaseRoute.Order: CustomStringConvertible {
  public var description: String { ascending ? "\(column)" : "\(column) descending" }
}

extension DatabaseRoute {
  /// One term of an order.
  ///
  /// Where NULLs stand is always said, so that each database gives the same order.
  public struct Order: Hashable, Sendable, Codable {
    public var column: Column
    public var ascending: Bool
    public var nullsFirst: Bool
    /// How texts are compared: `NOCASE`, say; `nil` for how the column is declared.
    public var collation: String?

    public init(
      column: Column, ascending: Bool = true, nullsFirst: Bool = false, collation: String? = nil
    ) {
      self.column = column
      self.ascending = ascending
      self.nullsFirst = nullsFirst
      self.collation = collation
    }

    /// The lowest first.
    public static func ascending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, nullsFirst: nullsFirst, collation: collation)
    }

    /// The highest first.
    public static func descending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, ascending: false, nullsFirst: nullsFirst, collation: collation)
    }
  }
}

extension DatabaseRoute.Column {
  /// The lowest first.
  public func ascending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .ascending(self, nullsFirst: nullsFirst)
  }

  /// The highest first.
  public func descending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .descending(self, nullsFirst: nullsFirst)
  }
}
