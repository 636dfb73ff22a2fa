internal import CSQLite

/// A connected table. SQLite stores its address in the table's structure.
@safe final class ModuleTable {
  let table: any VirtualTable.Table
  let writable: (any VirtualTable.WritableTable)?
  let transactional: (any VirtualTable.TransactionalTable)?
  /// The value of ``VirtualTable/WritableTable/omitsUnchangedValues`` when the table was connected.
  private let omitsUnchangedValues: Bool
  /// The table's function overloads, which compiled statements may call until the table is disconnected.
  private var overloads:
    [FunctionSignature: (function: ScalarBox, constraint: VirtualTable.Operator?)?] = [:]
  let db: OpaquePointer
  /// Retains the functions that SQLite calls.
  private let box: ModuleBox

  init(_ table: any VirtualTable.Table, of box: ModuleBox, db: OpaquePointer) {
    self.table = table
    writable = table as? any VirtualTable.WritableTable
    transactional = table as? any VirtualTable.TransactionalTable
    omitsUnchangedValues = writable?.omitsUnchangedValues ?? false
    self.box = box
    unsafe self.db = db
  }

  /// Runs a table's callback. An error fails the statement.
  static func attempt(
    _ base: UnsafeMutablePointer<sqlite3_vtab>?, engineCode: ((any Error) -> Int32)? = nil,
    _ body: (ModuleTable) throws -> Int32
  ) -> Int32 {
    guard let table = unsafe of(base) else { return SQLITE_ERROR }
    do {
      return try table.box.hooks.inModuleCallback { try body(table) }
    } catch {
      let failure = ModuleFailure(error, engineCode: engineCode?(error))
      unsafe holt_set_vtab_message(base, failure.message)
      return table.box.hooks.record(failure)
    }
  }

  /// Runs a cursor's callback, which SQLite calls many times for one query.
  static func attempt(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (ModuleCursor) throws -> Void
  ) -> Int32 {
    let code = unsafe ModuleCursor.with(cursor) { state in
      do {
        try body(state)
        return SQLITE_OK
      } catch {
        let failure = ModuleFailure(error)
        unsafe holt_set_vtab_message(cursor?.pointee.pVtab, failure.message)
        return state.hooks.record(failure)
      }
    }
    return code ?? SQLITE_ERROR
  }

  /// Returns the table's overload of a function, with the constraint's operator for its calls.
  func overload(
    _ signature: FunctionSignature
  ) -> (function: ScalarBox, constraint: VirtualTable.Operator?)? {
    if let cached = overloads[signature] { return cached }
    let declared = (table as? any VirtualTable.OverloadingTable)?.overload(
      of: signature.name, argumentCount: signature.argumentCount)
    let overload = declared.map { (function: ScalarBox($0.body), constraint: $0.constraint) }
    overloads[signature] = .some(overload)
    return overload
  }

  static func of(_ base: UnsafeMutablePointer<sqlite3_vtab>?) -> ModuleTable? {
    let state = unsafe extended(base)?.pointee.state
    return unsafe state.map { unsafe Unmanaged<ModuleTable>.fromOpaque($0).takeUnretainedValue() }
  }

