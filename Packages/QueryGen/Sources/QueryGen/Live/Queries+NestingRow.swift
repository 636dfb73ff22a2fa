extension Queries {
  /// A row with lists, which several rows of a statement make together: what is generated where a query
  /// asks for `nest:`.
  public protocol NestingRow: RowDecodable {
    /// What rows of the statement have in common that are one here.
    associatedtype Key: Hashable

    static func key(of row: borrowing Row) throws(SQLiteError) -> Key

    /// Adds what a row of the statement has for the lists.
    mutating func append(row: borrowing Row) throws(SQLiteError)
  }
}

extension Connection {
  /// Reads every row, and makes one of those with the same key: in the order in which each came first,
  /// wherever the others stand.
  ///
  /// - Complexity: O(*n*) in the number of the statement's rows.
  public func fetchNested<Value: Queries.NestingRow, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> [Value] {
    var rows = NestedRows<Value>()
    try forEach(sql, repeat each arguments) { row in try rows.add(row) }
    return rows.values
  }

  /// The same with the arguments in an array.
  public func fetchNested<Value: Queries.NestingRow>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> [Value] {
    var rows = NestedRows<Value>()
    try withStatement(sql, values: values) { statement in
      while try statement.step() { try rows.add(statement.row) }
    }
    return rows.values
  }
}

extension Row {
  /// Whether all these columns are NULL.
  public func areNull(at columns: ColumnIndex...) throws(SQLiteError) -> Bool {
    for column in columns where try !isNull(at: column) { return false }
    return true
  }
}

/// Rows that are made of several.
private struct NestedRows<Value: Queries.NestingRow> {
  private(set) var values: [Value] = []
  private var places: [Value.Key: Int] = [:]
  /// The key of the row before, which most rows of a join share.
  private var last: (key: Value.Key, place: Int)?

  mutating func add(_ row: borrowing Row) throws {
    let key = try Value.key(of: row)
    let place: Int
    if let last, last.key == key {
      place = last.place
    } else if let known = places[key] {
      place = known
    } else {
      place = values.count
      places[key] = place
      values.append(try Value(row: row))
    }
    last = (key, place)
    try values[place].append(row: row)
  }
}
