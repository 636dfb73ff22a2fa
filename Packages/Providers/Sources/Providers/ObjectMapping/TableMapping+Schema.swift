internal import Primitives
internal import SQLiteCore

extension TableMapping {
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

  private func declaration(of index: Int, _ preserved: PreservedSchema) throws -> String {
    let column = columns[index]
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    let name = FoldedName(column.name)
    if preserved.keepsPrimaryKey, key.contains(index) {
      if preserved.notNull.contains(name) { sql += " NOT NULL" }
    } else if key == [index] {
      sql += " PRIMARY KEY"
      if keyType == .autoIncrementingInt { sql += " AUTOINCREMENT" }
      // An INTEGER PRIMARY KEY is the rowid, and is never NULL.
      if column.declaredType != "INTEGER" { sql += " NOT NULL" }
    } else if column.isNotNull || key.contains(index) {
      sql += " NOT NULL"
    }
    sql += preserved.traits[name] ?? ""
    if let referencedType = properties[index].referencedType, !preserved.references.contains(name) {
      sql += try TableMapping.of(referencedType).referenceSQL
    }
    return sql
  }
}

extension Connection {
  /// Creates the tables of a type, and of all types that it refers to, if they do not exist.
  func createTables(for mapping: TableMapping) throws {
    let mappings = mapping.isFlat ? [mapping] : try mapping.reachable()
    try TableMapping.requireUniqueLinkTables(of: mappings)
    for mapping in mappings {
      if try !hasTable(mapping.table) { try run(SQL(unsafe: mapping.createSQL())) }
      for links in mapping.links { try create(links, of: mapping) }
    }
  }

  private func create(_ links: TableMapping.Links, of mapping: TableMapping) throws {
    guard try hasTable(links.definition.name) else {
      for sql in try mapping.createSQL(of: links) { try run(SQL(unsafe: sql)) }
      return
    }
    if let missing = try missingColumn(links, of: mapping) {
      throw mapping.missingColumnError(missing, links)
    }
  }

  /// Returns a column that a table of links lacks; `nil` if it has all columns.
  private func missingColumn(_ links: TableMapping.Links, of mapping: TableMapping) throws
    -> String?
  {
    let side = try mapping.side(of: links)
    let present = try columns(of: side.definition.name).map { FoldedName($0.name) }
    return side.columns.first { !present.contains(FoldedName($0)) }
  }
}

/// Diagnoses of failed statements, derived from the existing tables.
extension Connection {
  /// Calls `body`, which runs a statement on a type's table, and diagnoses its error.
  func diagnosing<Result>(
    _ mapping: TableMapping, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw diagnosed(error, mapping)
    }
  }

  /// Returns the error to throw if a statement on a type's table fails.
  func diagnosed(_ error: any Error, _ mapping: TableMapping) -> any Error {
    guard let error = error as? SQLiteError, error.code == .error,
      let columns = try? columns(of: mapping.table)
    else { return error }
    if columns.isEmpty { return unknown(mapping.table) }
    let present = columns.map { FoldedName($0.name) }
    guard let missing = mapping.columns.first(where: { !present.contains(FoldedName($0.name)) })
    else {
      return error
    }
    return ProviderError(
      .schemaMismatch,
      "the table lacks a column that \(mapping.type) has: updateTableSchema(\(mapping.type).self) adds it",
      table: mapping.table, column: missing.name)
  }

  /// Returns the error to throw if writing a row into a type's table fails.
  func diagnosedWriting(_ error: any Error, _ mapping: TableMapping) -> any Error {
    let diagnosed = diagnosed(error, mapping)
    // The error has no specific code, and only SQLite decides whether a conflict target matches.
    guard let error = diagnosed as? SQLiteError, error.code == .error,
      error.message.contains("ON CONFLICT clause does not match")
    else { return diagnosed }
    return ProviderError(
      .schemaMismatch,
      """
      the key is neither the PRIMARY KEY of the table nor UNIQUE, so that it can't identify rows: \
      updateTableSchema(\(mapping.type).self) makes it unique
      """, table: mapping.table, column: mapping.keyColumn.name)
  }

  /// Returns the error to throw if reading links and the linked rows fails.
  func diagnosed(
    _ error: SQLiteError, _ links: TableMapping.Links, of mapping: TableMapping
  ) -> any Error {
    let name = links.definition.name
    do {
      if error.code != .error { return error }
      if try !hasTable(name) { return unknown(name) }
      if let missing = try missingColumn(links, of: mapping) {
        return mapping.missingColumnError(missing, links)
      }
      return diagnosed(error, try TableMapping.of(links.elementType))
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

extension TableMapping {
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
  private func reverse(of links: Links) throws -> (mapping: TableMapping, links: Links)? {
    let child = links.elementType == type ? self : try TableMapping.of(links.elementType)
    let found = child.links.first { other in
      other.definition.isReverse(of: links.definition)
        && SQLName.isSame(other.elementType.tableName, table)
    }
    return found.map { (child, $0) }
  }

  /// Returns the list of the first, or only, side.
  func firstSide(of links: Links) throws -> (mapping: TableMapping, links: Links) {
    if !links.definition.isFirst, let other = try reverse(of: links) { return other }
    return (self, links)
  }

  /// Returns the statements that create a table of links and its index, which are the same for both
  /// sides.
  func createSQL(of links: Links) throws -> [String] {
    let (mapping, first) = try firstSide(of: links)
    return try mapping.createSQL(ofFirst: first)
  }

  private func createSQL(ofFirst links: Links) throws -> [String] {
    let child = try TableMapping.of(links.elementType)
    let name = SQLName.quoted(links.definition.name)
    let left = SQLName.quoted(links.definition.left)
    let right = SQLName.quoted(links.definition.right)
    func column(_ quoted: String, _ mapping: TableMapping) -> String {
      let type = mapping.keyColumn.declaredType
      return quoted + (type.isEmpty ? "" : " \(type)") + " NOT NULL" + mapping.referenceSQL
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
  func missingColumnError(_ column: String, _ links: Links) -> ProviderError {
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
  static func requireUniqueLinkTables(of mappings: [TableMapping]) throws(ProviderError) {
    typealias List = (definition: LinkDefinition, owner: String, element: String)
    var known: [FoldedName: [List]] = [:]
    let tables = Set(mappings.map { FoldedName($0.table) })
    for mapping in mappings {
      for links in mapping.links {
        guard !tables.contains(FoldedName(links.definition.name)) else {
          throw ProviderError(
            .schemaMismatch,
            "the table of links \(links.definition.name) is also the table of a type",
            table: mapping.table, column: links.property)
        }
        let list: List = (links.definition, mapping.table, links.elementType.tableName)
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
            table: mapping.table, column: links.property)
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
