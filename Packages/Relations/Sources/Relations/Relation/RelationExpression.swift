public import SQLiteCore

/// An SQL expression about a row and its related rows, created by ``RelatedRows`` or from a column.
///
/// Use it as a condition, or in the order, of a statement that reads the owner's table.
///
/// ```swift
/// let count = try Album.related(\.tracks).count
/// let albums = try await Album.fetchQuery("ORDER BY \(sql: count.sql) DESC")
/// ```
public struct RelationExpression<Owner: TableModel, Value>: Sendable {
  /// The expression with its arguments.
  public let sql: SQL

  /// Creates an expression from SQL.
  ///
  /// - Parameters:
  ///   - sql: The expression.
  ///   - arguments: The values of the parameters in the text of `sql`.
  public init(_ sql: SQL, _ arguments: [QueryArgument] = []) {
    self.sql = sql.withArguments(arguments)
  }
}

extension RelationExpression where Owner: Table {
  /// Creates an expression from a column of the table. The `@Table` macro generates one for each
  /// column, such as `Track.columns.title`.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - property: The property, which determines the type of the expression.
  public init(column name: String, _ property: KeyPath<Owner, Value>) {
    self.init("\(identifier: Owner.tableName).\(identifier: name)")
  }
}

extension SQL.StringInterpolation {
  /// Inserts an expression about a row, with its arguments.
  ///
  /// ```swift
  /// try await Track.fetchQuery("WHERE \(Track.columns.seconds > 180)")
  /// ```
  public mutating func appendInterpolation<Owner, Value>(
    _ expression: RelationExpression<Owner, Value>
  ) {
    appendInterpolation(sql: expression.sql)
  }
}

/// A condition on a row.
public typealias RelationCondition<Owner: TableModel> = RelationExpression<Owner, Bool>

extension RelationExpression where Value == Bool {
  /// Returns a condition that holds if both conditions hold.
  public static func && (a: Self, b: Self) -> Self {
    Self("(\(sql: a.sql) AND \(sql: b.sql))")
  }

  /// Returns a condition that holds if at least one of the conditions holds.
  public static func || (a: Self, b: Self) -> Self {
    Self("(\(sql: a.sql) OR \(sql: b.sql))")
  }

  /// Returns a condition that holds if the given condition does not.
  public static prefix func ! (a: Self) -> Self { Self("(NOT \(sql: a.sql))") }
}

extension RelationExpression where Value: SQLiteBindable & Sendable {
  private func compared(_ sign: SQL, _ value: Value) -> RelationCondition<Owner> {
    RelationCondition("(\(sql: sql) \(sql: sign) ?)", [value])
  }

  /// Holds if the values are equal; for `nil`, if the value is NULL.
  public static func == (a: Self, b: Value) -> RelationCondition<Owner> {
    a.compared(isNull(b) ? "IS" : "=", b)
  }
  /// Holds if the values differ and neither is NULL; for `nil`, if the value is not NULL.
  public static func != (a: Self, b: Value) -> RelationCondition<Owner> {
    a.compared(isNull(b) ? "IS NOT" : "<>", b)
  }
  public static func < (a: Self, b: Value) -> RelationCondition<Owner> { a.compared("<", b) }
  public static func <= (a: Self, b: Value) -> RelationCondition<Owner> { a.compared("<=", b) }
  public static func > (a: Self, b: Value) -> RelationCondition<Owner> { a.compared(">", b) }
  public static func >= (a: Self, b: Value) -> RelationCondition<Owner> { a.compared(">=", b) }

  private static func isNull(_ value: Value) -> Bool { (try? value.sqliteValue) == .null }
}

extension Collection where Element: TableModel {
  /// Returns the values of expressions for all rows of the collection, by key, using one statement.
  ///
  /// ```swift
  /// let tracks = try Album.related(\.tracks)
  /// let figures = try await albums.values(of: tracks.count, tracks.max("seconds"), tracks.exists)
  /// for (id, (count, longest, hasTracks)) in figures {
  ///   print(id, count, longest ?? 0, hasTracks)
  /// }
  /// ```
  ///
  /// The result has no entry for rows that are not in the database.
  ///
  /// - Throws: `SQLiteError`; ``RelationError`` if the type can't be a table.
  public func values<each Value: SQLiteReadable & Sendable>(
    of expression: repeat RelationExpression<Element, each Value>
  ) async throws -> [Element.ID: (repeat each Value)] {
    let session = try ModelSession.session(of: self)
    try await session.prepare(Element.Row.self)
    let metadata = try TableMetadata.of(Element.Row.self)
    var expressions: [SQL] = []
    for expression in repeat each expression { expressions.append(expression.sql) }
    let keys = metadata.keyColumns(of: metadata.quotedTable)
    let width = keys.count
    let columns = (keys.map { SQL(unsafe: $0) } + expressions).joined(separator: ", ")
    // Key paths are avoided here: with a parameter pack, the runtime of Swift 6.3 can't create
    // them.
    let owners = Array(Set(map { $0.id.keyValues }))
    return try await session.database.read { connection in
      var result: [Element.ID: (repeat each Value)] = [:]
      guard let condition = KeyCondition(expressions: keys, in: owners) else { return result }
      let filter = SQL(unsafe: condition.sql).withArguments(condition.arguments)
      let statement = try connection.prepare(
        "SELECT \(sql: columns) FROM \(identifier: metadata.table) WHERE \(sql: filter)")
      while try statement.step() {
        let id = try Element.ID(from: statement.row, columns: (0..<width).map { ColumnIndex($0) })
        var next = width
        func column() -> ColumnIndex {
          defer { next += 1 }
          return ColumnIndex(next)
        }
        result[id] = (repeat try (each Value)(from: statement.row, at: column()))
      }
      return result
    }
  }
}

extension ModelSession {
  /// Returns the session of the rows' relations, or the session of the current task.
  static func session<Rows: Collection>(of rows: Rows) throws -> ModelSession
  where Rows.Element: TableModel {
    let relations = try rows.first.map { try $0.row.relations() } ?? []
    let sessions = relations.lazy.compactMap { relation -> ModelSession? in
      relation.asToOneRelation?.session ?? relation.asToManyRelation?.session
    }
    return try sessions.first ?? current(for: Rows.Element.Row.autoDBSettings)
  }
}
