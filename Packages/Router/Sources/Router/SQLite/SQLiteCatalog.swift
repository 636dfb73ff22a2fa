internal import SQLiteCore

/// The schemas of the tables in one database of a connection, cached for the current schema version.
final class SQLiteCatalog: RouteCatalog {
  let connection: Connection
  let cache: StatementCache
  /// The database's schema name in the connection; `nil` for `main`.
  let schema: String?
  /// The schema version of cached tables; `nil` if tables must not be cached.
  let version: SchemaVersion?

  /// Creates the catalog of `main`.
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

  /// Creates the catalog of another database.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownSchema``.
  init(
    of wanted: String, _ connection: Connection, _ cache: StatementCache, isCached: Bool
  ) throws {
    self.connection = connection
    var known: [String] = []
    var found: (name: String, path: String)?
    try connection.forEach("SELECT name, file FROM pragma_database_list") { row in
      let name = try row.read(String.self, at: 0)
      known.append(name)
      if name.isSameName(as: wanted) { found = (name, try row.read(String?.self, at: 1) ?? "") }
    }
    // `pragma_database_list` omits the temporary database until it is used.
    if found == nil, wanted.isSameName(as: "temp") { found = ("temp", "") }
    guard let found else { throw RouterError.unknownSchema(wanted, known: known) }
    schema = found.name
    // A database without a file is private to the connection. Another connection's database of the same name can have
    // other tables.
    guard isCached, !found.path.isEmpty else {
      self.cache = cache
      version = nil
      return
    }
    self.cache = cache.cache(for: .init(schema: found.name, path: found.path))
    version = try connection.schemaNumber(of: found.name).map {
      SchemaVersion(number: $0, generation: connection.schemaGeneration)
    }
  }

  /// Returns the schema of the table with a name in the catalog's database.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownTable``; `SQLiteError`.
  func table(_ name: String) throws -> TableSchema {
    let key = DatabaseRoute.Table(name)
    if let version, let known = cache.table(key, version) { return known }
    let schema = schema ?? "main"
    // Shadow tables are private to their virtual table.
    guard let table = try connection.table(name, in: schema), table.kind != .shadow,
      !table.name.name.lowercased().hasPrefix("sqlite_")
    else {
      let names = try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = ? ORDER BY name", schema)
      throw RouterError.unknownTable(
        name, known: names.filter { !$0.lowercased().hasPrefix("sqlite_") })
    }
    // SQLite's error describes why a view has no columns.
    if table.columns.isEmpty { _ = try connection.columns(of: table.name.name, in: schema) }
    if let version { cache.store(table, for: key, version) }
    return table
  }

  /// Returns whether the database encodes text as UTF-8. UTF-16 has another sort order.
  func isUTF8() throws -> Bool {
    if let version, let known = cache.isUTF8(version) { return known }
    let isUTF8 = try connection.value(String.self, "PRAGMA encoding") == "UTF-8"
    if let version { cache.store(isUTF8: isUTF8, version) }
    return isUTF8
  }

  /// Returns whether a function with this name is available in SQL.
  func hasFunction(_ name: String) throws -> Bool {
    try connection.value(
      Int.self, "SELECT 1 FROM pragma_function_list WHERE name = ? LIMIT 1", name) != nil
  }

  /// Returns the names of the tables with a foreign key to a table.
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

extension Connection {
  /// Returns the number of a database's schema: see ``SchemaVersion``.
  ///
  /// - Parameter schema: The name of the database in the connection; `nil` for `main`.
  func schemaNumber(of schema: String? = nil) throws(SQLiteError) -> Int? {
    guard let schema else { return try value(Int.self, "PRAGMA main.schema_version") }
    return try value(Int.self, "PRAGMA \(identifier: schema).schema_version")
  }
}
