extension Printer {
  mutating func write(_ statement: Statement) {
    switch statement {
    case .select(let node): write(node)
    case .insert(let node): write(node)
    case .update(let node): write(node)
    case .delete(let node): write(node)
    case .createTable(let node): write(node)
    case .createIndex(let node): write(node)
    case .createView(let node): write(node)
    case .createTrigger(let node): write(node)
    case .createVirtualTable(let node): write(node)
    case .alterTable(let node): write(node)
    case .drop(let node):
      write("DROP \(node.object.rawValue) ")
      write("IF EXISTS", if: node.ifExists)
      write(node.name)
    case .pragma(let node): write(node)
    case .attach(let node): write(node)
    case .detach(let node):
      write("DETACH DATABASE ")
      write(node.schema)
    case .analyze(let node): write("ANALYZE", node.name)
    case .reindex(let node): write("REINDEX", node.name)
    case .vacuum(let node): write(node)
    case .begin(let node):
      write("BEGIN")
      if let mode = node.mode { write(" " + mode.rawValue) }
      writeTransaction(node.name)
    case .commit(let node):
      write("COMMIT")
      writeTransaction(node.name)
    case .rollback(let node): write(node)
    case .savepoint(let node):
      write("SAVEPOINT ")
      write(node.name)
    case .release(let node):
      write("RELEASE SAVEPOINT ")
      write(node.name)
    case .explain(let node):
      write(node.isQueryPlan ? "EXPLAIN QUERY PLAN " : "EXPLAIN ")
      write(node.statement)
    }
  }

  private mutating func write(_ word: String, _ name: QualifiedName?) {
    write(word)
    guard let name else { return }
    write(" ")
    write(name)
  }

  private mutating func writeTransaction(_ name: Identifier?) {
    guard let name else { return }
    write(" TRANSACTION ")
    write(name)
  }

  private mutating func write(_ rollback: Rollback) {
    write("ROLLBACK")
    writeTransaction(rollback.name)
    guard let savepoint = rollback.savepoint else { return }
    write(" TO SAVEPOINT ")
    write(savepoint)
  }

  private mutating func write(_ vacuum: Vacuum) {
    write("VACUUM")
    if let schema = vacuum.schema {
      write(" ")
      write(schema)
    }
    guard let file = vacuum.into else { return }
    write(" INTO ")
    write(file)
  }

  private mutating func write(_ attach: Attach) {
    write("ATTACH DATABASE ")
    write(attach.file)
    write(" AS ")
    write(attach.schema)
    guard let key = attach.key else { return }
    write(" KEY ")
    write(key)
  }

  private mutating func write(_ pragma: Pragma) {
    write("PRAGMA ")
    write(pragma.name)
    guard let value = pragma.value else { return }
    write(pragma.isCall ? "(" : " = ")
    switch value {
    case .number(let number): write(number)
    case .name(let name): write(name)
    }
    if pragma.isCall { write(")") }
  }

  private mutating func write(_ alter: AlterTable) {
    write("ALTER TABLE ")
    write(alter.table)
    switch alter.action {
    case .rename(let name):
      write(" RENAME TO ")
      write(name)
    case .renameColumn(let column, let name):
      write(" RENAME COLUMN ")
      write(column)
      write(" TO ")
      write(name)
    case .addColumn(let column):
      write(" ADD COLUMN ")
      write(column)
    case .dropColumn(let column):
      write(" DROP COLUMN ")
      write(column)
    case .addConstraint(let constraint):
      write(" ADD ")
      write(constraint)
    case .dropConstraint(let name):
      write(" DROP CONSTRAINT ")
      write(name)
    case .setNotNull(let column, let conflict):
      write(" ALTER COLUMN ")
      write(column)
      write(" SET NOT NULL")
      if let conflict { write(" ON CONFLICT \(conflict.rawValue)") }
    case .dropNotNull(let column):
      write(" ALTER COLUMN ")
      write(column)
      write(" DROP NOT NULL")
    }
  }
}
