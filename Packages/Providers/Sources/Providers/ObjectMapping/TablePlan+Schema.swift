internal import Primitives
internal import SQLiteCore

extension TablePlan {
  /// Returns the statement that creates the table, including the parts of the existing table that
  /// are kept.
  func createSQL(keeping preserved: PreservedSchema = PreservedSchema()) throws -> String {
    var parts = try columns.indices.map { try declaration(of: $0, preserved) }
    parts += preserved.columns
    if preserved.keepsPrimaryKey {
      if !preserved.hasUniqueKey { parts.append("UNIQUE (\(quotedKey))") }
    } else if key.count > 1 {
      parts.append("PRIMARY KEY (\(quotedKey))")
    }
    parts += preserved.constraints
    return "CREATE TABLE \(SQLName.quoted(table)) (\(parts.joined(separator: ", ")))"
  }

  private var quotedKey: String {
    keyNames.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  private func declaration(of place: Int, _ preserved: PreservedSchema) throws -> String {
    let column = columns[place]
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    let name = FoldedName(column.name)
    if preserved.keepsPrimaryKey, key.contains(place) {
      if preserved.notNull.contains(name) { sql += " NOT NULL" }
    } else if key == [place] {
      sql += " PRIMARY KEY"
      if keyType == .autoIncrementingInt { sql += " AUTOINCREMENT" }
      // An INTEGER PRIMARY KEY is the rowid, and is never NULL.
      if column.declaredType != "INTEGER" { sql += " NOT NULL" }
    } else if column.isNotNull || key.contains(place) {
      sql += " NOT NULL"
    }
    sql += preserved.traits[name] ?? ""
    if let child = properties[place].child, !preserved.references.contains(name) {
      sql += try TablePlan.of(child).referenceSQL
    }
    return sql
  }
}

/// The tables that types require.
struct ObjectTables {
  let connection: Connection

  /// Creates the tables of a type, and of all types that it refers to, if they do not exist.
  func create(for plan: TablePlan) throws {
    let plans = plan.isFlat ? [plan] : try plan.reachable()
    try TablePlan.requireUniqueLinkTables(of: plans)
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

  /// Returns a column that a table of links lacks; `nil` if it has all columns.
  private func missingColumn(_ links: TablePlan.Links, of plan: TablePlan) throws -> String? {
    let side = try plan.side(of: links)
    let present = try connection.columns(of: side.definition.name).map { FoldedName($0.name) }
    return side.columns.first { !present.contains(FoldedName($0)) }
  }
}

/// Explanations of failed statements, derived from the existing tables.
extension ObjectTables {
  /// Returns the error to throw if a statement on a type's table fails.
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

  /// Returns the error to throw if writing a row into a type's table fails.
  func explainedWriting(_ error: any Error, _ plan: TablePlan) -> any Error {
    let explained = explained(error, plan)
    // The error has no specific code, and only SQLite decides whether a conflict target matches.
    guard let error = explained as? SQLiteError, error.code == .error,
      error.message.contains("ON CONFLICT clause does not match")
    else { return explained }
    return ProviderError(
      .schemaMismatch,
      """
      the key is neither the PRIMARY KEY of the table nor UNIQUE, so that it can't identify rows: \
      updateTableSchema(\(plan.type).self) makes it unique
      """, table: plan.table, column: plan.keyColumn.name)
  }

  /// Returns the error to throw if reading links and the linked rows fails.
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
    ProviderError(.unknownTable, "the table does not exist", table: table)
  }
}

/// A table of links, from the view of one side.
struct LinkSide {
  let definition: LinkDefinition
  /// The column with an element's position in a list of this side.
  let position: String
  /// The position column of the other side, if it has lists with the same table.
  let otherPosition: String?

  /// All columns of the table.
  var columns: [String] {
    [definition.left, definition.right, position] + (otherPosition.map { [$0] } ?? [])
  }

  /// The names of the position columns: of the first side, which can be the only one, and of the
  /// second side.
  static let positions = (first: "position", second: "reversePosition")
}

extension TablePlan {
  /// Returns one side of a table of links. Two types can share one table of links, each from its
  /// own side; so can two lists of one type. Each side has its own order. The column names
  /// determine which side is first, regardless of the type.
  func side(of links: Links) throws -> LinkSide {
    guard try reverse(of: links) != nil else {
      return LinkSide(
        definition: links.definition, position: LinkSide.positions.first, otherPosition: nil)
    }
    let isFirst = links.definition.isFirst
    let (first, second) = LinkSide.positions
    return LinkSide(
      definition: links.definition, position: isFirst ? first : second,
      otherPosition: isFirst ? second : first)
  }

