/// The texts of statements that insert rows: one for each table and list of columns, so that the
/// statement is found compiled without its text being made again.
final class InsertTexts {
  private var known: [String: (table: String, columns: [String], sql: String)] = [:]

  func sql(for columns: [String], into table: String) -> String {
    // Names that Swift holds equal may be two to SQL.
    if let known = known[table], known.table.hasSameBytes(as: table),
      known.columns.count == columns.count,
      zip(known.columns, columns).allSatisfy({ $0.hasSameBytes(as: $1) })
    {
      return known.sql
    }
    let name = SQLName.quoted(table)
    let names = columns.map(SQLName.quoted).joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let sql =
      columns.isEmpty
      ? "INSERT INTO \(name) DEFAULT VALUES" : "INSERT INTO \(name) (\(names)) VALUES (\(values))"
    known[table] = (table, columns, sql)
    return sql
  }
}
