import SQLiteCore

/// A diagram with the tables as boxes and the foreign keys as lines between them.
struct SchemaDiagram {
  struct Row: Hashable {
    var name: String
    var type: String
    var isKey: Bool
    var isReference: Bool
    var isNullable: Bool
  }

  struct Table: Hashable {
    var name: String
    var rows: [Row]
    /// A note next to the name, such as `virtual`.
    var note: String?
  }

  /// A reference from rows of one table to one row of another.
  struct Link: Hashable {
    var child: Int
    var childRow: Int
    var parent: Int
    var parentRow: Int
    /// A Boolean value that indicates whether the foreign key is nullable.
    var isOptional: Bool
    /// A Boolean value that indicates whether each parent row has at most one child row.
    var isSingle: Bool
  }

  var tables: [Table]
  var links: [Link] = []

  /// Creates a diagram of a database's tables and foreign keys. A foreign key that references a
  /// missing table is omitted.
  init(_ connection: Connection) throws {
    let schemas = try connection.databaseSchema().tables
    tables = schemas.map { schema in
      let references = schema.foreignKeys.flatMap(\.columns)
      return Table(
        name: schema.name.name,
        rows: schema.columns.filter { $0.kind != .hidden }.map { column in
          Row(
            name: column.name, type: column.declaredType,
            isKey: column.primaryKeyPosition != nil,
            isReference: references.contains { SQLName.isSame($0, column.name) },
            isNullable: !column.isNotNull && column.primaryKeyPosition == nil)
        }, note: schema.kind == .virtual ? schema.module?.name ?? "virtual" : nil)
    }
    for (child, schema) in schemas.enumerated() {
      let unique = schema.uniqueKeys.map { Set($0.map(SQLName.folded)) }
      for reference in schema.foreignKeys {
        guard
          let parent = schemas.firstIndex(where: {
            SQLName.isSame($0.name.name, reference.parentTable)
          }), let first = reference.columns.first,
          let childRow = tables[child].rows.firstIndex(where: { SQLName.isSame($0.name, first) })
        else { continue }
        let parentColumn =
          reference.parentColumns.first ?? schemas[parent].primaryKey.first?.name ?? ""
        let parentRow = tables[parent].rows.firstIndex { SQLName.isSame($0.name, parentColumn) }
        let columns = Set(reference.columns.map(SQLName.folded))
        links.append(
          Link(
            child: child, childRow: childRow, parent: parent, parentRow: parentRow ?? 0,
            isOptional: reference.columns.contains { name in
              tables[child].rows.contains { SQLName.isSame($0.name, name) && $0.isNullable }
            }, isSingle: unique.contains { $0.isSubset(of: columns) }))
      }
    }
  }
}
