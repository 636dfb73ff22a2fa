import QueryModel
import SQLSemantics
import SQLiteCore

/// The columns of a database's tables that contain values not matching their declarations.
///
/// A column of a table that is not `STRICT` accepts any value. QueryGen trusts the declaration, so
/// there is no guarantee for rows that violate it.
struct StoredValues {
  private(set) var unsuitable: [TableName: Set<String>] = [:]

  init(_ connection: Connection) {
    guard let tables = try? connection.rows("PRAGMA table_list") else { return }
    for row in tables {
      guard case .text(let schema) = row[0], case .text(let name) = row[1],
        case .text("table") = row[2]
      else { continue }
      let columns = Self.unsuitableColumns(of: name, in: schema, connection)
      if !columns.isEmpty { unsuitable[TableName(schema: schema, name)] = columns }
    }
  }

  private static func unsuitableColumns(
    of table: String, in schema: String, _ connection: Connection
  ) -> Set<String> {
    guard
      let columns = try? connection.rows(
        "PRAGMA \(unsafe: quoted(schema)).table_xinfo(\(unsafe: quoted(table)))")
    else { return [] }
    var result: Set<String> = []
    for column in columns {
      guard case .text(let name) = column[1], case .text(let declared) = column[2] else { continue }
      let classes =
        switch ValueType(declaredType: declared) {
        case .integer, .boolean: "'integer'"
        case .real: "'real'"
        case .text: "'text'"
        case .blob: "'blob'"
        case .numeric: "'integer', 'real'"
        case .any, .swift: ""
        }
      guard !classes.isEmpty else { continue }
      let sql = """
        SELECT EXISTS (SELECT 1 FROM \(quoted(schema)).\(quoted(table))
        WHERE typeof(\(quoted(name))) NOT IN (\(classes), 'null'))
        """
      if (try? connection.value(Int.self, SQL(unsafe: sql))) == 1 { result.insert(name) }
    }
    return result
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// Returns whether a statement reads one of these columns.
  func touches(_ statement: SQLiteCore.Statement) -> Bool {
    statement.access.reads.contains { table, columns in
      !(unsuitable[table] ?? []).isDisjoint(with: columns)
    }
  }
}
