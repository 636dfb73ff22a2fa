internal import SQLiteCore

extension TableMetadata {
  /// The row that has some values.
  ///
  /// - Parameters:
  ///   - type: The row's type, whose metadata this is.
  ///   - values: The values of the columns, in the order of ``columns``.
  ///   - relations: Relations of the row by the names of their properties; others are new.
  func row<Row: Table>(
    _ type: Row.Type, of values: [SQLiteValue], keeping relations: [String: any AnyRelation] = [:]
  ) throws -> Row {
    let row = SQLiteCore.Row(columns: columns.map(\.name), values: values)
    return try self.row(type, from: row, keeping: relations)
  }

  /// Reads a row by `Codable`, with new relations but for those in `relations`.
  func row<Row: Table>(
    _ type: Row.Type, from row: borrowing SQLiteCore.Row,
    keeping relations: [String: any AnyRelation] = [:]
  ) throws -> Row {
    var decoder = RowDecoder()
    decoder.replacement = { [prototypes = self.relations] type in
      guard type is any AnyRelation.Type else { return nil }
      return { _, property, row, column in
        if let known = relations[property] { return known }
        guard let prototype = prototypes[property] else {
          throw RelationError(
            .schemaMismatch, "the relation is no property of init()'s row", column: property)
        }
        return try prototype.fresh(from: row, column, property)
      }
    }
    return try decoder.decode(type, from: row)
  }
}
