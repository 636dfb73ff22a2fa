internal import SQLiteCore

/// Makes rows of the values of their columns.
struct RowRebuilder {
  private let connection: Connection

  init() throws { connection = try Connection.inMemory() }

  /// A row of some values.
  ///
  /// - Parameter relations: What its relations are, by their properties; those that are not named are new.
  func row<Row: Table>(
    _ type: Row.Type, _ shape: TableShape, _ values: [SQLiteValue],
    keeping relations: [String: any AnyRelation] = [:]
  ) throws -> Row {
    var decoder = RowDecoder()
    let prototypes = shape.relations
    decoder.replacement = { type in
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
    let names = shape.columns.map { "? AS \(SQLName.quoted($0.name))" }
    let made = try connection.fetchOne(
      decoding: type, with: decoder, "SELECT \(names.joined(separator: ", "))", values: values)
    guard let made else {
      throw RelationError(.invalidQuery, "no row was made", table: shape.table)
    }
    return made
  }
}