  /// SQLite's table is the first member of the structure.
  private static func extended(
    _ base: UnsafeMutablePointer<sqlite3_vtab>?
  ) -> UnsafeMutablePointer<holt_vtab>? {
    unsafe UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: holt_vtab.self)
  }

  fileprivate func openCursor() throws -> UnsafeMutablePointer<sqlite3_vtab_cursor> {
    let cursor = try table.openModuleCursor(
      omitsUnchangedValues: omitsUnchangedValues, hooks: box.hooks)
    let created = UnsafeMutablePointer<holt_vtab_cursor>.allocate(capacity: 1)
    unsafe created.initialize(to: holt_vtab_cursor())
    unsafe created.pointee.state = unsafe Unmanaged.passRetained(cursor).toOpaque()
    return unsafe UnsafeMutableRawPointer(created).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
  }

  fileprivate static func connect(
    isNew: Bool, _ db: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ created: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> Int32 {
    guard let db = unsafe db, let data = unsafe data, count >= 3 else { return SQLITE_ERROR }
    let box = unsafe Unmanaged<ModuleBox>.fromOpaque(data).takeUnretainedValue()
    // The module name, the schema name, the table name, and the arguments.
    let words = (0..<Int(count)).map { index in
      unsafe arguments?[index].map { unsafe String(cString: $0) } ?? ""
    }
    do {
      let table = try box.hooks.inModuleCallback {
        unsafe try box.connect(
          TableName(schema: words[1], words[2]), arguments: Array(words[3...]), isNew: isNew,
          to: db)
      }
      let base = UnsafeMutablePointer<holt_vtab>.allocate(capacity: 1)
      unsafe base.initialize(to: holt_vtab())
      let state = unsafe ModuleTable(table, of: box, db: db)
      unsafe base.pointee.state = unsafe Unmanaged.passRetained(state).toOpaque()
      unsafe created?.pointee = unsafe UnsafeMutableRawPointer(base)
        .assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    } catch {
      let failure = ModuleFailure(error)
      unsafe message?.pointee = unsafe holt_copy_text(failure.message)
      return box.hooks.record(failure)
    }
  }

  fileprivate static func disconnect(_ base: UnsafeMutablePointer<sqlite3_vtab>?) {
    guard let table = unsafe extended(base) else { return }
    let state = unsafe table.pointee.state
    unsafe sqlite3_free(table.pointee.base.zErrMsg)
    unsafe table.deallocate()
    unsafe state.map { unsafe Unmanaged<ModuleTable>.fromOpaque($0).release() }
  }
}

/// An open cursor. SQLite stores its address in the cursor's structure.
///
/// This class has no rows. ``TypedModuleCursor`` has those of a ``VirtualTable/Cursor``, which it does
/// not copy for a call, as an existential value would.
@safe class ModuleCursor {
  fileprivate final let omitsUnchangedValues: Bool
  fileprivate final let hooks: Hooks

  fileprivate init(omitsUnchangedValues: Bool, hooks: Hooks) {
    self.omitsUnchangedValues = omitsUnchangedValues
    self.hooks = hooks
  }

  fileprivate func filter(
    indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
  ) throws {}
  fileprivate func next() throws {}
  fileprivate var isAtEnd: Bool { true }
  fileprivate func column(
    _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
  ) throws {}
  fileprivate func rowID() throws -> RowID { RowID(rawValue: 0) }

  /// Calls `body` with a cursor, which SQLite keeps open during the call.
  @inline(__always)
  static func with<Result>(
    _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (ModuleCursor) -> Result
  ) -> Result? {
    guard let state = unsafe extended(base)?.pointee.state else { return nil }
    return unsafe Unmanaged<ModuleCursor>.fromOpaque(state)._withUnsafeGuaranteedRef { body($0) }
  }

  fileprivate static func close(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) {
    guard let cursor = unsafe extended(base) else { return }
    let state = unsafe cursor.pointee.state
    unsafe cursor.deallocate()
    unsafe state.map { unsafe Unmanaged<ModuleCursor>.fromOpaque($0).release() }
  }

  /// SQLite's cursor is the first member of the structure.
  private static func extended(
    _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<holt_vtab_cursor>? {
    unsafe UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: holt_vtab_cursor.self)
  }
}

private final class TypedModuleCursor<Cursor: VirtualTable.Cursor>: ModuleCursor {
  // SQLite calls one method of a cursor at a time, several times for each row.
  @exclusivity(unchecked) private var cursor: Cursor

  init(_ cursor: Cursor, omitsUnchangedValues: Bool, hooks: Hooks) {
    unsafe self.cursor = cursor
    super.init(omitsUnchangedValues: omitsUnchangedValues, hooks: hooks)
  }

  override func filter(
    indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
  ) throws {
    unsafe try cursor.filter(indexNumber: indexNumber, indexString: indexString, arguments)
  }

  override func next() throws { unsafe try cursor.next() }
  override var isAtEnd: Bool { unsafe cursor.isAtEndInPlace() }

  override func column(
    _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
  ) throws {
    unsafe try cursor.columnInPlace(column, result)
  }

  override func rowID() throws -> RowID { unsafe try cursor.rowIDInPlace() }
}

// For a method that does not mutate the cursor, the compiler copies a cursor that is stored in an
// object.
extension VirtualTable.Cursor {
  @inline(__always)
  fileprivate mutating func isAtEndInPlace() -> Bool { isAtEnd }

