extension Queries {
  /// A row with lists, which is merged from several rows of a statement. A conforming type is
  /// generated for a query with `nest:`.
  public protocol NestingRow: RowDecodable {
    /// The identity of a merged row: statement rows with equal keys are merged.
    associatedtype Key: Hashable

    static func key(of row: borrowing Row) throws(SQLiteError) -> Key

    /// Appends the list elements of a statement's row.
    mutating func append(row: borrowing Row) throws(SQLiteError)
  }
}

extension Connection {
  /// Reads every row, and merges rows with equal keys, whether or not they are adjacent. The
  /// results are in the order in which each key first occurs.
  ///
  /// - Complexity: O(*n*) in the number of the statement's rows.
  public func fetchNested<Value: Queries.NestingRow, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> [Value] {
    var rows = NestedRowBuilder<Value>()
    try forEach(sql, repeat each arguments) { row in try rows.add(row) }
    return rows.values
  }

  /// Reads every row, and merges rows with equal keys. Takes the arguments as an array.
  public func fetchNested<Value: Queries.NestingRow>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> [Value] {
    var rows = NestedRowBuilder<Value>()
    try forEach(sql, values: values) { row in try rows.add(row) }
    return rows.values
  }
}

extension Row {
  /// Returns whether all the given columns are NULL.
  public func areNull(at columns: ColumnIndex...) throws(SQLiteError) -> Bool {
    for column in columns where try !isNull(at: column) { return false }
    return true
  }
}

/// Merges statement rows with equal keys.
private struct NestedRowBuilder<Value: Queries.NestingRow> {
  private(set) var values: [Value] = []
  private var places: [Value.Key: Int] = [:]
  /// The key and index of the previous row. Adjacent rows of a join mostly share a key.
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
