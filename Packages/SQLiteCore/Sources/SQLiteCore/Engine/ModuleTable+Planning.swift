internal import CSQLite

/// Passes a query to the table as a value, and the table's plan to the engine.
func planQuery(
  table: UnsafeMutablePointer<sqlite3_vtab>?, info: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
  guard let info = unsafe info else { return SQLITE_ERROR }
  // To the engine, the code of a constraint means that there is no plan.
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
    // The engine leaves a number there that has no meaning.
    let hasColumn = self.operator != .limit && self.operator != .offset && constraint.iColumn >= 0
    column = hasColumn ? ColumnIndex(Int(constraint.iColumn)) : nil
    isUsable = constraint.usable != 0
    let name = unsafe sqlite3_vtab_collation(info, Int32(position))
    collation = unsafe name.map { unsafe String(cString: $0) } ?? "BINARY"
    self.position = position
  }
}

extension VirtualTable.Plan {
  fileprivate func write(to info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
    for (place, argument) in arguments.enumerated() {
      let position = argument.constraint.position
      unsafe info.pointee.aConstraintUsage[position].argvIndex = Int32(place) + 1
      unsafe info.pointee.aConstraintUsage[position].omit = argument.isOmitted ? 1 : 0
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
