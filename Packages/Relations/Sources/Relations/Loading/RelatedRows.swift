public import SQLiteCore

/// The rows that a relation of each owner refers to, for counting them and for selecting owners by
/// them.
///
/// ```swift
/// let long = try Album.related(\.tracks, where: "seconds > ?", [300])
/// let albums = try await Album.fetchQuery(where: long.exists && long.count < 3)
/// let counts = try await albums.values(of: long.count)                   // by the albums' keys
/// let figures = try await albums.values(of: long.count, long.average("seconds"))
/// figures[album.id]?.1
/// ```
///
/// The value fetches no rows. Each expression is a separate subquery, so combining several of them does
/// not multiply rows.
public struct RelatedRows<Owner: TableModel, Target: TableModel>: Sendable {
  /// The text after `FROM`, including the condition.
  private let from: SQL
  private let metadata: TableMetadata
  /// The name of the rows' table in `from`.
  private let name: String

  fileprivate init(
    _ relation: some AnyRelation, _ property: String, where condition: RelationCondition<Target>?
  ) throws {
    metadata = try TableMetadata.of(Target.Row.self)
    let owner = try TableMetadata.of(Owner.Row.self)
    let isSelf = SQLName.isSame(owner.table, metadata.table)
    let table = metadata.quotedTable
    let name = isSelf ? "holt_related" : table
    self.name = name
    let targets = isSelf ? metadata.source(as: "holt_related") : metadata.source
    let owners = owner.keyColumns(of: owner.quotedTable)
    let keys = metadata.keyColumns(of: name)
    let equal = JoinPath.condition
    var from: String
    switch (relation as? ManyRelation<Target>)?.kind {
    case .inverse(let inverse, _):
      let back = try inverse.columns().map { "\(name).\(SQLName.quoted($0))" }
      from = "\(targets) WHERE \(equal(back, owners))"
    case .links(let onDeleteTarget):
      let links = LinkTable(
        owner: owner, property: property, target: Target.Row.self, onDeleteTarget: onDeleteTarget)
      func side(_ columns: [String]) -> [String] {
        columns.map { "holt_links.\(SQLName.quoted($0))" }
      }
      from =
        "\(links.quoted) AS holt_links JOIN \(targets) ON "
        + "\(equal(keys, side(links.targetColumns))) WHERE \(equal(side(links.ownerColumns), owners))"
    case .path(let steps, _, let links):
      let path = try JoinPath(steps, hasLinks: links != nil)
      if links != nil {
        from =
          "\(path.tables) JOIN \(targets) ON \(equal(keys, path.targetExpressions)) "
          + "WHERE \(equal(path.ownerExpressions, owners))"
      } else {
        from =
          "\(targets) WHERE EXISTS (SELECT 1 FROM \(path.tables) "
          + "WHERE \(equal(path.ownerExpressions, owners)) AND \(equal(path.targetExpressions, keys)))"
      }
    case nil:
      let columns = owner.columns(of: owner.quotedTable)
      let own = owner.columnIndexes(of: property).map { columns[$0] }
      from = "\(targets) WHERE \(equal(keys, own))"
    }
    guard let condition else {
      self.from = SQL(unsafe: from)
      return
    }
    if isSelf {
      // The condition uses the table's name for the related rows, so it runs in a nested query.
      let tableKeys = metadata.keyColumns(of: table).joined(separator: ", ")
      from += " AND (\(keys.joined(separator: ", "))) IN (SELECT \(tableKeys) FROM \(table) WHERE "
      self.from = "\(unsafe: from)\(sql: condition.sql))"
    } else {
      self.from = "\(unsafe: from) AND (\(sql: condition.sql))"
    }
  }

  private func expression<Value>(_ result: String) -> RelationExpression<Owner, Value> {
    RelationExpression("(SELECT \(unsafe: result) FROM \(sql: from))")
  }

  private func column(_ name: String) throws -> String {
    metadata.columns(of: self.name)[try metadata.columnIndex(named: name)]
  }

