extension Printer {
  mutating func write(_ definition: TableDefinition) {
    write("(")
    write(definition.columns) { $0.write($1) }
    for constraint in definition.constraints {
      write(", ")
      write(constraint)
    }
    write(")")
    if definition.isStrict { write(" STRICT") }
    if definition.isWithoutRowID {
      write(definition.isStrict ? ", WITHOUT ROWID" : " WITHOUT ROWID")
    }
  }

  mutating func write(_ column: ColumnDefinition) {
    write(column.name)
    if let type = column.type {
      write(" ")
      write(type)
    }
    for constraint in column.constraints {
      write(" ")
      writeConstraintName(constraint.name)
      write(constraint.kind)
    }
  }

  /// Writes `CONSTRAINT name ` with a trailing space, if present.
  private mutating func writeConstraintName(_ name: Identifier?) {
    guard let name else { return }
    write("CONSTRAINT ")
    write(name)
    write(" ")
  }

  private mutating func write(_ kind: ColumnConstraint.Kind) {
    switch kind {
    case .primaryKey(let direction, let conflict, let isAutoincrement):
      write("PRIMARY KEY")
      if let direction { write(" " + direction.rawValue) }
      writeOnConflict(conflict)
      if isAutoincrement { write(" AUTOINCREMENT") }
    case .notNull(let conflict):
      write("NOT NULL")
      writeOnConflict(conflict)
    case .null(let conflict):
      write("NULL")
      writeOnConflict(conflict)
    case .unique(let conflict):
      write("UNIQUE")
      writeOnConflict(conflict)
    case .check(let condition):
      write("CHECK (")
      write(condition)
      write(")")
    case .default(let value):
      write("DEFAULT ")
      write(value)
    case .collate(let collation):
      write("COLLATE ")
      write(collation)
    case .references(let reference):
      write(reference)
    case .deferral(let deferral):
      write(deferral)
    case .generated(let expression, let storage):
      write("GENERATED ALWAYS AS (")
      write(expression)
      write(")")
      if let storage { write(" " + storage.rawValue) }
    case .nameOnly:
      text.removeLast()
    }
  }

  private mutating func write(_ value: DefaultValue) {
    switch value {
    case .literal(let literal): write(literal)
    case .identifier(let name): write(name)
    case .expression(let expression):
      write("(")
      write(expression)
      write(")")
    }
  }

  mutating func write(_ constraint: TableConstraint) {
    writeConstraintName(constraint.name)
    switch constraint.kind {
    case .primaryKey(let columns, let isAutoincrement, let conflict):
      write("PRIMARY KEY (")
      write(columns)
      write(isAutoincrement ? " AUTOINCREMENT)" : ")")
      writeOnConflict(conflict)
    case .unique(let columns, let conflict):
      write("UNIQUE (")
      write(columns)
      write(")")
      writeOnConflict(conflict)
    case .check(let condition, let conflict):
      write("CHECK (")
      write(condition)
      write(")")
      writeOnConflict(conflict)
    case .foreignKey(let columns, let reference):
      write("FOREIGN KEY")
      writeColumns(columns)
      write(" ")
      write(reference)
    case .nameOnly:
      text.removeLast()
    }
  }

  private mutating func writeOnConflict(_ conflict: ConflictResolution?) {
    if let conflict { write(" ON CONFLICT " + conflict.rawValue) }
  }

  private mutating func write(_ reference: ForeignKeyReference) {
    write("REFERENCES ")
    write(reference.table)
    writeColumns(reference.columns)
    for action in reference.actions {
      write(" ON \(action.event.rawValue) \(action.effect.rawValue)")
    }
    if let match = reference.match {
      write(" MATCH ")
      write(match)
    }
    guard let deferral = reference.deferral else { return }
    write(" ")
    write(deferral)
  }

  private mutating func write(_ deferral: Deferral) {
    write("NOT", if: deferral.isNegated)
    write("DEFERRABLE")
    if let initially = deferral.initially { write(" INITIALLY " + initially.rawValue) }
  }
}
