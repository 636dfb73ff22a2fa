extension Printer {
  mutating func write(_ insert: Insert) {
    write(insert.with)
    write(insert.isReplace ? "REPLACE " : "INSERT ")
    writeOr(insert.conflict)
    write("INTO ")
    write(insert.table)
    writeColumns(insert.columns)
    write(" ")
    switch insert.source {
    case .select(let select): write(select)
    case .defaultValues: write("DEFAULT VALUES")
    }
    for upsert in insert.upserts { write(upsert) }
    writeReturning(insert.returning)
  }

  private mutating func write(_ upsert: Upsert) {
    write(" ON CONFLICT ")
    if !upsert.target.isEmpty {
      write("(")
      write(upsert.target)
      write(")")
      writeCondition(upsert.targetWhere)
      write(" ")
    }
    switch upsert.action {
    case .nothing: write("DO NOTHING")
    case .update(let assignments, let condition):
      write("DO UPDATE SET ")
      write(assignments)
      writeCondition(condition)
    }
  }

  mutating func write(_ update: Update) {
    write(update.with)
    write("UPDATE ")
    writeOr(update.conflict)
    write(update.table)
    write(" SET ")
    write(update.assignments)
    if let from = update.from {
      write(" FROM ")
      write(from)
    }
    writeCondition(update.where)
    writeReturning(update.returning)
    writeOrder(update.orderBy, update.limit)
  }

  mutating func write(_ delete: Delete) {
    write(delete.with)
    write("DELETE FROM ")
    write(delete.table)
    writeCondition(delete.where)
    writeReturning(delete.returning)
    writeOrder(delete.orderBy, delete.limit)
  }

  private mutating func writeOr(_ conflict: ConflictResolution?) {
    if let conflict { write("OR \(conflict.rawValue) ") }
  }

  private mutating func writeReturning(_ columns: [ResultColumn]) {
    guard !columns.isEmpty else { return }
    write(" RETURNING ")
    write(columns)
  }

  private mutating func write(_ assignments: [Assignment]) {
    write(assignments) { printer, assignment in
      switch assignment.target {
      case .column(let column): printer.write(column)
      case .columns(let columns):
        printer.write("(")
        printer.write(columns)
        printer.write(")")
      }
      printer.write(" = ")
      printer.write(assignment.value)
    }
  }
}
