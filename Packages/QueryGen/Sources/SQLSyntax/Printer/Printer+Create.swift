extension Printer {
  mutating func write(_ table: CreateTable) {
    writeCreate("TABLE", isTemporary: table.isTemporary, ifNotExists: table.ifNotExists)
    write(table.name)
    switch table.body {
    case .definition(let definition):
      write(" ")
      write(definition)
    case .select(let select):
      write(" AS ")
      write(select)
    }
  }

  mutating func write(_ index: CreateIndex) {
    writeCreate(
      index.isUnique ? "UNIQUE INDEX" : "INDEX", isTemporary: false,
      ifNotExists: index.ifNotExists)
    write(index.name)
    write(" ON ")
    write(index.table)
    write(" (")
    write(index.columns)
    write(")")
    writeCondition(index.where)
  }

  mutating func write(_ view: CreateView) {
    writeCreate("VIEW", isTemporary: view.isTemporary, ifNotExists: view.ifNotExists)
    write(view.name)
    writeColumns(view.columns)
    write(" AS ")
    write(view.select)
  }

  mutating func write(_ table: CreateVirtualTable) {
    writeCreate("VIRTUAL TABLE", isTemporary: false, ifNotExists: table.ifNotExists)
    write(table.name)
    write(" USING ")
    write(table.module)
    guard let arguments = table.arguments else { return }
    write("(")
    // A line end before what follows ends a comment that an argument may end with.
    write(arguments) { $0.write($1.text.contains("--") ? $1.text + "\n" : $1.text) }
    write(")")
  }

  mutating func write(_ trigger: CreateTrigger) {
    writeCreate("TRIGGER", isTemporary: trigger.isTemporary, ifNotExists: trigger.ifNotExists)
    write(trigger.name)
    write(" ")
    if let timing = trigger.timing { write(timing.rawValue + " ") }
    switch trigger.event {
    case .delete: write("DELETE")
    case .insert: write("INSERT")
    case .update(let columns):
      write(columns.isEmpty ? "UPDATE" : "UPDATE OF ")
      write(columns)
    }
    write(" ON ")
    write(trigger.table)
    if trigger.isForEachRow { write(" FOR EACH ROW") }
    if let condition = trigger.when {
      write(" WHEN ")
      write(condition)
    }
    write(" BEGIN ")
    for statement in trigger.body {
      write(statement)
      write("; ")
    }
    write("END")
  }

  private mutating func writeCreate(_ object: String, isTemporary: Bool, ifNotExists: Bool) {
    write("CREATE ")
    write("TEMP", if: isTemporary)
    write(object + " ")
    write("IF NOT EXISTS", if: ifNotExists)
  }
}
