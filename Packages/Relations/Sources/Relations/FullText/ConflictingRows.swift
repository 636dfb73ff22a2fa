internal import SQLiteCore

/// Which rows of a table can't be there together with a new one: those that `REPLACE` would delete, of which no
/// trigger is told unless `PRAGMA recursive_triggers` is on.
struct ConflictingRows {
  /// One key that may be in one row alone.
  struct Key {
    /// Whether a row of the table has the key of `new`.
    let condition: String
    /// Whether an update has changed the key; `nil` where it is not known.
    let hasChanged: String?
    /// The columns that make it; `nil` where an expression does.
    let columns: [String]?
  }

  private(set) var keys: [Key] = []

  /// The unique keys of a table, apart from the number of a row.
  init(of table: TableSchema, on connection: Connection) throws {
    let indexes = try connection.indexes(of: table.name.name, in: table.name.schema)
    for index in indexes where index.isUnique {
      keys.append(Self.key(index, of: table))
    }
  }

  private static func key(_ index: TableSchema.Index, of table: TableSchema) -> Key {
    let name = SQLName.quoted(table.name.name)
    let parts = index.keys.map { key in
      let collation = "COLLATE \(SQLName.quoted(key.collation))"
      if let column = key.column.map(SQLName.quoted) {
        return "\(name).\(column) \(collation) = new.\(column)"
      }
      let expression = key.expressionSQL ?? "NULL"
      let values = table.columns.map { column in
        "new.\(SQLName.quoted(column.name)) AS \(SQLName.quoted(column.name))"
      }
      let new = "(SELECT \(expression) FROM (SELECT \(values.joined(separator: ", "))) AS \(name))"
      return "(\(expression)) \(collation) = \(new)"
    }
    let condition = (parts + [index.whereSQL.map { "(\($0))" }].compactMap(\.self))
      .joined(separator: " AND ")
    let columns = index.keys.compactMap(\.column)
    let isPlain =
      columns.count == index.keys.count && index.whereSQL == nil
      && columns.allSatisfy { name in
        table.columns.contains { $0.kind == .stored && SQLName.isSame($0.name, name) }
      }
    let changes = columns.map { column in
      let column = SQLName.quoted(column)
      return "new.\(column) COLLATE BINARY IS NOT old.\(column)"
    }
    return Key(
      condition: condition,
      hasChanged: isPlain ? "(\(changes.joined(separator: " OR ")))" : nil,
      columns: isPlain ? columns : nil)
  }
}
