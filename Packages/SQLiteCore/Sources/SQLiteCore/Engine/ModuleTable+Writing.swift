internal import CSQLite

extension UnsafeMutablePointer<sqlite3_module> {
  func addWritingCallbacks() { unsafe pointee.xUpdate = changeRow }

  func addTransactionCallbacks() {
    // The version that has savepoints.
    unsafe pointee.iVersion = 2
    unsafe pointee.xBegin = beginChanges
    unsafe pointee.xSync = syncChanges
    unsafe pointee.xCommit = commitChanges
    unsafe pointee.xRollback = rollBackChanges
    unsafe pointee.xSavepoint = openSavepoint
    unsafe pointee.xRelease = releaseSavepoint
    unsafe pointee.xRollbackTo = rollBackToSavepoint
  }
}

/// https://sqlite.org/vtab.html#xupdate
private func changeRow(
  table: UnsafeMutablePointer<sqlite3_vtab>?, count: Int32,
  values: UnsafeMutablePointer<OpaquePointer?>?, inserted: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
  var isLenient = false
  // The conflict resolution applies to the plain code only.
  let engineCode: (any Error) -> Int32 = { error in
    let code = SQLiteCore.engineCode(of: error)
    return isLenient && code & 0xff == SQLITE_CONSTRAINT ? SQLITE_CONSTRAINT : code
  }
  return unsafe ModuleTable.attempt(table, engineCode: engineCode) { state in
    guard let writable = state.writable, count > 0 else { return SQLITE_READONLY }
    let all = unsafe EngineValues(count: count, start: values)
    if count == 1 {
      try writable.delete(try rowID(all[0]))
      return SQLITE_OK
    }
    let columns = FunctionArguments(values: all.dropFirst(2))
    let resolution = unsafe VirtualTable.ConflictResolution(of: state.db)
    isLenient = resolution == .fail || resolution == .rollback
    do {
      if all[0].isNull {
        let asked = all[1].isNull ? nil : try rowID(all[1])
        let rowID = try writable.insert(columns, rowID: asked, onConflict: resolution)
        unsafe inserted?.pointee = rowID.rawValue
      } else {
        try writable.update(
          try rowID(all[0]), to: try rowID(all[1]), columns, onConflict: resolution)
      }
    } catch let error as SQLiteError where resolution == .ignore {
      // The statement goes on: there is no error to report.
      guard error.code.primary == .constraint else { throw error }
      return SQLITE_CONSTRAINT
    }
    return SQLITE_OK
  }
}

/// The engine lets statements give any value for the rowid of a virtual table.
private func rowID(_ value: EngineValue) throws(SQLiteError) -> RowID {
  guard let integer = value.integer else {
    throw SQLiteError(
      code: .mismatch, message: "a rowid is an integer, not \(value.storageClass.rawValue)")
  }
  return RowID(rawValue: integer)
}

extension VirtualTable.ConflictResolution {
  /// https://sqlite.org/c3ref/c_fail.html
  fileprivate init(of db: OpaquePointer) {
    switch unsafe sqlite3_vtab_on_conflict(db) {
    case 1: self = .rollback
    case 2: self = .ignore
    case 3: self = .fail
    case 5: self = .replace
    default: self = .abort
    }
  }
}

private func beginChanges(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe inTransaction(table) { try $0.begin() }
}

private func syncChanges(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe inTransaction(table) { try $0.sync() }
}

private func commitChanges(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe inTransaction(table) { $0.commit() }
}

private func rollBackChanges(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
  unsafe inTransaction(table) { $0.rollback() }
}

private func openSavepoint(table: UnsafeMutablePointer<sqlite3_vtab>?, number: Int32) -> Int32 {
  unsafe inTransaction(table) { try $0.savepoint(Int(number)) }
}

private func releaseSavepoint(table: UnsafeMutablePointer<sqlite3_vtab>?, number: Int32) -> Int32 {
  unsafe inTransaction(table) { try $0.release(savepoint: Int(number)) }
}

private func rollBackToSavepoint(
  table: UnsafeMutablePointer<sqlite3_vtab>?, number: Int32
) -> Int32 {
  unsafe inTransaction(table) { try $0.rollback(toSavepoint: Int(number)) }
}

private func inTransaction(
  _ table: UnsafeMutablePointer<sqlite3_vtab>?,
  _ body: (any VirtualTable.TransactionalTable) throws -> Void
) -> Int32 {
  unsafe ModuleTable.attempt(table) { state in
    if let transactional = state.transactional { try body(transactional) }
    return SQLITE_OK
  }
}
