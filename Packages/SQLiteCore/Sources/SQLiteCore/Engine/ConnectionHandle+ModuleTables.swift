internal import CSQLite

/// Eponymous virtual tables, such as `json_each` and `pragma_table_info`:
/// https://www.sqlite.org/vtab.html#eponymous_virtual_tables
///
/// SQLite creates an eponymous table when a statement first refers to it, and keeps it with the
/// module. The table points to the schema that `main` has at that time, which `sqlite3_deserialize`
/// frees (decision 24). SQLite has no call that lists these tables, and can drop one only by
/// removing its module.
extension ConnectionHandle {
  /// Drops eponymous tables, so that SQLite creates them again for a new `main`.
  ///
  /// - Returns: The names of the tables that can't be dropped, because their modules could not be
  ///   registered again.
  func dropEponymousTables() throws(SQLiteError) -> [String] {
    try hooks.bypassingAuthorizer { () throws(SQLiteError) in try reregisterModules() }
  }

  private func reregisterModules() throws(SQLiteError) -> [String] {
    let db = unsafe try pointer()
    var names = unsafe Self.usedModules(of: db)
    // Registering a module again drops its eponymous table.
    try registerListTable()
    for (name, module) in modules where try !reregister(module) { modules[name] = nil }
    names.removeAll { $0 == Self.listTableName || modules[SQLName.folded($0)] != nil }
    guard !names.isEmpty else { return [] }
    var scratch: OpaquePointer?
    defer { unsafe sqlite3_close_v2(scratch) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard unsafe sqlite3_open_v2(":memory:", &scratch, flags, nil) == SQLITE_OK,
      let scratch = unsafe scratch
    else { return names }
    names.removeAll { name in
      switch unsafe Self.origin(ofModule: name, scratch: scratch) {
      case .none: return true
      case .onDemand: return unsafe sqlite3_create_module_v2(db, name, nil, nil, nil) == SQLITE_OK
      case .opening: return false
      }
    }
    return names
  }

  /// Makes SQLite parse every database's schema again, which also resolves the tables of temporary
  /// triggers. Without this, triggers on a replaced database would refer to freed memory.
  func reloadSchemas() throws(SQLiteError) {
    // Notifies observers first, so that no observer is notified while the schemas are reset.
    hooks.deliverEvents(on: self)
    try hooks.bypassingAuthorizer { () throws(SQLiteError) in
      let isWritable = try isOn(.writableSchema)
      // https://www.sqlite.org/pragma.html#pragma_writable_schema
      try executeUninterrupted("PRAGMA writable_schema = RESET")
      if isWritable { try set(.writableSchema, to: true) }
    }
  }
}

extension ConnectionHandle {
  /// The origin of an eponymous table's module.
  private enum ModuleOrigin {
    /// The module has no eponymous table: its tables must be created.
    case none
    /// SQLite registers the module when a statement refers to the table, and will do so again.
    case onDemand
    /// The module was registered when the connection was opened, or by other code that has its
    /// functions.
    case opening
  }

  /// The modules that have, or may have, created their eponymous tables.
  private static func usedModules(of db: OpaquePointer) -> [String] {
    let modules = unsafe firstColumn("PRAGMA module_list", of: db).values
    // A build without this pragma returns no rows, although this package has registered a module.
    guard !modules.isEmpty else { return ["tables of modules"] }
    // Connecting a table declares its columns, which fails under a column limit of 0: only tables
    // that exist can be listed.
    let isSchemaKnown = unsafe columns(of: "", db: db).code == SQLITE_OK
    let limit = unsafe sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 0)
    defer { unsafe sqlite3_limit(db, SQLITE_LIMIT_COLUMN, limit) }
    return modules.filter { name in
      guard isSchemaKnown else { return true }
      let (code, columns) = unsafe self.columns(of: name, db: db)
      return code == SQLITE_OK ? !columns.isEmpty : code & 0xff != SQLITE_ERROR
    }
  }

  /// Returns the origin of a module, determined on a fresh connection.
  private static func origin(
    ofModule name: String, scratch: OpaquePointer
  ) -> ModuleOrigin {
    guard unsafe !columns(of: name, db: scratch).values.isEmpty else {
      let modules = unsafe firstColumn("PRAGMA module_list", of: scratch).values
      return modules.contains(name) ? .none : .opening
    }
    unsafe sqlite3_create_module_v2(scratch, name, nil, nil, nil)
    return unsafe columns(of: name, db: scratch).values.isEmpty ? .opening : .onDemand
  }

  private static func columns(of table: String, db: OpaquePointer) -> (
    code: Int32, values: [String]
  ) {
    let name = table.quoted(with: UInt8(ascii: "'"))
    return unsafe firstColumn("PRAGMA table_info(\(name))", of: db)
  }

  private static func firstColumn(
    _ sql: String, of db: OpaquePointer
  ) -> (code: Int32, values: [String]) {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    var code = unsafe sqlite3_prepare_v2(db, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { return (code, []) }
    var values: [String] = []
    repeat {
      code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW, let text = unsafe sqlite3_column_text(statement, 0) else { break }
      values.append(unsafe String(cString: text))
    } while true
    return (code == SQLITE_DONE ? SQLITE_OK : code, values)
  }
}