  @inline(__always)
  fileprivate mutating func columnInPlace(
    _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
  ) throws {
    try self.column(column, result)
  }

  @inline(__always)
  fileprivate mutating func rowIDInPlace() throws -> RowID { try rowID() }
}

extension VirtualTable.Table {
  /// Opens a cursor.
  fileprivate func openModuleCursor(omitsUnchangedValues: Bool, hooks: Hooks) throws -> ModuleCursor
  {
    TypedModuleCursor(try open(), omitsUnchangedValues: omitsUnchangedValues, hooks: hooks)
  }
}

extension UnsafeMutablePointer<sqlite3_module> {
  /// https://sqlite.org/vtab.html#eponymous_virtual_tables
  func addReadingCallbacks(kind: VirtualTable.ModuleKind) {
    unsafe pointee.xConnect = connectTable
    switch kind {
    case .eponymousOnly: unsafe pointee.xCreate = nil
    case .eponymous: unsafe pointee.xCreate = connectTable
    case .created: unsafe pointee.xCreate = createTable
    }
    unsafe pointee.xDisconnect = disconnectTable
    unsafe pointee.xDestroy = destroyTable
    unsafe pointee.xBestIndex = bestIndexCallback
    unsafe pointee.xOpen = openCursor
    unsafe pointee.xClose = closeCursor
    unsafe pointee.xFilter = filterCursor
    unsafe pointee.xNext = advanceCursor
    unsafe pointee.xEof = isCursorAtEnd
    unsafe pointee.xColumn = columnCallback
    unsafe pointee.xRowid = rowIDCallback
  }
}

private func connectTable(
  db: OpaquePointer?, data: UnsafeMutableRawPointer?, count: Int32,
  arguments: UnsafePointer<UnsafePointer<CChar>?>?,
  created: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  unsafe ModuleTable.connect(isNew: false, db, data, count, arguments, created, message)
}

private func createTable(
  db: OpaquePointer?, data: UnsafeMutableRawPointer?, count: Int32,
  arguments: UnsafePointer<UnsafePointer<CChar>?>?,
  created: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  unsafe ModuleTable.connect(isNew: true, db, data, count, arguments, created, message)
}

private func disconnectTable(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe ModuleTable.disconnect(table)
  return SQLITE_OK
}

/// SQLite keeps the table if destroying it fails.
private func destroyTable(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  let rc = unsafe ModuleTable.attempt(table) { state in
    try state.table.destroy()
    return SQLITE_OK
  }
  if rc == SQLITE_OK { unsafe ModuleTable.disconnect(table) }
  return rc
}

private func openCursor(
  table: UnsafeMutablePointer<sqlite3_vtab>?,
  opened: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
  unsafe ModuleTable.attempt(table) { state in
    unsafe opened?.pointee = unsafe try state.openCursor()
    return SQLITE_OK
  }
}

private func closeCursor(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  unsafe ModuleCursor.close(cursor)
  return SQLITE_OK
}

private func filterCursor(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, number: Int32, text: UnsafePointer<CChar>?,
  count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe ModuleTable.attempt(cursor) { state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.filter(
      indexNumber: number, indexString: unsafe text.map { unsafe String(cString: $0) }, arguments)
  }
}

private func advanceCursor(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  unsafe ModuleTable.attempt(cursor) { try $0.next() }
}

private func isCursorAtEnd(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  unsafe ModuleCursor.with(cursor) { $0.isAtEnd ? 1 : 0 } ?? 1
}

private func columnCallback(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, context: OpaquePointer?, column: Int32
) -> Int32 {
  guard let context = unsafe context else { return SQLITE_ERROR }
  let code = unsafe ModuleCursor.with(cursor) { state in
    // Without a result, the engine marks the value as unchanged.
    if state.omitsUnchangedValues, unsafe sqlite3_vtab_nochange(context) != 0 { return SQLITE_OK }
    do {
      unsafe try state.column(
        ColumnIndex(Int(column)), VirtualTable.ColumnResult(context: context))
    } catch {
      unsafe fail(error, to: context)
    }
    return SQLITE_OK
  }
  return code ?? SQLITE_ERROR
}

private func rowIDCallback(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, rowID: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
  unsafe ModuleTable.attempt(cursor) { state in
    unsafe rowID?.pointee = try state.rowID().rawValue
  }
}
