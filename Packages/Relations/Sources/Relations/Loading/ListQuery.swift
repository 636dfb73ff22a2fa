internal import SQLiteCore

/// Reads the lists of owners: one statement for any number of them.
struct ListQuery<Target: TableModel>: Sendable {
  enum Source: Sendable {
    case links(LinkTable)
    /// By a column of the target that refers to the owner.
    case inverse(column: String, order: String?)
  }

  let source: Source
  let shape: TableShape

  /// A row with its owner's place and its position.
  struct Found: Sendable {
    let position: Int64
    let fetched: FetchedRow<Target.Row>
  }

  /// The rows of each owner, in their order.
  ///
  /// - Parameters:
  ///   - owners: The owners' keys, none of them twice.
  ///   - limit: The most that are read for one owner.
  ///   - position: For one owner, the position behind which they are read.
  func read(
    _ connection: Connection, _ owners: [SQLiteValue], limit: Int? = nil,
    after position: Int64? = nil
  ) throws -> [[Found]] {
    var lists = [[Found]](repeating: [], count: owners.count)
    if owners.isEmpty { return lists }
    var places: [SQLiteValue: Int] = [:]
    for (place, owner) in owners.enumerated() { places[owner] = place }
    for part in KeySet(expressions: [owner]).conditions(for: owners.map { [$0] }) {
      let sql = statement(part.condition, limit: limit, after: position)
      try connection.forEachFetched(Target.Row.self, shape, sql, part.arguments) { fetched, row in
        guard let place = places[try row.value(at: 0)] else { return }
        lists[place].append(Found(position: try row.read(at: 1), fetched: fetched))
      }
    }
    return lists
  }

  /// The column that has the owner's key.
  private var owner: String {
    switch source {
    case .links: "holt_links.owner"
    case .inverse(let column, _): "\(SQLName.quoted(shape.table)).\(SQLName.quoted(column))"
    }
  }

  private func statement(_ condition: String, limit: Int?, after position: Int64?) -> String {
    let table = SQLName.quoted(shape.table)
    let columns = shape.columns.map { "\(table).\(SQLName.quoted($0.name))" }
      .joined(separator: ", ")
    let keys = shape.keyNames.map { "\(table).\(SQLName.quoted($0))" }.joined(separator: ", ")
    let from: String
    let order: String
    var place = "0"
    var own = condition
    switch source {
    case .links(let links):
      place = "holt_links.position"
      from =
        "\(links.quoted) AS holt_links JOIN \(table) ON \(keys) = holt_links.target"
      order = "holt_links.position"
      if let position { own += " AND holt_links.position > \(position)" }
    case .inverse(_, let asked):
      from = table
      order = asked.map { "\($0), \(keys)" } ?? keys
    }
    guard let limit else {
      return """
        SELECT \(owner) AS "holt owner", \(place) AS "holt position", \(columns) FROM \(from) \
        WHERE \(own) ORDER BY \(owner), \(order)
        """
    }
    return """
      SELECT * FROM (
        SELECT \(owner) AS "holt owner", \(place) AS "holt position", \(columns),
          row_number() OVER (PARTITION BY \(owner) ORDER BY \(order)) AS "holt row"
        FROM \(from) WHERE \(own))
      WHERE "holt row" <= \(limit) ORDER BY "holt owner", "holt row"
      """
  }
}
