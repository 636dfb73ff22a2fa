internal import CSQLite
internal import Primitives

/// The user data of a registered module. SQLite releases it when the module is replaced or the
/// database is closed; each connected table retains it as well.
@safe final class ModuleBox {
  let module: any VirtualTable.Module
  let hooks: Hooks
  private let options: Connection.FunctionOptions
  private let isWritable: Bool
  /// The functions of the module's tables, which SQLite calls until the last table is disconnected.
  let functions: UnsafeMutablePointer<sqlite3_module>

  init<Module: VirtualTable.Module>(
    _ module: Module, options: Connection.FunctionOptions, hooks: Hooks
  ) throws(SQLiteError) {
    let isShadowName = unsafe try ShadowNames.function(for: module.shadowNames)
    self.module = module
    self.hooks = hooks
    self.options = options
    isWritable = Module.Table.self is any VirtualTable.WritableTable.Type
    unsafe functions = .allocate(capacity: 1)
    unsafe functions.initialize(to: sqlite3_module())
    unsafe functions.addReadingCallbacks(kind: module.kind)
    if isWritable { unsafe functions.addWritingCallbacks() }
    if Module.Table.self is any VirtualTable.TransactionalTable.Type {
      unsafe functions.addTransactionCallbacks()
    }
    if Module.Table.self is any VirtualTable.RenamableTable.Type {
      unsafe functions.addRenamingCallback()
    }
    if Module.Table.self is any VirtualTable.OverloadingTable.Type {
      unsafe functions.addOverloadingCallback()
    }
    if let isShadowName = unsafe isShadowName { unsafe functions.addShadowNames(isShadowName) }
    if Module.Table.self is any VirtualTable.CheckableTable.Type {
      unsafe functions.addIntegrityCallback()
    }
  }

  deinit { unsafe functions.deallocate() }

  /// Creates or connects a table, and declares its columns to SQLite.
  func connect(
    _ name: TableName, arguments: [String], isNew: Bool, to db: OpaquePointer
  ) throws -> any VirtualTable.Table {
    let table: any VirtualTable.Table =
      isNew
      ? try module.create(name, arguments: arguments)
      : try module.connect(name, arguments: arguments)
    do {
      unsafe try declare(table.columns, to: db)
    } catch {
      if isNew { try? table.destroy() }
      throw error
    }
    return table
  }

  private func declare(
    _ columns: [VirtualTable.Column], to db: OpaquePointer
  ) throws(SQLiteError) {
    guard !columns.isEmpty else {
      throw SQLiteError(code: .misuse, message: "the virtual table has no columns")
    }
    for column in columns {
      try ConnectionHandle.checkNoNUL(in: column.name + (column.declaredType ?? ""))
    }
    let list = columns.map(\.declaration).joined(separator: ", ")
    // Declaring the table calls the authorizer as for `CREATE TABLE`, while a statement is
    // compiled.
    var rc = hooks.bypassingAuthorizer {
      unsafe sqlite3_declare_vtab(db, "CREATE TABLE x (\(list))")
    }
    if rc == SQLITE_OK, isWritable { rc = unsafe holt_vtab_constraint_support(db) }
    if rc == SQLITE_OK, options.contains(.innocuous) { rc = unsafe holt_vtab_innocuous(db) }
    if rc == SQLITE_OK, options.contains(.directOnly) { rc = unsafe holt_vtab_direct_only(db) }
    guard rc == SQLITE_OK else {
      throw SQLiteError(
        code: .init(rawValue: rc), message: unsafe String(cString: sqlite3_errmsg(db)))
    }
  }
}

extension VirtualTable.Column {
  fileprivate var declaration: String {
    let type =
      switch affinity {
      case .integer: "INTEGER"
      case .text: "TEXT"
      case .real: "REAL"
      case .numeric: "NUMERIC"
      case .blob: ""
      }
    return "\(SQLName.quoted(name)) \(declaredType ?? type)" + (isHidden ? " HIDDEN" : "")
  }
}

/// A module that SQLite retains.
struct RegisteredModule {
  let name: String
  weak var box: ModuleBox?
}

