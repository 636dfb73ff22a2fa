public import SQLiteCore

/// Routes that write.
extension DatabaseRoute {
  /// Deletes the rows that satisfy all filters.
  ///
  /// Running the route throws ``RouterError/Code/emptyFilter`` if there is no filter, or one that excludes no row: use
  /// ``Filter/all`` for the whole table. It throws ``RouterError/Code/tooManyRows`` if more rows are deleted than
  /// ``DatabaseRoute/Limits/maximumAffectedByFilter`` allows, unless the route states a number by ``expecting(_:)``.
  public static func delete(
    from table: Table, filteredBy filters: [Filter], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.delete, table, id: routeId)
    parts.filter = .joined(filters)
    parts.returning = .minimal
    return DatabaseRoute(parts)
  }

  /// Deletes the rows that satisfy all filters.
  public static func delete(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., routeId: String? = nil
  ) -> DatabaseRoute {
    delete(from: table, filteredBy: [filter] + more, routeId: routeId)
  }

  /// Deletes the row with a key: see ``Column/id``.
  public static func delete(
    id: some RouteValue, from table: Table, routeId: String? = nil
  ) -> DatabaseRoute {
    delete(from: table, filteredBy: [.id(id)], routeId: routeId)
  }

  /// Inserts a value as a row.
  ///
  /// A `nil` property is written as NULL: see ``omittingNulls()``. A conflict with an existing row is an error, even if
  /// the schema declares `ON CONFLICT REPLACE`: only an upsert writes to existing rows.
  ///
  /// - Throws: Errors of the encoder.
  public static func insert(
    _ value: some Encodable, into table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try writing(.insert, [value], table, returning, encoder, routeId)
  }

  /// Inserts values as rows, all or none. Their columns may differ.
  ///
  /// - Throws: Errors of the encoder.
  public static func insert(
    _ values: [some Encodable], into table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try writing(.insert, values, table, returning, encoder, routeId)
  }

  /// Writes a value to the rows that satisfy all filters.
  ///
  /// A `nil` property is written as NULL: see ``omittingNulls()``. Running the route throws errors for the same
  /// filters, and for the same number of rows, as a deletion.
  ///
  /// - Throws: Errors of the encoder.
  public static func update(
    _ value: some Encodable, in table: Table, filteredBy filters: [Filter],
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    var route = try writing(.update, [value], table, returning, encoder, routeId)
    route.filter = .joined(filters)
    return route
  }

  /// Writes a value to the rows that satisfy all filters.
  ///
  /// - Throws: Errors of the encoder.
  public static func update(
    _ value: some Encodable, in table: Table, filteredBy filter: Filter, _ more: Filter...,
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    try update(
      value, in: table, filteredBy: [filter] + more, returning: returning, encoder: encoder,
      routeId: routeId)
  }

  /// Writes a value to the row with a key: see ``Column/id``.
  ///
  /// - Throws: Errors of the encoder.
  public static func update(
    id: some RouteValue, in table: Table, with value: some Encodable,
    returning: Returning = .representation, encoder: RowEncoder = RowEncoder(),
    routeId: String? = nil
  ) throws -> DatabaseRoute {
    try update(
      value, in: table, filteredBy: [.id(id)], returning: returning, encoder: encoder,
      routeId: routeId)
  }

  /// Inserts a value as a row, or updates the existing row with its key: see `onConflict(_:resolution:)`.
  ///
  /// - Throws: Errors of the encoder.
  public static func upsert(
    _ value: some Encodable, in table: Table, returning: Returning = .representation,
    encoder: RowEncoder = RowEncoder(), routeId: String? = nil
  ) throws -> DatabaseRoute {
    try upsert([value], in: table, returning: returning, encoder: encoder, routeId: routeId)
  }

  /// Inserts values as rows, or updates the existing rows with their keys, all or none.
  ///
  /// - Throws: Errors of the encoder.
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
