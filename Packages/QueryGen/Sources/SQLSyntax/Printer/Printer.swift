/// A printer that writes syntax trees as SQL, on one line and in a canonical form.
///
/// The output parses to a tree equal to the original. The tree doesn't contain comments; to keep
/// them, use the source text of a node's span.
///
/// ```swift
/// Printer.text(of: statement)  // SELECT a FROM t WHERE b = 1
/// ```
public struct Printer {
  var text = ""

  /// Returns a statement's SQL, without a trailing `;`.
  public static func text(of statement: Statement) -> String {
    var printer = Printer()
    printer.write(statement)
    return printer.text
  }

  /// Returns a select's SQL.
  public static func text(of select: Select) -> String {
    var printer = Printer()
    printer.write(select)
    return printer.text
  }

  /// Returns an expression's SQL.
  public static func text(of expression: Expression) -> String {
    var printer = Printer()
    printer.write(expression)
    return printer.text
  }

  /// Returns a name's SQL, with its original quoting.
  public static func text(of identifier: Identifier) -> String {
    var printer = Printer()
    printer.write(identifier)
    return printer.text
  }

  mutating func write(_ piece: String) { text += piece }

  /// Writes a word and a trailing space if a condition holds.
  mutating func write(_ word: String, if condition: Bool) {
    if condition { text += word + " " }
  }

  /// Writes elements, separated by `separator`.
  mutating func write<Element>(
    _ elements: [Element], separator: String = ", ",
    _ writeElement: (inout Printer, Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { text += separator }
      isFirst = false
      writeElement(&self, element)
    }
  }

  mutating func write(_ expressions: [Expression]) {
    write(expressions) { $0.write($1) }
  }

  mutating func write(_ names: [Identifier]) {
    write(names) { $0.write($1) }
  }

  mutating func write(_ name: Identifier) {
    switch name.quoting {
    case .bare: text += name.text
    case .double: writeQuoted(name.text, "\"")
    case .backtick: writeQuoted(name.text, "`")
    case .bracket: text += "[\(name.text)]"
    case .single: writeQuoted(name.text, "'")
    }
  }

  /// Writes a text in quotes, doubling the quotes inside it.
  mutating func writeQuoted(_ content: String, _ quote: Character) {
    text.append(quote)
    for character in content.unicodeScalars {
      text.unicodeScalars.append(character)
      if Character(character) == quote { text.append(quote) }
    }
    text.append(quote)
  }

  mutating func write(_ name: QualifiedName) {
    if let schema = name.schema {
      write(schema)
      text += "."
    }
    write(name.name)
  }

  mutating func write(_ type: TypeName) {
    write(type.words, separator: " ") { $0.write($1) }
    if !type.arguments.isEmpty { text += "(\(type.arguments.joined(separator: ", ")))" }
  }

  mutating func writeAlias(_ alias: Identifier?) {
    guard let alias else { return }
    text += " AS "
    write(alias)
  }

  /// Writes ` (a, b)`, if any columns are given.
  mutating func writeColumns(_ columns: [Identifier]) {
    guard !columns.isEmpty else { return }
    text += " ("
    write(columns)
    text += ")"
  }
}

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
    case .rows(let rows):
      write(rows.isList ? "VALUES " : "VALUES (")
      write(.parameter(rows.parameter))
      if !rows.isList { write(".*)") }
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
    // A line break ends the comment that the argument may end with.
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
