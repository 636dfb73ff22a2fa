/// Generates random schema definitions and changes. They use only a few names, so that they conflict with and
/// depend on each other.
struct RandomSchemaGenerator {
  var random: RandomSource

  private static let names = [
    "t1", "t2", "t3", "v1", "v2", "x", "\"a b\"", "T1", "main.t1", "temp.t4", "t4",
  ]
  private static let used = ["t1", "t2", "t3", "t4", "t1", "t2", "v1"]
  private static let columns = ["a", "b", "c", "d", "A", "\"b c\"", "rowid", "id", "e"]
  private static let types = [
    "", "INTEGER", "TEXT", "REAL", "BLOB", "INT", "NUMERIC", "VARCHAR(10)", "ANY", "BOOLEAN",
  ]

  private mutating func name() -> String { random.pick(Self.names) }
  private mutating func table() -> String { random.pick(Self.used) }
  private mutating func column() -> String { random.pick(Self.columns) }
  private mutating func target() -> String {
    random.pick(Self.used + ["v2", "x", "main.t1", "temp.t4", "sqlite_master", "nope", "T2"])
  }

  private mutating func expression(_ depth: Int = 1) -> String {
    guard depth > 0 else {
      return random.pick([
        column(), column(), "1", "NULL", "'x'", "TRUE", "-1.5", "count(*)", "random()",
      ])
    }
    let (a, b) = (expression(depth - 1), expression(depth - 1))
    return random.pick([
      a, column(), "\(a) + \(b)", "lower(\(a))", "\(table()).\(column())", "(\(select(0)))",
      "\(a) > \(b)",
      "\(column()) IN (SELECT \(column()) FROM \(table()))", "\(a) COLLATE nocase", "max(\(a))",
      "CASE WHEN \(a) THEN \(b) END", "\(column()) IS NULL",
    ])
  }

  mutating func select(_ depth: Int = 1) -> String {
    var from = table() + random.pick(["", " AS q", " z", ""])
    if random.isOne(in: 3) {
      from +=
        random.pick([" JOIN ", ", ", " LEFT JOIN "]) + table()
        + random.pick(["", " AS w", " ON 1"])
    }
    let list = random.pick([
      "*", column(), "\(column()), \(column())", expression(depth), "\(column()) AS \(column())",
      "count(*), \(column())", "\(table()).*",
    ])
    var text = "SELECT \(list) FROM \(from)"
    if random.isOne(in: 3) { text += " WHERE \(expression(depth))" }
    if random.isOne(in: 8) { text += " GROUP BY \(column())" }
    if random.isOne(in: 8) { text += " ORDER BY \(random.pick([column(), "1", "2"]))" }
    if random.isOne(in: 12) { text += " UNION SELECT \(column()) FROM \(table())" }
    if random.isOne(in: 12) {
      text = "WITH \(random.pick(["q", "t1"])) AS (SELECT \(column()) FROM \(table())) \(text)"
    }
    return text
  }

