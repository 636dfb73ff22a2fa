internal import CSQLite

/// The tables that go by the names of modules and that nobody created, `json_each` and `pragma_table_info`
/// among them: https://www.sqlite.org/vtab.html#eponymous_virtual_tables
///
/// SQLite makes such a table when it is first named, and keeps it with the module. The table points to the
/// schema that `main` has then, which `sqlite3_deserialize` frees (decision 24). No call lists these tables,
/// and none lets go of one but by taking its module away.
extension ConnectionHandle {
  /// Lets go of the tables of modules, so that they are made anew for another `main`.
  ///
  /// - Returns: The names of those that have to stay: their modules would not come back.
  func releaseModuleTables() throws(SQLiteError) -> [String] {
    try hooks.askingItself { () throws(SQLiteError) in try renewModules() }
  }

  private func renewModules() throws(SQLiteError) -> [String] {
    let db = unsafe try pointer()
    var names = unsafe ModuleTables.used(of: db)
    // Put in its own place, a module has no table.
    try registerListTable()
    for (name, module) in modules where try !renew(module) { modules[name] = nil }
    names.removeAll { $0 == Self.listTableName || modules[SQLName.folded($0)] != nil }
    guard !names.isEmpty else { return [] }
    var scratch: OpaquePointer?
    defer { unsafe sqlite3_close_v2(scratch) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard unsafe sqlite3_open_v2(":memory:", &scratch, flags, nil) == SQLITE_OK,
      let scratch = unsafe scratch
    else { return names }
    names.removeAll { name in
      switch unsafe ModuleTables.origin(of: name, scratch: scratch) {
      case .none: return true
      case .onDemand: return unsafe sqlite3_create_module_v2(db, name, nil, nil, nil) == SQLITE_OK
      case .opening: return false
      }
    }
    return names
  }

  /// Has every database's schema read again, and with it to what table each temporary trigger belongs:
  /// SQLite does not, and those of a database that was replaced would be tied to what it has freed.
  func forgetSchemas() throws(SQLiteError) {
    // No observer is to be told in the midst.
    hooks.settle(on: self)
    try hooks.askingItself { () throws(SQLiteError) in
      let isWritable = try isOn(.writableSchema)
      // https://www.sqlite.org/pragma.html#pragma_writable_schema
      try controlUninterrupted("PRAGMA writable_schema = RESET")
      if isWritable { try set(.writableSchema, to: true) }
    }
  }
}

private enum ModuleTables {
  /// Where the module that gives a table comes from.
  enum Origin {
    /// There is no such table: the module's tables have to be created.
    case none
    /// SQLite registers it when the table is named, and so does that again.
    case onDemand
    /// It was registered when the connection was opened, or later by who has its functions.
    case opening
  }

  /// The modules whose tables have been made, or may have been.
  static func used(of db: OpaquePointer) -> [String] {
    let modules = unsafe firstColumn("PRAGMA module_list", of: db).values
    // A build without this pragma tells of none, though there is one of this package.
    guard !modules.isEmpty else { return ["tables of modules"] }
    // A table is declared as one is that is created, and can't be where it may have no column.
    let isSchemaKnown = unsafe columns(of: "", db: db).code == SQLITE_OK
    let limit = unsafe sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 0)
    defer { unsafe sqlite3_limit(db, SQLITE_LIMIT_COLUMN, limit) }
    return modules.filter { name in
      guard isSchemaKnown else { return true }
      let (code, columns) = unsafe self.columns(of: name, db: db)
      return code == SQLITE_OK ? !columns.isEmpty : code & 0xff != SQLITE_ERROR
    }
  }

  /// What `name` is to a connection that nobody has used.
  static func origin(of name: String, scratch: OpaquePointer) -> Origin {
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