  /// Returns the list of the other side; `nil` if it has none with the same table.
  private func reverse(of links: Links) throws -> (plan: TablePlan, links: Links)? {
    let child = links.child == type ? self : try TablePlan.of(links.child)
    let found = child.links.first { other in
      other.definition.isReverse(of: links.definition)
        && SQLName.isSame(other.child.tableName, table)
    }
    return found.map { (child, $0) }
  }

  /// Returns the list of the first, or only, side.
  func firstSide(of links: Links) throws -> (plan: TablePlan, links: Links) {
    if !links.definition.isFirst, let other = try reverse(of: links) { return other }
    return (self, links)
  }

  /// Returns the statements that create a table of links and its index, which are the same for both
  /// sides.
  func createSQL(of links: Links) throws -> [String] {
    let (plan, first) = try firstSide(of: links)
    return try plan.createSQL(ofFirst: first)
  }

  private func createSQL(ofFirst links: Links) throws -> [String] {
    let child = try TablePlan.of(links.child)
    let name = SQLName.quoted(links.definition.name)
    let left = SQLName.quoted(links.definition.left)
    let right = SQLName.quoted(links.definition.right)
    func column(_ quoted: String, _ plan: TablePlan) -> String {
      let type = plan.keyColumn.declaredType
      return quoted + (type.isEmpty ? "" : " \(type)") + " NOT NULL" + plan.referenceSQL
        + " ON DELETE CASCADE ON UPDATE CASCADE"
    }
    let (first, second) = LinkSide.positions
    var columns = [
      column(left, self), column(right, child), "\(SQLName.quoted(first)) INTEGER NOT NULL",
    ]
    if try reverse(of: links) != nil {
      columns.append("\(SQLName.quoted(second)) INTEGER NOT NULL DEFAULT 0")
    }
    columns.append("PRIMARY KEY (\(left), \(right))")
    return [
      "CREATE TABLE \(name) (\(columns.joined(separator: ", "))) WITHOUT ROWID",
      """
      CREATE INDEX \(SQLName.quoted("\(links.definition.name)_\(links.definition.right)")) \
      ON \(name) (\(right))
      """,
    ]
  }

  /// Returns the error for a table of links that lacks a column.
  func lacks(_ column: String, _ links: Links) -> ProviderError {
    ProviderError(
      .schemaMismatch,
      """
      the table of links of \(table).\(links.property) lacks a column: \
      updateTableSchema(\(type).self) adds it
      """, table: links.definition.name, column: column)
  }

  var referenceSQL: String {
    " REFERENCES \(SQLName.quoted(table)) (\(SQLName.quoted(keyColumn.name)))"
  }

  /// Refuses lists that would share their links: lists of the same side with the same table.
  static func requireUniqueLinkTables(of plans: [TablePlan]) throws(ProviderError) {
    struct List {
      let definition: LinkDefinition
      let owner: String
      let element: String
    }
    var known: [FoldedName: [List]] = [:]
    let tables = Set(plans.map { FoldedName($0.table) })
    for plan in plans {
      for links in plan.links {
        guard !tables.contains(FoldedName(links.definition.name)) else {
          throw ProviderError(
            .schemaMismatch,
            "the table of links \(links.definition.name) is also the table of a type",
            table: plan.table, column: links.property)
        }
        let list = List(
          definition: links.definition, owner: plan.table, element: links.child.tableName)
        let others = known[FoldedName(links.definition.name)] ?? []
        let isExclusive = others.allSatisfy { other in
          other.definition.isReverse(of: list.definition)
            && SQLName.isSame(other.owner, list.element)
            && SQLName.isSame(other.element, list.owner)
        }
        guard isExclusive, others.count < 2 else {
          throw ProviderError(
            .schemaMismatch,
            "the table of links \(links.definition.name) is also used by other lists",
            table: plan.table, column: links.property)
        }
        known[FoldedName(links.definition.name)] = others + [list]
      }
    }
  }
}

extension LinkDefinition {
  /// Returns whether the other definition is the same table from the other side.
  func isReverse(of other: LinkDefinition) -> Bool {
    SQLName.isSame(name, other.name) && SQLName.isSame(left, other.right)
      && SQLName.isSame(right, other.left)
  }

  /// A Boolean value that indicates whether the left side is the first of two. Names that SQLite
  /// considers equal have the same order.
  var isFirst: Bool {
    left.utf8.map(\.asciiLowercased).lexicographicallyPrecedes(right.utf8.map(\.asciiLowercased))
  }
}
