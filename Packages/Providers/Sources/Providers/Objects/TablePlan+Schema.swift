internal import SQLiteCore

extension TablePlan {
  /// The statement that makes the table.
  func createSQL() throws -> String {
    var parts = try columns.indices.map { try declaration(of: $0) }
    if key.count > 1 {
      let names = key.map { SQLName.quoted(columns[$0].name) }.joined(separator: ", ")
      parts.append("PRIMARY KEY (\(names))")
    }
    return "CREATE TABLE \(SQLName.quoted(table)) (\(parts.joined(separator: ", ")))"
  }

  private func declaration(of place: Int) throws -> String {
    let column = columns[place]
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    if key == [place] {
      sql += " PRIMARY KEY"
      if keyType == .autoIncrementingInt { sql += " AUTOINCREMENT" }
      // An INTEGER PRIMARY KEY is the rowid, and never NULL.
      if column.declaredType != "INTEGER" { sql += " NOT NULL" }
    } else if column.isNotNull || key.contains(place) {
      sql += " NOT NULL"
    }
    if let child = column.child { sql += try Self.reference(to: TablePlan.of(child)) }
    return sql
  }

  private static func reference(to child: TablePlan) -> String {
    " REFERENCES \(SQLName.quoted(child.table)) (\(SQLName.quoted(child.keyColumn.name)))"
  }

  /// The statements that make a table of links, and its index.
  func createSQL(of links: Links) throws -> [String] {
    let child = try TablePlan.of(links.child)
    let name = SQLName.quoted(links.definition.name)
    let left = SQLName.quoted(links.definition.left)
    let right = SQLName.quoted(links.definition.right)
    func column(_ quoted: String, _ plan: TablePlan) -> String {
      let type = plan.keyColumn.declaredType
      return quoted + (type.isEmpty ? "" : " \(type)") + " NOT NULL" + Self.reference(to: plan)
        + " ON DELETE CASCADE ON UPDATE CASCADE"
    }
    return [
      """
      CREATE TABLE \(name) (\(column(left, self)), \(column(right, child)), \
      \(SQLName.quoted(Self.positionColumn)) INTEGER NOT NULL, PRIMARY KEY (\(left), \(right))) WITHOUT ROWID
      """,
      """
      CREATE INDEX \(SQLName.quoted("\(links.definition.name)_\(links.definition.right)")) \
      ON \(name) (\(right))
      """,
    ]
  }

  /// The column of a table of links that holds an element's place in its list.
  static let positionColumn = "position"
}

/// The tables that types need.
struct ObjectTables {
  let connection: Connection

  /// Makes the tables of a type, and of all that it refers to, where they are missing.
  func create(for plan: TablePlan) throws {
    for plan in plan.isFlat ? [plan] : try plan.reachable() {
      if try !connection.hasTable(plan.table) { try connection.run(plan.createSQL()) }
      for links in plan.links { try create(links, of: plan) }
    }
  }

  private func create(_ links: TablePlan.Links, of plan: TablePlan) throws {
    let definition = links.definition
    guard try connection.hasTable(definition.name) else {
      for sql in try plan.createSQL(of: links) { try connection.run(sql) }
      return
    }
    let present = try connection.columns(of: definition.name).map { FoldedName($0.name) }
    for name in [definition.left, definition.right, TablePlan.positionColumn]
    where !present.contains(FoldedName(name)) {
      throw ProviderError(
        .schemaMismatch, "the table of links of \(plan.table).\(links.property) lacks a column",
        table: definition.name, column: name)
    }
  }

  /// What to throw for a failure of a statement about a type's table.
  func explained(_ error: any Error, _ plan: TablePlan) -> any Error {
    guard let error = error as? SQLiteError, error.code == .error,
      let columns = try? connection.columns(of: plan.table)
    else { return error }
    if columns.isEmpty {
      return ProviderError(.unknownTable, "there is no such table", table: plan.table)
    }
    let present = columns.map { FoldedName($0.name) }
    guard let missing = plan.columns.first(where: { !present.contains(FoldedName($0.name)) }) else {
      return error
    }
    return ProviderError(
      .schemaMismatch,
      "the table lacks a column that \(plan.type) has: updateTableSchema(\(plan.type).self) adds it",
      table: plan.table, column: missing.name)
  }
}
