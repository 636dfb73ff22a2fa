internal import SQLiteCore

/// What is known of a table, for statements to be made and checked.
final class TableFacts: Sendable {
  /// The name as the database spells it.
  let name: String
  /// The database that has it, likewise; `nil` for `main`.
  let schema: String?
  let columns: [TableSchema.Column]
  /// The primary key's columns, in its order.
  let key: [TableSchema.Column]
  /// The columns of each unique index that holds every row, the primary key's among them.
  let uniqueKeys: [[String]]
  let foreignKeys: [TableSchema.ForeignKey]
  /// The column that is the number of a row.
  let rowidColumn: String?
  let isVirtual: Bool
  let isView: Bool
  /// Whether it is a table of full text.
  let isFullText: Bool
  /// Whether texts are compared as UTF-8, and not as UTF-16, which orders them in another way.
  let isUTF8: Bool
  /// Whether its schema may say, by `ON CONFLICT`, what becomes of rows that can't be there together.
  let mayResolveConflicts: Bool

  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownTable``; `SQLiteError`.
  init(_ wanted: String, in schema: String?, _ connection: Connection) throws {
    self.schema = schema
    let schema = schema ?? "main"
    var found: (name: String, type: String)?
    try connection.forEach(
      "SELECT name, type FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
      schema, wanted
    ) { row in found = (try row.read(at: 0), try row.read(at: 1)) }
    // What a virtual table keeps its rows in is its own.
    guard let found, found.name.isSameName(as: wanted), found.type != "shadow",
      !found.name.lowercased().hasPrefix("sqlite_")
    else {
      let names = try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = ? ORDER BY name", schema)
      throw RouterError.unknownTable(
        wanted, known: names.filter { !$0.lowercased().hasPrefix("sqlite_") })
    }
    name = found.name
    columns = try connection.columns(of: name, in: schema)
    key = columns.filter { $0.primaryKeyPosition != nil }
      .sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
    var uniqueKeys = key.isEmpty ? [] : [key.map(\.name)]
    let indexes = try connection.indexes(of: name, in: schema)
    for index in indexes where index.isUnique && !index.isPartial {
      let names = index.columns.compactMap { $0 }
      if names.count == index.columns.count { uniqueKeys.append(names) }
    }
    self.uniqueKeys = uniqueKeys
    rowidColumn = try connection.rowIDColumn(of: name, in: schema)
    foreignKeys = try connection.foreignKeys(of: name, in: schema)
    isVirtual = found.type == "virtual"
    isView = found.type == "view"
    // As every table of FTS5 has them, and those of no other module of SQLite's.
    isFullText =
      isVirtual
      && columns.filter { $0.kind == .hidden }.map(\.name).elementsEqual([name, "rank"]) {
        $0.isSameName(as: $1)
      }
    let sql =
      isVirtual || isView
      ? nil
      : try connection.value(
        String.self,
        """
        SELECT sql FROM \(identifier: schema).sqlite_master WHERE type = 'table' AND name = ?
        """, name)
    isUTF8 = try connection.value(String.self, "PRAGMA encoding") == "UTF-8"
    mayResolveConflicts = sql?.lowercased().contains("conflict") ?? false
  }

  /// What a route calls it.
  var table: DatabaseRoute.Table {
    schema.map { .init(name, schema: $0) } ?? .init(name)
  }

  /// The columns that a row has: not the parameters of a virtual table.
  var visibleColumns: [TableSchema.Column] { columns.filter { $0.kind != .hidden } }

  /// The column of a name.
  func column(_ name: String) throws(RouterError) -> TableSchema.Column {
    if let column = columns.first(where: { $0.name.isSameName(as: name) }) { return column }
    // `id` is what tells rows apart, whatever its name is here.
    if key.count == 1, name.isSameName(as: DatabaseRoute.Column.id.name) { return key[0] }
    throw .unknownColumn(name, of: self.name, known: columns.map(\.name))
  }

  /// Whether no row has a NULL there.
  func isNeverNull(_ column: TableSchema.Column) -> Bool {
    !isView && !isVirtual && (column.isNotNull || column.name == rowidColumn)
  }

  /// Whether no two rows have the same values in these columns.
  func isUnique(_ columns: [String]) -> Bool {
    uniqueKeys.contains { unique in
      unique.count == columns.count
        && unique.allSatisfy { name in columns.contains { $0.isSameName(as: name) } }
    }
  }
}

/// The tables of one database of a connection, at one moment.
final class Catalog {
  let connection: Connection
  let cache: StatementCache
  /// The database, as the connection calls it; `nil` for `main`.
  let schema: String?
  /// Of which schema it is; `nil` where nothing may be kept.
  let version: SchemaVersion?

  /// The catalog of `main`.
  init(_ connection: Connection, _ cache: StatementCache, committedVersion: Int?) throws {
    self.connection = connection
    self.cache = cache
    schema = nil
    guard let number = try connection.schemaNumber(),
      committedVersion == nil || committedVersion == number
    else {
      version = nil
      return
    }
    version = SchemaVersion(number: number, generation: connection.schemaGeneration)
  }

  /// The catalog of another database.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownSchema``.
  init(
    of wanted: String, _ connection: Connection, _ cache: StatementCache, mayKeep: Bool
  ) throws {
    self.connection = connection
    var known: [String] = []
    var found: (name: String, path: String)?
    try connection.forEach("SELECT name, file FROM pragma_database_list") { row in
      let name = try row.read(String.self, at: 0)
      known.append(name)
      if name.isSameName(as: wanted) { found = (name, try row.read(String?.self, at: 1) ?? "") }
    }
    // It is there before anything is in it.
    if found == nil, wanted.isSameName(as: "temp") { found = ("temp", "") }
    guard let found else { throw RouterError.unknownSchema(wanted, known: known) }
    schema = found.name
    // One without a file is this connection's alone, and another one's of the same name has other tables.
    guard mayKeep, !found.path.isEmpty else {
      self.cache = cache
      version = nil
      return
    }
    self.cache = cache.cache(for: .init(schema: found.name, path: found.path))
    version = try connection.schemaNumber(of: found.name).map {
      SchemaVersion(number: $0, generation: connection.schemaGeneration)
    }
  }

  /// The table of a name, in the catalog's database.
  func table(_ name: String) throws -> TableFacts {
    let table = DatabaseRoute.Table(name)
    if let version, let known = cache.facts(of: table, version) { return known }
    let facts = try TableFacts(name, in: schema, connection)
    if let version { cache.keep(facts, for: table, version) }
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
      SELECT DISTINCT m.name
      FROM \(identifier: schema ?? "main").sqlite_master AS m,
        pragma_foreign_key_list(m.name, ?1) AS f
      WHERE m.type = 'table' AND f."table" = ?2 COLLATE NOCASE ORDER BY m.name
      """, schema ?? "main", name)
  }
}
