/// One operation on one table of a database, as a value.
///
/// A route has no connection, and does nothing until a ``RouteExecutor`` runs it. It can be compared, printed, stored
/// in a file and sent elsewhere, and all its parts can be read.
///
/// ```swift
/// let open: DatabaseRoute = .fetch(
///   from: "todos", filteredBy: DatabaseRoute.Column("completedOn").isNull(),
///   order: .ascending("name"))
/// let done: DatabaseRoute = try .update(id: 3, in: "todos", with: ["completedOn": 1_700_000_000])
/// ```
///
/// Names of tables and columns are looked up in the database when a route runs, and are never inserted into SQL
/// directly; values are bound. The description contains names and operators, but no values.
public struct DatabaseRoute: Hashable, Sendable, Codable {
  var storage: Storage

  /// An identifier that distinguishes the route from similar ones, by which overrides can match it.
  public var id: String? {
    get { storage.parts.id }
    set { change { $0.id = newValue } }
  }

  /// The table, or the view.
  public var table: Table {
    get { storage.parts.table }
    set { change { $0.table = newValue } }
  }

  /// The operation.
  public var method: Method {
    get { storage.parts.method }
    set { change { $0.method = newValue } }
  }

  /// The columns that are read or returned; empty for all.
  public var columns: [Column] {
    get { storage.parts.columns }
    set { change { $0.columns = newValue } }
  }

  /// The filter that selects rows; `nil` if none was specified.
  public var filter: Filter? {
    get { storage.parts.filter }
    set { change { $0.filter = newValue } }
  }

  /// The order of the rows.
  public var orders: [Order] {
    get { storage.parts.orders }
    set { change { $0.orders = newValue } }
  }

  /// The maximum number of rows.
  public var limit: Int? {
    get { storage.parts.limit }
    set { change { $0.limit = newValue } }
  }

  /// The number of rows to skip.
  public var offset: Int? {
    get { storage.parts.offset }
    set { change { $0.offset = newValue } }
  }

  /// The end of the previous page: see `page(after:size:)`.
  public var page: Page? {
    get { storage.parts.page }
    set { change { $0.page = newValue } }
  }

  /// The rows to write; one for an update.
  public var values: [Record] {
    get { storage.parts.values }
    set { change { $0.values = newValue } }
  }

  /// The action for an existing row with the same key.
  public var conflict: Conflict? {
    get { storage.parts.conflict }
    set { change { $0.conflict = newValue } }
  }

  /// The part of a write's result that is returned.
  public var returning: Returning {
    get { storage.parts.returning }
    set { change { $0.returning = newValue } }
  }

  /// The rows of other tables that are fetched with each row.
  public var embeds: [Embed] {
    get { storage.parts.embeds }
    set { change { $0.embeds = newValue } }
  }

  /// Values computed from many rows, in place of the rows themselves: see ``aggregating(_:)``.
  public var aggregates: [Aggregate] {
    get { storage.parts.aggregates }
    set { change { $0.aggregates = newValue } }
  }

  /// The filter for groups, if there are aggregates: see ``filteringGroups(by:)``.
  public var groupFilter: Filter? {
    get { storage.parts.groupFilter }
    set { change { $0.groupFilter = newValue } }
  }

  /// The counting method, for a ``Method/count``.
  public var counting: Counting {
    get { storage.parts.counting }
    set { change { $0.counting = newValue } }
  }

  /// The expected number of rows.
  public var expectation: Expectation? {
    get { storage.parts.expectation }
    set { change { $0.expectation = newValue } }
  }

  /// The statement of a custom route.
  public var statement: CustomStatement? {
    get { storage.parts.statement }
    set { change { $0.statement = newValue } }
  }

  /// Creates a route with default values for all other parts.
  public init(_ method: Method, _ table: Table, id: String? = nil) {
    self.init(Parts(method, table, id: id))
  }

  /// The operation of a route.
  public enum Method: String, Hashable, Sendable, Codable, CaseIterable {
    case delete, fetch, fetchOne, insert, update, upsert, custom
    /// Counts rows.
    case count
  }

  /// The part of a write's result that is returned.
  public enum Returning: String, Hashable, Sendable, Codable, CaseIterable {
    /// No rows.
    case minimal
    /// The written rows, before triggers that run after the write.
    case representation
  }

  /// The expected number of rows that are read or written.
  public enum Expectation: Hashable, Sendable, Codable {
    /// Exactly one row.
    case one
    /// At most this number of rows.
    case atMost(Int)
  }

  /// A Boolean value that indicates whether the route does not change the database.
  public var isReadOnly: Bool {
    switch method {
    case .fetch, .fetchOne, .count: true
    case .custom: statement?.access == .read
    case .delete, .insert, .update, .upsert: false
    }
  }
}

extension DatabaseRoute: CustomStringConvertible, CustomReflectable {
  /// A short description of the route: its names and operators, without values.
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

  /// Contains only the description, so that no values appear in logs.
  public var customMirror: Mirror { Mirror(self, children: ["route": description]) }
}

extension DatabaseRoute.Filter: CustomStringConvertible {
  /// The conditions without their values; for a long list, the first ones and the number of the others.
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
  /// The position of NULLs is always explicit, so that the order is independent of the engine.
  public struct Order: Hashable, Sendable, Codable {
    public var column: Column
    public var ascending: Bool
    public var nullsFirst: Bool
    /// The collation for text, such as `NOCASE`; `nil` for the column's declared collation.
    public var collation: String?

    public init(
      column: Column, ascending: Bool = true, nullsFirst: Bool = false, collation: String? = nil
    ) {
      self.column = column
      self.ascending = ascending
      self.nullsFirst = nullsFirst
      self.collation = collation
    }

    /// Returns an ascending order term.
    public static func ascending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, nullsFirst: nullsFirst, collation: collation)
    }

    /// Returns a descending order term.
    public static func descending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, ascending: false, nullsFirst: nullsFirst, collation: collation)
    }
  }
}

extension DatabaseRoute.Column {
  /// Returns an ascending order term.
  public func ascending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .ascending(self, nullsFirst: nullsFirst)
  }

  /// Returns a descending order term.
  public func descending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .descending(self, nullsFirst: nullsFirst)
  }
}
