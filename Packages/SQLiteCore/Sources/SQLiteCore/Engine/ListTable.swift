internal import CSQLite

/// A list that is bound to a parameter. SQLite stores its address and releases it.
final class ValueList {
  let values: ListValues
  let count: Int

  init(_ values: ListValues) {
    self.values = values
    count = values.count
  }

  /// - Parameter position: A valid index, counting from 0.
  func setResult(_ position: Int, to context: OpaquePointer) {
    switch values {
    case .integers(let values): unsafe sqlite3_result_int64(context, values[position])
    case .reals(let values): unsafe sqlite3_result_double(context, values[position])
    case .texts(let values): unsafe SQLiteCore.setResult(.text(values[position]), to: context)
    case .blobs(let values): unsafe SQLiteCore.setResult(.blob(values[position]), to: context)
    case .mixed(let values): unsafe SQLiteCore.setResult(values[position], to: context)
    }
  }
}

extension ConnectionHandle {
  static let listTableName = "array_each"

  /// Registers the table-valued function `array_each`, which returns the values of a list that is
  /// bound as a pointer: https://www.sqlite.org/bindptr.html
  func registerListTable() throws(SQLiteError) {
    // The hooks live as long as this handle, which is retained by every statement that can connect
    // the table.
    let context = unsafe Unmanaged.passUnretained(hooks).toOpaque()
    let rc = unsafe sqlite3_create_module_v2(
      try pointer(), Self.listTableName, listModule, context, nil)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }
}

extension StatementCursor {
  /// Binds a list. SQLite retains it until the binding ends.
  func bind(_ list: ValueList, at index: Int32) -> Int32 {
    let address = unsafe Unmanaged.passRetained(list).toOpaque()
    // SQLite also releases the list if binding fails.
    return unsafe holt_bind_list(
      pointer, index, address,
      { unsafe $0.map { unsafe Unmanaged<ValueList>.fromOpaque($0).release() } })
  }
}

/// The table's declaration, which determines the indexes of its columns.
private let listDeclaration = "CREATE TABLE array_each (value, list HIDDEN)"
private let valueColumn: Int32 = 0
private let listColumn: Int32 = 1

/// The module's functions. The table is eponymous-only and read-only: there is no `xCreate` and no
/// `xUpdate`.
nonisolated(unsafe) private let listModule: UnsafeMutablePointer<sqlite3_module> = {
  let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  unsafe module.initialize(to: sqlite3_module())
  unsafe module.pointee.xConnect = connectList
  unsafe module.pointee.xDisconnect = disconnectList
  unsafe module.pointee.xBestIndex = listBestIndex
  unsafe module.pointee.xOpen = openList
  unsafe module.pointee.xClose = closeList
  unsafe module.pointee.xFilter = filterList
  unsafe module.pointee.xNext = advanceList
  unsafe module.pointee.xEof = isListAtEnd
  unsafe module.pointee.xColumn = listColumnCallback
  unsafe module.pointee.xRowid = listRowIDCallback
  return unsafe module
}()

private typealias Table = UnsafeMutablePointer<sqlite3_vtab>
private typealias Cursor = UnsafeMutablePointer<sqlite3_vtab_cursor>

private func connectList(
  db: OpaquePointer?, data: UnsafeMutableRawPointer?, count: Int32,
  arguments: UnsafePointer<UnsafePointer<CChar>?>?,
  table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  guard let data = unsafe data else { return SQLITE_ERROR }
  let hooks = unsafe Unmanaged<Hooks>.fromOpaque(data).takeUnretainedValue()
  // Declaring the table calls the authorizer as for `CREATE TABLE`, while a statement is compiled.
  var rc = hooks.bypassingAuthorizer { unsafe sqlite3_declare_vtab(db, listDeclaration) }
  // A schema can't contain a list, and must not access one.
  if rc == SQLITE_OK { rc = unsafe holt_vtab_direct_only(db) }
  guard rc == SQLITE_OK else { return rc }
  let created = Table.allocate(capacity: 1)
  unsafe created.initialize(to: sqlite3_vtab())
  unsafe table?.pointee = unsafe created
  return SQLITE_OK
}

private func disconnectList(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe table?.deallocate()
  return SQLITE_OK
}

