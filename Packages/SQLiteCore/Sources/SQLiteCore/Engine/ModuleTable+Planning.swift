internal import CSQLite

/// Passes the query's constraints to the table, and returns the table's plan to SQLite.
func bestIndexCallback(
  table: UnsafeMutablePointer<sqlite3_vtab>?, info: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
  guard let info = unsafe info else { return SQLITE_ERROR }
  // SQLite would interpret `SQLITE_CONSTRAINT` as a missing plan.
  let engineCode: (any Error) -> Int32 = { error in
    let code = SQLiteCore.engineCode(of: error)
    return code & 0xff == SQLITE_CONSTRAINT ? SQLITE_ERROR : code
  }
  return unsafe ModuleTable.attempt(table, engineCode: engineCode) { state in
    let query = unsafe VirtualTable.IndexInfo(info)
    guard let plan = try state.table.bestIndex(query) else { return SQLITE_CONSTRAINT }
    try plan.check(against: query)
    return unsafe plan.write(to: info)
  }
}

extension VirtualTable.IndexInfo {
  fileprivate init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
    constraints = unsafe (0..<Int(info.pointee.nConstraint)).map { position in
      unsafe VirtualTable.Constraint(info, position)
    }
    orderBy = unsafe (0..<Int(info.pointee.nOrderBy)).map { position in
      let term = unsafe info.pointee.aOrderBy[position]
      return VirtualTable.OrderingTerm(
        column: term.iColumn < 0 ? nil : ColumnIndex(Int(term.iColumn)),
        isDescending: term.desc != 0)
    }
    // https://sqlite.org/c3ref/vtab_distinct.html
    let distinct = unsafe holt_vtab_distinct(info)
    needsOnlyGrouping = distinct == 1 || distinct == 2
    allowsOmittingDuplicates = distinct == 2 || distinct == 3
    columnMask = unsafe info.pointee.colUsed
  }
}

extension VirtualTable.Constraint {
  fileprivate init(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ position: Int) {
    let constraint = unsafe info.pointee.aConstraint[position]
    self.operator = VirtualTable.Operator(rawValue: constraint.op)
    // The column number has no meaning for these operators.
    let hasColumn = self.operator != .limit && self.operator != .offset && constraint.iColumn >= 0
    column = hasColumn ? ColumnIndex(Int(constraint.iColumn)) : nil
    isUsable = constraint.usable != 0
    let name = unsafe sqlite3_vtab_collation(info, Int32(position))
    collation = unsafe name.map { unsafe String(cString: $0) } ?? "BINARY"
    isList = unsafe holt_vtab_in(info, Int32(position), -1) != 0
    value = unsafe holt_vtab_rhs_value(info, Int32(position)).map { unsafe EngineValue($0).copy }
    self.position = position
  }
}

extension VirtualTable.Plan {
  fileprivate func write(to info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
    for (index, argument) in arguments.enumerated() {
      let position = argument.constraint.position
      unsafe info.pointee.aConstraintUsage[position].argvIndex = Int32(index) + 1
      unsafe info.pointee.aConstraintUsage[position].omit = argument.isOmitted ? 1 : 0
      if argument.isList { unsafe _ = holt_vtab_in(info, Int32(position), 1) }
    }
    unsafe info.pointee.idxNum = indexNumber
    if let indexString {
      guard let text = unsafe holt_copy_text(indexString) else { return SQLITE_NOMEM }
      unsafe info.pointee.idxStr = unsafe text
      unsafe info.pointee.needToFreeIdxStr = 1
    }
    if let estimatedCost { unsafe info.pointee.estimatedCost = estimatedCost }
    if let estimatedRows { unsafe info.pointee.estimatedRows = estimatedRows }
    unsafe info.pointee.orderByConsumed = consumesOrder ? 1 : 0
    if isUnique { unsafe info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE }
    return SQLITE_OK
  }
}

extension UnsafeMutablePointer<sqlite3_module> {
  func addWritingCallbacks() { unsafe pointee.xUpdate = changeRow }

  func addTransactionCallbacks() {
    // Version 2 adds savepoints.
    unsafe pointee.iVersion = max(pointee.iVersion, 2)
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
  // SQLite applies the conflict resolution to the primary code only.
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
        let requested = all[1].isNull ? nil : try rowID(all[1])
        let rowID = try writable.insert(columns, rowID: requested, onConflict: resolution)
        unsafe inserted?.pointee = rowID.rawValue
      } else {
        try writable.update(
          try rowID(all[0]), to: try rowID(all[1]), columns, onConflict: resolution)
      }
    } catch let error as SQLiteError where resolution == .ignore {
      // The statement continues: there is no error to report.
      guard error.code.primary == .constraint else { throw error }
      return SQLITE_CONSTRAINT
    }
    return SQLITE_OK
  }
}

/// SQLite lets statements use any value as the rowid of a virtual table.
private func rowID(_ value: EngineValue) throws(SQLiteError) -> RowID {
  guard let integer = value.integer else {
    throw SQLiteError(
      code: .mismatch, message: "a rowid must be an INTEGER, not \(value.storageClass.rawValue)")
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
