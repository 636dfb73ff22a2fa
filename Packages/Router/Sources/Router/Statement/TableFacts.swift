internal import SQLiteCore

/// What is known of a table, for statements to be made and checked.
final class TableFacts: Sendable {
  /// The name as the database spells it.
  let name: String
  let columns: [ColumnSchema]
  /// The primary key's columns, in its order.
  let key: [ColumnSchema]
  /// The columns of each unique index that holds every row, the primary key's among them.
  let uniqueKeys: [[String]]
  let foreignKeys: [ForeignKeySchema]
  let isVirtual: Bool
  /// Whether it is a table of full text.
  let isFullText: Bool

  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownTable``; `SQLiteError`.
  init(_ wanted: String, _ connection: Connection) throws {
    var found: (name: String, type: String)?
    try connection.forEach(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
      wanted
    ) { row in found = (try row.read(at: 0), try row.read(at: 1)) }
    // What a virtual table keeps its rows in is its own.
    guard let found, found.name.isSameName(as: wanted), found.type != "shadow",
      !found.name.lowercased().hasPrefix("sqlite_")
    else {
      let names = try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
      throw RouterError.unknownTable(
        wanted, known: names.filter { !$0.lowercased().hasPrefix("sqlite_") })
    }
    name = found.name
    columns = try connection.columns(of: name)
    key = columns.filter { $0.primaryKeyPosition != nil }
      .sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
    var uniqueKeys = key.isEmpty ? [] : [key.map(\.name)]
    for index in try connection.indexes(of: name) where index.isUnique && !index.isPartial {
      let names = index.columns.compactMap { $0 }
      if names.count == index.columns.count { uniqueKeys.append(names) }
    }
    self.uniqueKeys = uniqueKeys
    foreignKeys = try connection.foreignKeys(of: name)
    isVirtual = found.type == "virtual"
    var isFullText = false
    if isVirtual {
      let sql = try connection.value(
        String.self, "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", name)
      isFullText = sql?.lowercased().contains("fts5") ?? false
    }
    self.isFullText = isFullText
  }

  /// The columns that a row has: not the parameters of a virtual table.
  var visibleColumns: [ColumnSchema] { columns.filter { $0.kind != .hidden } }

  /// The column of a name.
  func column(_ name: String) throws(RouterError) -> ColumnSchema {
    if let column = columns.first(where: { $0.name.isSameName(as: name) }) { return column }
    // `id` is what tells rows apart, whatever its name is here.
    if name == DatabaseRoute.Column.id.name, key.count == 1 { return key[0] }
    throw .unknownColumn(name, of: self.name, known: columns.map(\.name))
  }

  /// Whether no two rows have the same values in these columns.
  func isUnique(_ columns: [String]) -> Bool {
    uniqueKeys.contains { unique in
      unique.count == columns.count
        && unique.allSatisfy { name in columns.contains { $0.isSameName(as: name) } }
    }
  }
}

/// The tables of one connection, at one moment.
struct Catalog {
  let connection: Connection
  let cache: StatementCache
  /// What SQLite counts up at each change of the schema; `nil` where nothing may be kept.
  let version: Int?

  func table(_ name: String) throws -> TableFacts {
    if let version, let known = cache.facts(of: name, version) { return known }
    let facts = try TableFacts(name, connection)
    if let version { cache.keep(facts, for: name, version) }
    return facts
  }

  /// Whether SQL can call a function of this name.
  func hasFunction(_ name: String) throws -> Bool {
    try connection.value(
      Int.self, "SELECT 1 FROM pragma_function_list WHERE name = ? LIMIT 1", name) != nil
  }

  /// The tables that refer to another one.
  func tables(referringTo name: String) throws -> [String] {
    try connection.values(
      String.self,
      """
      SELECT DISTINCT m.name FROM main.sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
      WHERE m.type = 'table' AND f."table" = ? COLLATE NOCASE ORDER BY m.name
      """, name)
  }
}