  /// The number of related rows.
  public var count: RelationExpression<Owner, Int> { expression("count(*)") }

  /// A condition that holds if there are related rows.
  public var exists: RelationCondition<Owner> {
    RelationCondition("EXISTS (SELECT 1 FROM \(sql: from))")
  }

  /// A condition that holds if there are no related rows.
  public var isEmpty: RelationCondition<Owner> { !exists }

  /// Returns the minimum of a column; `nil` if there are no values.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table has
  ///   no such column.
  public func min<Value>(
    _ column: String, as type: Value.Type = Double.self
  ) throws -> RelationExpression<Owner, Value?> { expression("min(\(try self.column(column)))") }

  /// Returns the maximum of a column; `nil` if there are no values.
  ///
  /// - Throws: The same errors as ``min(_:as:)``.
  public func max<Value>(
    _ column: String, as type: Value.Type = Double.self
  ) throws -> RelationExpression<Owner, Value?> { expression("max(\(try self.column(column)))") }

  /// Returns the sum of a column; `nil` if there are no values.
  ///
  /// - Throws: The same errors as ``min(_:as:)``.
  public func sum<Value>(
    _ column: String, as type: Value.Type = Double.self
  ) throws -> RelationExpression<Owner, Value?> { expression("sum(\(try self.column(column)))") }

  /// Returns the average of a column; `nil` if there are no values.
  ///
  /// - Throws: The same errors as ``min(_:as:)``.
  public func average(_ column: String) throws -> RelationExpression<Owner, Double?> {
    expression("avg(\(try self.column(column)))")
  }
}

extension TableModel {
  /// Returns the rows in a list of each row of this type, optionally restricted by a condition.
  ///
  /// - Parameters:
  ///   - relation: The list.
  ///   - condition: An SQL condition on the list's rows.
  ///   - arguments: The values of the condition's parameters.
  /// - Throws: ``RelationError`` if one of the types can't be a table.
  public static func related<Target: TableModel>(
    _ relation: any KeyPath<Row, ManyRelation<Target>> & Sendable, where condition: SQL? = nil,
    _ arguments: [QueryArgument] = []
  ) throws -> RelatedRows<Self, Target> {
    try related(relation, where: condition.map { RelationCondition($0, arguments) })
  }

  /// Returns the related rows that satisfy a condition, which may use their own relations: see
  /// `related(_:where:_:)`.
  public static func related<Target: TableModel>(
    _ relation: any KeyPath<Row, ManyRelation<Target>> & Sendable,
    where condition: RelationCondition<Target>?
  ) throws -> RelatedRows<Self, Target> {
    try RelatedRows(
      Row()[keyPath: relation], Row.propertyName(of: relation), where: condition)
  }

  /// Returns the row that a to-one relation of each row of this type refers to.
  public static func related<Target: TableModel>(
    _ relation: any KeyPath<Row, OneRelation<Target>> & Sendable, where condition: SQL? = nil,
    _ arguments: [QueryArgument] = []
  ) throws -> RelatedRows<Self, Target> {
    try related(relation, where: condition.map { RelationCondition($0, arguments) })
  }

  /// Returns the related row, restricted by a condition that may use its own relations.
  public static func related<Target: TableModel>(
    _ relation: any KeyPath<Row, OneRelation<Target>> & Sendable,
    where condition: RelationCondition<Target>?
  ) throws -> RelatedRows<Self, Target> {
    try RelatedRows(
      Row()[keyPath: relation], Row.propertyName(of: relation), where: condition)
  }

  /// Returns the rows that satisfy a condition.
  ///
  /// ```swift
  /// let some = try await Album.fetchQuery(where: try Album.related(\.tracks).count > 10, orderedBy: "name")
  /// ```
  public static func fetchQuery(
    where condition: RelationCondition<Self>, orderedBy order: SQL? = nil
  ) async throws -> [Self] {
    try await fetchQuery(
      "WHERE \(sql: condition.sql) \(sql: order.map { "ORDER BY \(sql: $0)" } ?? "")")
  }
}
