internal import SQLiteCore

extension TablePlan {
  /// The statement that makes the table, with what stays of the one that is there.
  func createSQL(keeping staying: StayingParts = StayingParts()) throws -> String {
    var parts = try columns.indices.map { try declaration(of: $0, staying) }
    parts += staying.columns
    if staying.keepsPrimaryKey {
      if !staying.hasUniqueKey { parts.append("UNIQUE (\(quotedKey))") }
    } else if key.count > 1 {
      parts.append("PRIMARY KEY (\(quotedKey))")
    }
    parts += staying.constraints
    return "CREATE TABLE \(SQLName.quoted(table)) (\(parts.joined(separator: ", ")))"
  }

  private var quotedKey: String {
    keyNames.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  private func declaration(of place: Int, _ staying: StayingParts) throws -> String {
    let column = columns[place]
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    let name = FoldedName(column.name)
    if staying.keepsPrimaryKey, key.contains(place) {
      if staying.notNull.contains(name) { sql += " NOT NULL" }
    } else if key == [place] {
      sql += " PRIMARY KEY"
      if keyType == .autoIncrementingInt { sql += " AUTOINCREMENT" }
      // An INTEGER PRIMARY KEY is the rowid, and never NULL.
      if column.declaredType != "INTEGER" { sql += " NOT NULL" }
    } else if column.isNotNull || key.contains(place) {
      sql += " NOT NULL"
    }
    sql += staying.traits[name] ?? ""
    if let child = column.child, !staying.references.contains(name) {
      sql += try TablePlan.of(child).referenceSQL
    }
    return sql
  }
}

/// The tables that types need.
struct ObjectTables {
  let connection: Connection

  /// Makes the tables of a type, and of all that it refers to, where they are missing.
  func create(for plan: TablePlan) throws {
    let plans = plan.isFlat ? [plan] : try plan.reachable()
    try TablePlan.refuseSharedLinks(of: plans)
    for plan in plans {
      if try !connection.hasTable(plan.table) { try connection.run(SQL(unsafe: plan.createSQL())) }
      for links in plan.links { try create(links, of: plan) }
    }
  }

  private func create(_ links: TablePlan.Links, of plan: TablePlan) throws {
    guard try connection.hasTable(links.definition.name) else {
      for sql in try plan.createSQL(of: links) { try connection.run(SQL(unsafe: sql)) }
      return
    }
    if let missing = try missingColumn(links, of: plan) { throw plan.lacks(missing, links) }
  }

  /// A column that a table of links should have; `nil` where it has all.
  private func missingColumn(_ links: TablePlan.Links, of plan: TablePlan) throws -> String? {
    let side = try plan.side(of: links)
    let present = try connection.columns(of: side.definition.name).map { FoldedName($0.name) }
    return side.columns.first { !present.contains(FoldedName($0)) }
  }
}

/// Why a statement about the tables of types failed, as far as the tables tell.
extension ObjectTables {
  /// What to throw for a failure of a statement about a type's table.
  func explained(_ error: any Error, _ plan: TablePlan) -> any Error {
    guard let error = error as? SQLiteError, error.code == .error,
      let columns = try? connection.columns(of: plan.table)
    else { return error }
    if columns.isEmpty { return unknown(plan.table) }
    let present = columns.map { FoldedName($0.name) }
    guard let missing = plan.columns.first(where: { !present.contains(FoldedName($0.name)) }) else {
      return error
    }
    return ProviderError(
      .schemaMismatch,
      "the table lacks a column that \(plan.type) has: updateTableSchema(\(plan.type).self) adds it",
      table: plan.table, column: missing.name)
  }

  /// What to throw for a failure to write a row into a type's table.
  func explainedWriting(_ error: any Error, _ plan: TablePlan) -> any Error {
    let explained = explained(error, plan)
    // No code tells it from other errors; whether a key would do, SQLite knows alone.
    guard let error = explained as? SQLiteError, error.code == .error,
      error.message.contains("ON CONFLICT clause does not match")
    else { return explained }
    return ProviderError(
      .schemaMismatch,
      """
      the key is no PRIMARY KEY of the table, and not UNIQUE, so that no row can be found by it: \
      updateTableSchema(\(plan.type).self) makes it one
      """, table: plan.table, column: plan.keyColumn.name)
  }

  /// What to throw for a failure to read links with the rows that they lead to.
  func explained(
    _ error: SQLiteError, _ links: TablePlan.Links, of plan: TablePlan
  ) -> any Error {
    let name = links.definition.name
    do {
      if error.code != .error { return error }
      if try !connection.hasTable(name) { return unknown(name) }
      if let missing = try missingColumn(links, of: plan) { return plan.lacks(missing, links) }
      return explained(error, try TablePlan.of(links.child))
    } catch {
      return error
    }
  }

  private func unknown(_ table: String) -> ProviderError {
    ProviderError(.unknownTable, "there is no such table", table: table)
  }
}
