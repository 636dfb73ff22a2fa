public import SQLiteCore

/// Routes that write.
extension DatabaseRoute {
  /// Deletes the rows of which every filter holds.
  ///
  /// Running the route throws ``RouterError/Code/emptyFilter`` if there is no filter, or one that
  /// excludes no row: a whole table is ``Filter/all``. It throws ``RouterError/Code/tooManyRows``
  /// if more rows are deleted than ``DatabaseRoute/Limits/maximumAffectedByFilter`` allows, unless the route
  /// says how many by ``expecting(_:)``.
  public static func delete(
    from table: Table, filteredBy filters: [Filter], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.delete, table, id: routeId)
    parts.filter = .joined(filters)
    parts.returning = .minimal
    return DatabaseRoute(parts)
  }

  /// Deletes the rows of which every filter holds.
  public static func delete(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., routeId: String? = nil
  ) -> DatabaseRoute {
    delete(from: table, filteredBy: [filter] + more, routeId: routeId)
  }

  /// Deletes the row of a key: see ``Column/id``.
  public static func delete(
    id: some RouteValue, from table: Table, routeId: String? = nil
  ) -> DatabaseRoute {
    delete(from: table, filteredBy: [.id(id)], routeId: routeId)
  }

  /// Inserts a value as a row.
  ///
  /// A property that is `nil` is written as NULL: see ``omittingNulls()``. A row that can't be there beside another is
  /// an error, also where the schema says by `ON CONFLICT` that it takes its place: only an upsert writes into a row that
  /// is there.
  ///
  /// - Throws: What the encoder throws.
  public static func insert(
    _ value: some Encodable, into table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try writing(.insert, [value], table, returning, encoder, routeId)
  }

  /// Inserts values as rows, all or none. Their columns may differ.
  ///
  /// - Throws: What the encoder throws.
  public static func insert(
    _ values: [some Encodable], into table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try writing(.insert, values, table, returning, encoder, routeId)
  }

  /// Writes a value into the rows of which every filter holds.
  ///
  /// A property that is `nil` is written as NULL: see ``omittingNulls()``. Running the route throws
  /// for the same filters, and for as many rows, as a deletion does.
  ///
  /// - Throws: What the encoder throws.
  public static func update(
    _ value: some Encodable, in table: Table, filteredBy filters: [Filter],
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    var route = try writing(.update, [value], table, returning, encoder, routeId)
    route.filter = .joined(filters)
    return route
  }

  /// Writes a value into the rows of which every filter holds.
  ///
  /// - Throws: What the encoder throws.
  public static func update(
    _ value: some Encodable, in table: Table, filteredBy filter: Filter, _ more: Filter...,
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    try update(
      value, in: table, filteredBy: [filter] + more, returning: returning, encoder: encoder,
      routeId: routeId)
  }

  /// Writes a value into the row of a key: see ``Column/id``.
  ///
  /// - Throws: What the encoder throws.
  public static func update(
    id: some RouteValue, in table: Table, with value: some Encodable,
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    try update(
      value, in: table, filteredBy: [.id(id)], returning: returning, encoder: encoder,
      routeId: routeId)
  }

  /// Inserts a value as a row, or writes it into the row of its key: see `onConflict(_:_:)`.
  ///
  /// - Throws: What the encoder throws.
  public static func upsert(
    _ value: some Encodable, in table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try upsert([value], in: table, returning: returning, encoder: encoder, routeId: routeId)
  }

  /// Inserts values as rows, or writes them into the rows of their keys, all or none.
  ///
  /// - Throws: What the encoder throws.
  public static func upsert(
    _ values: [some Encodable], in table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    var route = try writing(.upsert, values, table, returning, encoder, routeId)
    route.conflict = Conflict()
    return route
  }

  private static func writing(
    _ method: Method, _ values: [some Encodable], _ table: Table, _ returning: Returning,
    _ encoder: RowEncoder, _ id: String?
  ) throws -> DatabaseRoute {
    var parts = Parts(method, table, id: id)
    parts.values = try values.map { try Record(encoding: $0, with: encoder) }
    parts.returning = returning
    return DatabaseRoute(parts)
  }
}