  private mutating func columnDefinition() -> String {
    var text = "\(column()) \(random.pick(Self.types))"
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) {
      text +=
        " "
        + random.pick([
          "NOT NULL", "UNIQUE", "PRIMARY KEY", "PRIMARY KEY AUTOINCREMENT", "DEFAULT 1",
          "DEFAULT (1 + 2)",
          "DEFAULT NULL", "DEFAULT (\(expression(0)))", "DEFAULT CURRENT_TIMESTAMP",
          "CHECK (\(expression()))",
          "REFERENCES \(table())", "REFERENCES \(table())(\(column())) ON DELETE CASCADE",
          "AS (\(expression()))", "GENERATED ALWAYS AS (\(expression())) STORED", "COLLATE nocase",
          "COLLATE nope", "CONSTRAINT k", "NULL", "PRIMARY KEY DESC", "NOT NULL DEFAULT 1",
          "DEFAULT -1",
          "NOT NULL ON CONFLICT REPLACE", "DEFERRABLE INITIALLY DEFERRED", "DEFAULT x",
        ])
    }
    return text
  }

  private mutating func tableConstraint() -> String {
    random.pick([
      "PRIMARY KEY (\(column()))", "PRIMARY KEY (\(column()), \(column()))",
      "UNIQUE (\(column()), \(column()) DESC)", "CHECK (\(expression()))",
      "FOREIGN KEY (\(column())) REFERENCES \(table())",
      "FOREIGN KEY (\(column())) REFERENCES \(table())(\(column()), \(column()))",
      "CONSTRAINT k UNIQUE (\(column())) ON CONFLICT REPLACE", "UNIQUE (\(expression()))",
    ])
  }

  private mutating func trigger() -> String {
    let statements = (0..<random.pick([1, 1, 2])).map { _ in
      random.pick([
        "INSERT INTO \(table()) VALUES (new.\(column()), old.\(column()))",
        "INSERT INTO \(table())(\(column())) VALUES (new.\(column()))",
        "UPDATE \(table()) SET \(column()) = new.\(column()) WHERE \(expression())",
        "DELETE FROM \(table()) WHERE \(column()) = old.\(column())", select(),
        "SELECT raise(ABORT, 'x')",
        "INSERT INTO \(table()) \(select())", "INSERT INTO main.t1 DEFAULT VALUES",
        "UPDATE \(table()) SET \(column()) = q.\(column()) FROM \(table()) q",
        "DELETE FROM \(table()) RETURNING *",
      ])
    }
    let event = random.pick(["INSERT", "DELETE", "UPDATE", "UPDATE OF \(column())"])
    return
      "CREATE \(random.pick(["", "", "TEMP "]))TRIGGER \(random.pick(["", "IF NOT EXISTS "]))"
      + "\(random.pick(["g1", "g2", "g3", "temp.g1", "main.g2"])) "
      + "\(random.pick(["BEFORE", "AFTER", "", "INSTEAD OF"])) \(event) ON \(table()) "
      + "\(random.pick(["", "FOR EACH ROW ", "WHEN \(expression()) "]))"
      + "BEGIN \(statements.joined(separator: "; ")); END"
  }

  mutating func statement() -> String {
    let temp = random.pick(["", "", "", "TEMP "])
    let unless = random.pick(["", "", "IF NOT EXISTS "])
    switch Int.random(in: 0..<100, using: &random) {
    case ..<22:
      var parts = (0..<random.pick([1, 2, 3, 4])).map { _ in columnDefinition() }
      if random.isOne(in: 4) { parts.append(tableConstraint()) }
      let options = random.pick(["", "", "", " WITHOUT ROWID", " STRICT", " STRICT, WITHOUT ROWID"])
      return "CREATE \(temp)TABLE \(unless)\(name()) (\(parts.joined(separator: ", ")))\(options)"
    case ..<25: return "CREATE \(temp)TABLE \(name()) AS \(select())"
    case ..<33:
      let list = random.pick(["", "", "(\(column()))", "(\(column()), \(column()))"])
      return "CREATE \(temp)VIEW \(unless)\(name())\(list) AS \(select())"
    case ..<41:
      let parts = (0..<random.pick([1, 2])).map { _ in
        random.pick([column(), column(), expression()])
          + random.pick(["", " DESC", " COLLATE rtrim"])
      }
      return
        "CREATE \(random.pick(["", "UNIQUE "]))INDEX \(unless)\(random.pick(["i1", "i2", "t1", "main.i1", "temp.i2"]))"
        + " ON \(random.pick(Self.used + ["sqlite_master", "nope"]))(\(parts.joined(separator: ", ")))"
        + random.pick(["", "", " WHERE \(expression())"])
    case ..<51: return trigger()
    case ..<59:
      return
        "ALTER TABLE \(target()) RENAME TO \(random.pick(["t1", "t2", "t9", "v1", "i1", "sqlite_x"]))"
    case ..<70: return "ALTER TABLE \(target()) RENAME \(column()) TO \(column())"
    case ..<78: return "ALTER TABLE \(target()) ADD \(columnDefinition())"
    case ..<85: return "ALTER TABLE \(target()) DROP \(column())"
    case ..<91:
      return
        "DROP \(random.pick(["TABLE", "VIEW", "INDEX", "TRIGGER"])) \(random.pick(["", "IF EXISTS "]))"
        + random.pick([
          "t1", "t2", "v1", "i1", "g1", "nope", "temp.t4", "main.v1", "sqlite_sequence",
        ])
    default:
      return random.pick([
        "INSERT INTO \(target()) VALUES (1, 2)",
        "INSERT INTO \(target()) DEFAULT VALUES RETURNING \(column())",
        "INSERT INTO \(target())(\(column())) VALUES (1) ON CONFLICT (\(column())) DO UPDATE SET \(column()) = 2",
        "UPDATE \(target()) SET \(column()) = \(expression())",
        "DELETE FROM \(target()) WHERE \(expression())",
        "ANALYZE \(target())", "REINDEX \(target())",
        "INSERT INTO \(target()) SELECT * FROM \(table())",
        "UPDATE \(target()) INDEXED BY i1 SET \(column()) = 1 WHERE \(column()) = 1",
      ])
    }
  }

  /// Generates queries to run on the resulting schema.
  mutating func questions() -> [String] {
    ["t1", "t2", "t3", "t4", "v1", "v2", "x"].map { "SELECT * FROM \($0)" }
      + [
        "INSERT INTO t1 DEFAULT VALUES", "DELETE FROM t2", "UPDATE t1 SET a = 1", "DELETE FROM v1",
        "INSERT INTO v1 VALUES (1)", "DROP TABLE t1", "DROP VIEW v1",
        "ALTER TABLE t1 RENAME TO t77",
        "ALTER TABLE t1 RENAME a TO zz", "ALTER TABLE t2 DROP b",
        "SELECT a FROM t1 INDEXED BY i1 WHERE a = 1",
      ] + (0..<6).map { _ in statement() } + (0..<3).map { _ in select() }
  }
}
