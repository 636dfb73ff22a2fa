import SQLiteCore

/// The statements of one transaction.
///
/// Writes that will be rolled back use poison values, which no observer may ever receive.
struct ModelSession {
  /// The engine has rolled back by itself: later statements would not be part of the transaction.
  struct Ended: Error {}
  /// Thrown to roll back the transaction.
  struct Undo: Error {}

  let connection: Connection
  let ledger: ModelLedger
  var random: ModelRandom
  /// Indicates whether statements run in a transaction.
  var isInTransaction = true
  /// Indicates whether the whole transaction will be rolled back.
  var isPoisoned = false
  private var known: ModelSchema?

  init(_ connection: Connection, _ ledger: ModelLedger, _ random: ModelRandom) {
    self.connection = connection
    self.ledger = ledger
    self.random = random
  }

  private mutating func schema() throws -> ModelSchema {
    if let known { return known }
    let schema = try ModelSchema(connection)
    known = schema
    return schema
  }

  /// Runs a statement, which may fail.
  @discardableResult mutating func perform(_ sql: String) throws -> Bool {
    var line = isPoisoned ? "(undone) \(sql)" : sql
    defer { ledger.trace(line) }
    do throws(SQLiteError) {
      try connection.execute(SQL(unsafe: sql))
    } catch {
      line += " -- \(error.message)"
      if [.corrupt, .notADatabase, .misuse].contains(error.code.primary) {
        ledger.report("\(sql): \(error)")
      }
      if isInTransaction, !connection.isInTransaction { throw Ended() }
      return false
    }
    if isInTransaction, !connection.isInTransaction { throw Ended() }
    return true
  }

  mutating func statements(_ count: Int, depth: Int = 0) throws {
    for _ in 0..<count { try statement(depth) }
  }

  private mutating func statement(_ depth: Int) throws {
    switch random.below(40) {
    case 0..<4 where isInTransaction && depth < 3: try savepoint(depth)
    case 4, 5: try text()
    case 6: try blob()
    case 7: try perform("UPDATE selector SET n = \(random.below(4))")
    case 8:
      guard let view = random.pick(try schema().views) else { return }
      try perform(
        random.word(
          "INSERT INTO \(view.quoted) VALUES (\(value()), \(value()))",
          "UPDATE \(view.quoted) SET x = \(value())"))
    case 9 where random.once(in: 2): try changeSchema()
    case 10 where random.once(in: 6): try bulk()
    default:
      guard let table = random.pick(try schema().tables) else { return }
      try write(table)
    }
  }

  // MARK: Rows

  private mutating func value() -> SQLiteValue {
    (random.pick(isPoisoned ? ModelValues.poison : ModelValues.common)) ?? .null
  }

  private mutating func condition(_ table: TableSchema) -> String {
    guard let column = random.pick(table.columns)?.name else { return "1" }
    let asked = random.pick(ModelValues.common) ?? .null
    switch random.below(6) {
    case 0: return "\(column) IS NULL"
    case 1: return "\(column) > \(asked)"
    case 2 where !table.isWithoutRowID: return "rowid = \(random.below(9))"
    case 3 where !table.isWithoutRowID: return "rowid % 3 = \(random.below(3))"
    default: return "\(column) = \(asked)"
    }
  }