/// The list must be available before the first row. Its length is unknown while the query is
/// planned.
private func listBestIndex(
  table: UnsafeMutablePointer<sqlite3_vtab>?, info: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
  guard let info = unsafe info else { return SQLITE_ERROR }
  var isGiven = false
  for index in 0..<Int(unsafe info.pointee.nConstraint) {
    let constraint = unsafe info.pointee.aConstraint[index]
    guard constraint.iColumn == listColumn, constraint.op == SQLITE_INDEX_CONSTRAINT_EQ else {
      continue
    }
    isGiven = true
    guard constraint.usable != 0 else { continue }
    unsafe info.pointee.aConstraintUsage[index].argvIndex = 1
    unsafe info.pointee.aConstraintUsage[index].omit = 1
    unsafe info.pointee.estimatedCost = 1
    unsafe info.pointee.estimatedRows = 100
    let isByRowID = unsafe info.pointee.nOrderBy == 1 && info.pointee.aOrderBy[0].iColumn < 0
    if isByRowID, unsafe info.pointee.aOrderBy[0].desc == 0 {
      unsafe info.pointee.orderByConsumed = 1
    }
    return SQLITE_OK
  }
  if isGiven { return SQLITE_CONSTRAINT }
  unsafe holt_set_vtab_message(table, "array_each needs a list as its argument: array_each(?)")
  return SQLITE_ERROR
}

private func openList(
  table: UnsafeMutablePointer<sqlite3_vtab>?,
  opened: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
  let cursor = UnsafeMutablePointer<holt_list_cursor>.allocate(capacity: 1)
  unsafe cursor.initialize(to: holt_list_cursor())
  unsafe opened?.pointee = UnsafeMutableRawPointer(cursor)
    .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
  return SQLITE_OK
}

private func closeList(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  guard let state = unsafe state(cursor) else { return SQLITE_OK }
  unsafe release(state)
  unsafe state.deallocate()
  return SQLITE_OK
}

/// The cursor also retains the list, so that it can't be released while a row is read.
private func filterList(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, plan: Int32, name: UnsafePointer<CChar>?,
  count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let state = unsafe state(cursor) else { return SQLITE_ERROR }
  unsafe release(state)
  guard count > 0, let argument = unsafe arguments?[0],
    let address = unsafe holt_value_list(argument)
  else {
    unsafe holt_set_vtab_message(
      cursor?.pointee.pVtab, "the argument of array_each is not a list")
    return SQLITE_ERROR
  }
  let list = unsafe Unmanaged<ValueList>.fromOpaque(address)
  unsafe state.pointee.list = unsafe list.retain().toOpaque()
  unsafe state.pointee.count = Int64(unsafe list.takeUnretainedValue().count)
  return SQLITE_OK
}

private func advanceList(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  unsafe state(cursor)?.pointee.position += 1
  return SQLITE_OK
}

private func isListAtEnd(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  guard let state = unsafe state(cursor) else { return 1 }
  return unsafe state.pointee.position < state.pointee.count ? 0 : 1
}

private func listColumnCallback(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, context: OpaquePointer?, column: Int32
) -> Int32 {
  guard let state = unsafe state(cursor), let context = unsafe context else { return SQLITE_ERROR }
  // The hidden column with the list always reads as NULL.
  guard column == valueColumn, let address = unsafe state.pointee.list else {
    unsafe sqlite3_result_null(context)
    return SQLITE_OK
  }
  let position = Int(unsafe state.pointee.position)
  unsafe Unmanaged<ValueList>.fromOpaque(address)._withUnsafeGuaranteedRef { list in
    unsafe list.setResult(position, to: context)
  }
  return SQLITE_OK
}

private func listRowIDCallback(
  cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, rowID: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
  guard let state = unsafe state(cursor) else { return SQLITE_ERROR }
  unsafe rowID?.pointee = unsafe state.pointee.position + 1
  return SQLITE_OK
}

/// SQLite's cursor is the first member of the structure.
private func state(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<holt_list_cursor>? {
  unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: holt_list_cursor.self)
}

/// Releases a cursor's list, and resets its position.
private func release(_ state: UnsafeMutablePointer<holt_list_cursor>) {
  if let address = unsafe state.pointee.list {
    unsafe Unmanaged<ValueList>.fromOpaque(address).release()
  }
  unsafe state.pointee.list = nil
  unsafe state.pointee.count = 0
  unsafe state.pointee.position = 0
}
