extension DatabaseRoute {
  /// The parts of a route. ``DatabaseRoute`` documents them.
  struct Parts: Hashable, Sendable {
    var id: String?
    var table: Table
    var method: Method
    var columns: [Column] = []
    var filter: Filter?
    var orders: [Order] = []
    var limit: Int?
    var offset: Int?
    var page: Page?
    var values: [Record] = []
    var conflict: Conflict?
    var returning: Returning = .representation
    var embeds: [Embed] = []
    var expectation: Expectation?
    var statement: CustomStatement?
    var aggregates: [Aggregate] = []
    var groupFilter: Filter?
    var counting = Counting.exact

    init(_ method: Method, _ table: Table, id: String? = nil) {
      self.method = method
      self.table = table
      self.id = id
    }

    /// Indicates whether every part has its default value, except for those that a simple selection
    /// uses.
    var isPlain: Bool {
      columns.isEmpty && orders.isEmpty && offset == nil && page == nil && values.isEmpty
        && conflict == nil && embeds.isEmpty && statement == nil && aggregates.isEmpty
        && groupFilter == nil && counting == .exact
    }
  }

  /// The storage shared by copies of a route, because routes are passed on more often than changed.
  final class Storage: Sendable {
    let parts: Parts
    /// Indicates whether the route specifies only which rows of one table, and at most how many, as
    /// most routes do.
    let isPlain: Bool

    init(_ parts: Parts) {
      isPlain = parts.isPlain
      self.parts = parts
    }
  }

  init(_ parts: Parts) { storage = Storage(parts) }

  mutating func change(_ change: (inout Parts) -> Void) {
    var parts = storage.parts
    change(&parts)
    storage = Storage(parts)
  }

  public static func == (a: DatabaseRoute, b: DatabaseRoute) -> Bool {
    a.storage === b.storage || a.storage.parts == b.storage.parts
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.parts) }

  public init(from decoder: any Decoder) throws { self.init(try Parts(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try storage.parts.encode(to: encoder) }
}

/// Default values are omitted, so that encoded routes can still be decoded when parts are added.
extension DatabaseRoute.Parts: Codable {
  private enum CodingKeys: CodingKey {
    case id, table, method, columns, filter, orders, limit, offset, page, values, conflict
    case returning, embeds, expectation, statement, aggregates, groupFilter, counting
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func part<Part: Decodable>(_ key: CodingKeys) throws -> Part? {
      try container.decodeIfPresent(Part.self, forKey: key)
    }
    table = try container.decode(DatabaseRoute.Table.self, forKey: .table)
    method = try container.decode(DatabaseRoute.Method.self, forKey: .method)
    id = try part(.id)
    columns = try part(.columns) ?? []
    filter = try part(.filter)
    orders = try part(.orders) ?? []
    limit = try part(.limit)
    offset = try part(.offset)
    page = try part(.page)
    values = try part(.values) ?? []
    conflict = try part(.conflict)
    returning = try part(.returning) ?? .representation
    embeds = try part(.embeds) ?? []
    expectation = try part(.expectation)
    statement = try part(.statement)
    aggregates = try part(.aggregates) ?? []
    groupFilter = try part(.groupFilter)
    counting = try part(.counting) ?? .exact
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(table, forKey: .table)
    try container.encode(method, forKey: .method)
    try container.encodeIfPresent(id, forKey: .id)
    if !columns.isEmpty { try container.encode(columns, forKey: .columns) }
    try container.encodeIfPresent(filter, forKey: .filter)
    if !orders.isEmpty { try container.encode(orders, forKey: .orders) }
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encodeIfPresent(offset, forKey: .offset)
    try container.encodeIfPresent(page, forKey: .page)
    if !values.isEmpty { try container.encode(values, forKey: .values) }
    try container.encodeIfPresent(conflict, forKey: .conflict)
    if returning != .representation { try container.encode(returning, forKey: .returning) }
    if !embeds.isEmpty { try container.encode(embeds, forKey: .embeds) }
    try container.encodeIfPresent(expectation, forKey: .expectation)
    try container.encodeIfPresent(statement, forKey: .statement)
    if !aggregates.isEmpty { try container.encode(aggregates, forKey: .aggregates) }
    try container.encodeIfPresent(groupFilter, forKey: .groupFilter)
    if counting != .exact { try container.encode(counting, forKey: .counting) }
  }
}