extension ConnectionHandle {
  func createModule<Module: VirtualTable.Module>(
    _ module: Module, _ name: String, options: Connection.FunctionOptions
  ) throws(SQLiteError) {
    try checkModule(name)
    let box = try ModuleBox(module, options: options, hooks: hooks)
    hooks.hasChangedSettings.value = true
    try register(box, as: name)
    modules[SQLName.folded(name)] = RegisteredModule(name: name, box: box)
    // Compiled statements would otherwise continue to use the replaced module.
    unsafe hooks.expireStatements(of: try pointer())
  }

  func deleteModule(_ name: String) throws(SQLiteError) {
    try checkModule(name)
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    let rc = unsafe sqlite3_create_module_v2(db, name, nil, nil, nil)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    modules[SQLName.folded(name)] = nil
    unsafe hooks.expireStatements(of: db)
  }

  /// Registers a module again under its name, which drops its eponymous table.
  ///
  /// - Returns: Whether SQLite still retains the module.
  func reregister(_ module: RegisteredModule) throws(SQLiteError) -> Bool {
    guard let box = module.box else { return false }
    try register(box, as: module.name)
    return true
  }

  private func register(_ box: ModuleBox, as name: String) throws(SQLiteError) {
    let db = unsafe try pointer()
    let context = unsafe Unmanaged.passRetained(box).toOpaque()
    // SQLite also releases the box if the call fails.
    let rc = unsafe sqlite3_create_module_v2(
      db, name, box.functions, context,
      { unsafe $0.map { unsafe Unmanaged<ModuleBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }

  private func checkModule(_ name: String) throws(SQLiteError) {
    let db = unsafe try pointer()
    try Self.checkNoNUL(in: name)
    guard !SQLName.isSame(name, Self.listTableName) else {
      throw SQLiteError(
        code: .misuse, message: "the module \(name) is reserved and can't be registered or removed")
    }
    guard hooks.callbackDepth == 0, unsafe Self.runningStatement(of: db) == nil else {
      throw SQLiteError(
        code: .busy, message: "the module \(name) can't be registered while a statement runs")
    }
  }
}

/// An error that a module or tokenizer threw. SQLite drops the messages of some callbacks, and the
/// codes of others.
struct ModuleFailure {
  /// The code that the callback returns to SQLite.
  let engineCode: Int32
  let code: SQLiteError.Code
  let message: String

  init(_ error: any Error, engineCode: Int32? = nil) {
    self.engineCode = engineCode ?? SQLiteCore.engineCode(of: error)
    message = SQLiteCore.message(of: error)
    // A success code thrown by the module is replaced by the code that SQLite gets.
    let code = (error as? SQLiteError)?.code
    self.code =
      code.flatMap { isFailure($0) ? $0 : nil } ?? SQLiteError.Code(rawValue: self.engineCode)
  }
}

extension Hooks {
  /// Stores an error for the call that SQLite is about to fail.
  ///
  /// - Returns: The code that the callback returns to SQLite.
  func record(_ failure: ModuleFailure) -> Int32 {
    moduleFailure = failure
    return failure.engineCode
  }

  /// Returns the module's failure that matches this code and message, and clears it.
  func takeModuleFailure(_ code: Int32, _ message: String) -> ModuleFailure? {
    guard let failure = moduleFailure else { return nil }
    moduleFailure = nil
    return failure.engineCode & 0xff == code & 0xff || failure.message == message ? failure : nil
  }

  /// Runs a module's callback, which may compile other statements.
  func inModuleCallback<Result>(_ body: () throws -> Result) rethrows -> Result {
    let recording = pauseRecording()
    defer { resumeRecording(recording) }
    return try inCallback(body)
  }
}

/// Returns whether a callback may return this code for a failure. Codes from 100 on are success
/// codes, and would end the statement as if it had succeeded. `SQLITE_SCHEMA` makes SQLite
/// recompile the statement and restart it indefinitely.
func isFailure(_ code: SQLiteError.Code) -> Bool {
  (1..<100).contains(code.primary.rawValue) && code.primary != .schema
}

/// The code that a callback returns to SQLite for an error.
func engineCode(of error: any Error) -> Int32 {
  guard let code = (error as? SQLiteError)?.code, isFailure(code) else { return SQLITE_ERROR }
  return code.primary == .error ? SQLITE_ERROR : code.rawValue
}

/// The message for an error.
func message(of error: any Error) -> String {
  guard let error = error as? SQLiteError else { return String(describing: error) }
  // SQLite keeps only the message.
  return error.column.map { "\($0.name): \(error.message)" } ?? error.message
}
