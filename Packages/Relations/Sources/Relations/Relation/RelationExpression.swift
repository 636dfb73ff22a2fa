public import SQLiteCore

/// An expression of SQL about a row and what it is related with: what ``RelatedRows`` makes.
///
/// Use it where a statement of the owner's table takes text: as a condition, or in its order.
///
/// ```swift
/// let count = try Album.related(\.tracks).count
/// let albums = try await Album.fetchQuery("ORDER BY \(sql: count.sql) DESC")
/// ```
public struct RelationExpression<Owner: TableModel, Value>: Sendable {
  /// The expression, with its values.
  public let sql: SQL

  /// An expression of your own.
  ///
  /// - Parameters:
  ///   - sql: The expression.
  ///   - arguments: The values of the parameters that the text has of its own.
  public init(_ sql: SQL, _ arguments: [QueryArgument] = []) { self.sql = sql.taking(arguments) }
}

extension RelationExpression where Owner: Table {
  /// A column of the table. The `@Table` macro writes one for each, as `Track.columns.title`.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - property: The property, which gives the expression its type.
  public init(column name: String, _ property: KeyPath<Owner, Value>) {
    self.init("\(identifier: Owner.tableName).\(identifier: name)")
  }
}

extension SQL.StringInterpolation {
  /// Inserts an expression about a row, with its values.
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

/// An expression that holds for a row, or does not.
public typealias RelationCondition<Owner: TableModel> = RelationExpression<Owner, Bool>

extension RelationExpression where Value == Bool {
  /// Holds where both do.
  public static func && (a: Self, b: Self) -> Self {
    Self("(\(sql: a.sql) AND \(sql: b.sql))")
  }

  /// Holds where one does.
  public static func || (a: Self, b: Self) -> Self {
    Self("(\(sql: a.sql) OR \(sql: b.sql))")
  }

  /// Holds where the other does not.
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
  /// The values of expressions for the rows of all of these, by their keys: one statement, however many they are.
  ///
  /// ```swift
  /// let tracks = try Album.related(\.tracks)
  /// let figures = try await albums.values(of: tracks.count, tracks.max("seconds"), tracks.exists)
  /// for (id, (count, longest, isThere)) in figures {
  ///   print(id, count, longest ?? 0, isThere)
  /// }
  /// ```
  ///
  /// Rows that are not in the database have none.
  ///
  /// - Throws: `SQLiteError`; ``RelationError`` where the type can't be a table.
  public func values<each Value: SQLiteReadable & Sendable>(
    of expression: repeat RelationExpression<Element, each Value>
  ) async throws -> [Element.ID: (repeat each Value)] {
    let session = try ModelSession.session(of: self)
    try await session.prepare(Element.Row.self)
    let shape = try TableMetadata.of(Element.Row.self)
    var expressions: [SQL] = []
    for expression in repeat each expression { expressions.append(expression.sql) }
    let table = SQLName.quoted(shape.table)
    let keys = shape.keyNames.map { "\(table).\(SQLName.quoted($0))" }
    let width = keys.count
    let columns = (keys.map { SQL(unsafe: $0) } + expressions).joined(separator: ", ")
    // No key paths here: with a pack of types, the runtime of Swift 6.3 can't make them.
    let owners = Array(Set(map { $0.id.keyValues }))
    return try await session.database.read { connection in
      var result: [Element.ID: (repeat each Value)] = [:]
      for part in KeySet(expressions: keys).conditions(for: owners) {
        let condition = SQL(unsafe: part.condition).taking(part.arguments)
        let statement = try connection.prepare(
          "SELECT \(sql: columns) FROM \(identifier: shape.table) WHERE \(sql: condition)")
        while try statement.step() {
          let id = try Element.ID(
            from: statement.row, columns: (0..<width).map { ColumnIndex($0) })
          var next = width
          func column() -> ColumnIndex {
            defer { next += 1 }
            return ColumnIndex(next)
          }
          result[id] = (repeat try (each Value)(from: statement.row, at: column()))
        }
      }
      return result
    }
  }
}

extension ModelSession {
  /// The session that one of some rows knows, or that of the task.
  static func session<Rows: Collection>(of rows: Rows) throws -> ModelSession
  where Rows.Element: TableModel {
    let relations = try rows.first.map { try RelationList.of($0.row) } ?? []
    let known = relations.lazy.compactMap { relation -> ModelSession? in
      relation.asOne?.session ?? relation.asList?.session
    }
    return try known.first ?? current(for: Rows.Element.Row.autoDBSettings)
  }
}