  private mutating func write(_ table: TableSchema) throws {
    let columns = random.some(of: table.writable)
    guard let first = columns.first else { return }
    let conflict =
      random.once(in: 3)
      ? random.word("OR REPLACE", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK") : ""
    switch random.below(16) {
    case 0..<6:
      let rows = (0...random.below(3)).map { _ in
        "(\(columns.map { _ in "\(value())" }.joined(separator: ", ")))"
      }
      let key = table.primaryKey.map(\.name).joined(separator: ", ")
      let upsert =
        conflict.isEmpty && !key.isEmpty && random.once(in: 3)
        ? "ON CONFLICT (\(key)) DO "
          + random.word("NOTHING", "UPDATE SET \(first) = excluded.\(first)") : ""
      try perform(
        """
        INSERT \(conflict) INTO \(table.quoted) (\(columns.joined(separator: ", "))) \
        VALUES \(rows.joined(separator: ", ")) \(upsert)
        """)
    case 6..<11:
      let set = columns.map { column in
        let new = random.once(in: 6) ? column : "\(value())"
        return "\(column) = \(new)"
      }
      try perform(
        """
        UPDATE \(conflict) \(table.quoted) SET \(set.joined(separator: ", ")) \
        WHERE \(condition(table))
        """)
    case 11 where !table.isWithoutRowID:
      let (old, new) = (random.below(9), random.below(9))
      try perform("UPDATE \(conflict) \(table.quoted) SET rowid = \(new) WHERE rowid = \(old)")
    case 12:
      try perform("DELETE FROM \(table.quoted)")
    default:
      try perform("DELETE FROM \(table.quoted) WHERE \(condition(table))")
    }
  }

  /// Changes more rows than the engine records individually.
  private mutating func bulk() throws {
    guard let table = random.pick(try schema().tables.filter { !$0.isWithoutRowID }),
      let column = random.pick(table.writable)
    else { return }
    if random.once(in: 2) {
      try perform("UPDATE \(table.quoted) SET \(column) = zeroblob(300000)")
      try perform("UPDATE \(table.quoted) SET \(column) = \(value())")
    } else {
      try perform(
        """
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1150)
        INSERT OR IGNORE INTO \(table.quoted) (\(column)) SELECT \(random.once(in: 2) ? "i" : "\(value())") FROM n
        """)
      try perform("DELETE FROM \(table.quoted) WHERE rowid > \(20 + random.below(20))")
    }
  }

  private mutating func blob() throws {
    guard let table = random.pick(try schema().tables.filter { !$0.isWithoutRowID }),
      let column = random.pick(table.writable)
    else { return }
    let row = RowID(rawValue: Int64(random.below(9)))
    let bytes = isPoisoned ? Array("poison".utf8) : [UInt8(97 + random.below(3))]
    do {
      try connection.withBlob(in: table.name, column: column, row: row, mode: .readWrite) { blob in
        try blob.write(bytes, at: 0)
      }
      ledger.trace("write blob: \(table.name).\(column), row \(row.rawValue): \(bytes)")
    } catch is SQLiteError {
      // The row or its blob does not exist, or the column is indexed.
    }
    if isInTransaction, !connection.isInTransaction { throw Ended() }
  }

  private mutating func text() throws {
    let body = isPoisoned ? "poison" : "\(random.word("alpha", "beta", "gamma")) \(random.below(9))"
    switch random.below(12) {
    case 0: try perform("DELETE FROM ft WHERE rowid % 3 = 0")
    case 1: try perform("UPDATE ft SET body = '\(body)' WHERE tag = 'b'")
    case 2: try perform("INSERT INTO ft (ft) VALUES ('\(random.word("optimize", "rebuild"))')")
    case 3: try perform("DELETE FROM ft")
    case 4: try perform("INSERT OR REPLACE INTO ft (rowid, body) VALUES (3, '\(body)')")
    default:
      try perform("INSERT INTO ft VALUES ('\(body)', '\(random.word("a", "b"))')")
    }
  }

  // MARK: Schema and savepoints

  private mutating func changeSchema() throws {
    guard let sql = ModelDefinitions.change(try schema(), &random), !sql.isEmpty else { return }
    if try perform(sql) { known = nil }
  }

  private mutating func savepoint(_ depth: Int) throws {
    let isUndone = random.once(in: 2)
    let wasPoisoned = isPoisoned
    let count = 1 + random.below(4)
    isPoisoned = isPoisoned || isUndone
    if random.once(in: 2) {
      // A savepoint of the package, which `Undo` rolls back.
      var inner = self
      do {
        try connection.savepoint {
          inner.ledger.trace("savepoint {")
          try inner.statements(count, depth: depth + 1)
          if isUndone { throw Undo() }
        }
      } catch is Undo {}
      ledger.trace(isUndone ? "} undone" : "}")
      random = inner.random
    } else {
      // Savepoint names are case-insensitive, and may be duplicated: the innermost applies. A
      // savepoint that remains open ends with the enclosing one.
      let isLeftOpen = random.once(in: 6)
      let name =
        isLeftOpen ? "open\(random.below(1 << 30))" : random.word("s", "S", "\"s p\"", "s\(depth)")
      try perform("SAVEPOINT \(name)")
      try statements(count, depth: depth + 1)
      if isUndone {
        try perform("ROLLBACK TO \(name.uppercased())")
        known = nil
        isPoisoned = wasPoisoned
        if random.once(in: 3) { try statements(1, depth: depth + 1) }
      }
      if !isLeftOpen { try perform("RELEASE \(name)") }
    }
    isPoisoned = wasPoisoned
    known = nil
  }
}
