internal import Observe
internal import SQLiteCore

/// The SQL, arguments and page sizes of a query, and the code that reads it.
struct QueryPlan<Target: TableModel>: Sendable {
  let text: QueryText
  let arguments: [QueryArgument]
  /// The error of an invalid interpolation, thrown by the first fetch.
  private let fault: SQLiteError?
  let initial: Int
  let limit: Int
  let showsNewRows: Bool

  init(
    _ sql: SQL, _ arguments: [QueryArgument], initial: Int, limit: Int, showsNewRows: Bool
  ) {
    let sql = sql.withArguments(arguments)
    text = QueryText(sql.text)
    self.arguments = sql.values
    do throws(SQLiteError) {
      _ = try sql.resolved()
      fault = nil
    } catch {
      fault = error
    }
    self.initial = Swift.max(1, initial)
    self.limit = Swift.max(1, limit)
    self.showsNewRows = showsNewRows
  }

  /// The rows to show.
  enum Selection: Sendable {
    /// The first rows, up to a count.
    case first(Int)
    /// The rows that were shown, as the number of occurrences of each key.
    case shown([StoredKey: Int])
  }

  /// The rows to show.
  struct ReadResult: Sendable {
    var rows: [ModelSession.FetchedRow<Target.Row>] = []
    /// A Boolean value that indicates whether the query selects other rows too.
    var hasMore = false

    /// Returns the same rows with another revision.
    func read(at revision: UInt64) -> ReadResult {
      ReadResult(rows: rows.map { $0.read(at: revision) }, hasMore: hasMore)
    }
  }

  // MARK: SQL

  /// Checks that the text can be extended by an order and a limit.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/invalidQuery`` if it can't;
  ///   `SQLiteError` for an invalid interpolation.
  func check() throws {
    if let fault { throw fault }
    let fault =
      text.fault
      ?? (text.hasLimit ? "the query has a LIMIT: pass initial and limit instead" : nil)
    if let fault { throw RelationError(.invalidQuery, fault, table: Target.Row.tableName) }
  }

  private func order(_ metadata: TableMetadata) -> String {
    let keys = metadata.keyColumns(of: metadata.quotedTable).joined(separator: ", ")
    return text.hasOrder ? ", \(keys)" : "ORDER BY \(keys)"
  }

  // The text may end with a comment, which the line break terminates.

  private func sql(_ metadata: TableMetadata, limit: Int?) -> String {
    let end = limit.map { " LIMIT \($0)" } ?? ""
    return "\(metadata.selectSQL) \(text.sql)\n\(order(metadata))\(end)"
  }

  private func countSQL(_ metadata: TableMetadata) -> String {
    "SELECT count(*) FROM (\(metadata.selectSQL) \(text.sql)\n)"
  }

  /// - Returns: `nil` if no condition can be added to the text.
  private func sql(_ metadata: TableMetadata, where condition: String) -> String? {
    guard let filter = text.filter else { return nil }
    let own = filter.condition.map { "(\($0)\n) AND " } ?? ""
    return """
      \(metadata.selectSQL) \(filter.head)
      WHERE \(own)\(condition) \(filter.tail)
      \(order(metadata))
      """
  }

  // MARK: Reading

  func count(_ connection: Connection, _ binding: QueryBinding) throws -> Int {
    guard case .values(let values) = binding else { return 0 }
    let sql = countSQL(try TableMetadata.of(Target.Row.self))
    return try connection.value(Int.self, SQL(unsafe: sql), values: values) ?? 0
  }

