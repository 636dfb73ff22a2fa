internal import SQLiteCore

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
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownTable``; `SQLiteError`.
  func table(_ name: String) throws -> TableSchema {
    let key = DatabaseRoute.Table(name)
    if let version, let known = cache.table(key, version) { return known }
    let schema = schema ?? "main"
    // What a virtual table keeps its rows in is its own.
    guard let table = try connection.table(name, in: schema), table.kind != .shadow,
      !table.name.name.lowercased().hasPrefix("sqlite_")
    else {
      let names = try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = ? ORDER BY name", schema)
      throw RouterError.unknownTable(
        name, known: names.filter { !$0.lowercased().hasPrefix("sqlite_") })
    }
    // SQLite's error says why a view has none.
    if table.columns.isEmpty { _ = try connection.columns(of: table.name.name, in: schema) }
    if let version { cache.keep(table, for: key, version) }
    return table
  }

  /// Whether texts are compared as UTF-8, and not as UTF-16, which orders them in another way.
  func isUTF8() throws -> Bool {
    if let version, let known = cache.isUTF8(version) { return known }
    let isUTF8 = try connection.value(String.self, "PRAGMA encoding") == "UTF-8"
    if let version { cache.keep(isUTF8: isUTF8, version) }
    return isUTF8
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

extension TableSchema {
  /// The table as a route names it.
  var routeTable: DatabaseRoute.Table { DatabaseRoute.Table(name.name, schema: name.schema) }

  /// The columns that a row has: not the parameters of a virtual table.
  var visibleColumns: [Column] { columns.filter { $0.kind != .hidden } }

  /// The column that a route names.
  func column(_ name: String) throws(RouterError) -> Column {
    if let column = column(named: name) { return column }
    // `id` is what tells rows apart, whatever its name is here.
    if primaryKey.count == 1, name.isSameName(as: DatabaseRoute.Column.id.name) {
      return primaryKey[0]
    }
    throw .unknownColumn(name, of: self.name.name, known: columns.map(\.name))
  }

  /// Whether its statement may say, by `ON CONFLICT`, what becomes of rows that can't be there together.
  var mayResolveConflicts: Bool {
    kind == .table && sql?.lowercased().contains("conflict") ?? false
  }
}