  func read(
    _ connection: Connection, _ binding: QueryBinding, _ selection: Selection
  ) throws -> ReadResult {
    guard case .values(let values) = binding else { return ReadResult() }
    let metadata = try TableMetadata.of(Target.Row.self)
    switch selection {
    case .first(let count):
      let rows = try connection.readRows(
        Target.Row.self, metadata, SQL(unsafe: sql(metadata, limit: count + 1)), values
      ).all
      return ReadResult(rows: Array(rows.prefix(count)), hasMore: rows.count > count)
    case .shown(let shown):
      let count = shown.values.reduce(0, +)
      let rows = try connection.readRows(
        Target.Row.self, metadata, SQL(unsafe: sql(metadata, limit: count + 1)), values
      ).all
      let current = Self.rows(of: shown, in: rows)
      if current.count == count || rows.count <= count {
        return ReadResult(rows: current, hasMore: rows.count > current.count)
      }
      // New rows precede some of the shown rows.
      let all = try readAll(connection, metadata, values, shown.keys.compactMap(\.values))
      return ReadResult(rows: Self.rows(of: shown, in: all), hasMore: true)
    }
  }

  /// Returns the rows with the given keys, or all rows if no condition can be added to the text.
  private func readAll(
    _ connection: Connection, _ metadata: TableMetadata, _ values: [QueryArgument],
    _ keys: [[SQLiteValue]]
  ) throws -> [ModelSession.FetchedRow<Target.Row>] {
    let columns = metadata.keyColumns(of: metadata.quotedTable)
    if let condition = KeyCondition(expressions: columns, in: keys),
      let sql = sql(metadata, where: condition.sql)
    {
      return try connection.readRows(
        Target.Row.self, metadata, SQL(unsafe: sql), values + condition.arguments
      ).all
    }
    return try connection.readRows(
      Target.Row.self, metadata, SQL(unsafe: sql(metadata, limit: nil)), values
    ).all
  }

  private static func rows(
    of shown: [StoredKey: Int], in rows: [ModelSession.FetchedRow<Target.Row>]
  ) -> [ModelSession.FetchedRow<Target.Row>] {
    var left = shown
    return rows.filter { fetched in
      let key = StoredKey(fetched.row.id)
      guard let count = left[key], count > 0 else { return false }
      left[key] = count - 1
      return true
    }
  }

  // MARK: Dependencies

  /// Returns a predicate that holds for every row that can affect the result; `nil` if there is
  /// none.
  func predicate(_ binding: QueryBinding) -> Region.RowPredicate? {
    guard case .values(let arguments) = binding else { return nil }
    var predicate: Region.RowPredicate?
    for comparison in text.comparisons {
      let value: SQLiteValue
      switch comparison.value {
      case .value(let literal): value = literal
      case .argument(let place):
        guard arguments.indices.contains(place), let bound = try? arguments[place].sqliteValue
        else { continue }
        value = bound
      }
      let one = Region.RowPredicate.column(
        Region.ColumnName(comparison.column), comparison.comparison, value)
      predicate = predicate.map { $0 && one } ?? one
    }
    return predicate
  }
}

/// The arguments of a query.
enum QueryBinding: Sendable {
  case values([QueryArgument])
  /// The owner has no row yet, so the query selects no rows.
  case noRow

  /// Returns whether two bindings are known to be equal.
  func isSame(as other: QueryBinding) -> Bool {
    switch (self, other) {
    case (.noRow, .noRow): return true
    case (.values(let a), .values(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy { a, b in
          guard let a = try? a.sqliteValue, let b = try? b.sqliteValue else { return false }
          return a == b
        }
    default: return false
    }
  }
}

extension QueryPlan {
  /// Returns the arguments, including values of the owner.
  ///
  /// - Parameter row: The owner's current row; `nil` if there is no owner.
  func bind(_ row: (any Table)?, isUnsaved: Bool) throws -> QueryBinding {
    guard arguments.contains(where: { $0 is OwnerValue }) else { return .values(arguments) }
    if isUnsaved { return .noRow }
    return .values(
      try arguments.map { argument in
        guard let value = argument as? OwnerValue else { return argument }
        guard let row, let found = value.resolve(row) else {
          throw RelationError(
            .noOwner, "the query uses a value of its owner, but has no owner",
            table: Target.Row.tableName)
        }
        return found
      })
  }
}
