internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  private static let several = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', price REAL, data);
    CREATE TABLE Other (a, b, PRIMARY KEY (b, a));
    CREATE INDEX i ON t (name);
    CREATE VIEW v AS SELECT name FROM t;
    CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END
    """

  static let tableCases: [Case] = existsCases + schemaOfTableCases

  private static let existsCases: [Case] = [
    rule(.tables, "tableExists finds existing tables only") { subject in
      let provider = try subject.opened(several)
      for name in ["t", "T", "Other", "other", "OTHER", "v"] {
        try subject.expect(provider.tableExists(name), true, "the existence of \(name)")
      }
      for name in ["", "nix", "i", "r", "t ", "\"t\"", "main.t", "t\0", "%", "sqlite_schema\0"] {
        try subject.expect(provider.tableExists(name), false, "the existence of \(name)")
      }
    },
    rule(.tables, "tableExists follows created and dropped tables") { subject in
      let provider = try subject.opened()
      try subject.expect(provider.tableExists("t"), false, "the existence of the table")
      try provider.execute("CREATE TABLE t (a)")
      try subject.expect(provider.tableExists("t"), true, "the existence of the table")
      try provider.execute("ALTER TABLE t RENAME TO u")
      try subject.expect(provider.tableExists("t"), false, "the existence of the table")
      try provider.execute("DROP TABLE u")
      try subject.expect(provider.tableExists("u"), false, "the existence of the table")
    },
    rule(.tables, "a table of a rolled back transaction does not exist") { subject in
      let provider = try subject.opened()
      try provider.beginTransaction()
      try provider.execute("CREATE TABLE t (a)")
      try subject.expect(provider.tableExists("t"), true, "the existence of the table")
      try provider.rollbackTransaction()
      try subject.expect(provider.tableExists("t"), false, "the existence of the table")
    },
    rule(.tables, "tableNames returns tables and views only") { subject in
      let provider = try subject.opened(
        several, "CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "INSERT INTO auto DEFAULT VALUES")
      try subject.expect(provider.tableNames().sorted(), ["Other", "auto", "t", "v"], "the names")
    },
    rule(.tables, "a new source has no tables") { subject in
      try subject.expect(subject.opened().tableNames(), [], "the names")
    },
  ]

  private static let schemaOfTableCases: [Case] = [
    rule(.tables, "a schema contains the columns and their types") { subject in
      let schema = try subject.opened(several).getTableSchema(forTableName: "t")
      try subject.expect(schema.name.name, "t", "the name")
      try subject.expect(
        schema.columns.map(\.name), ["id", "name", "price", "data"], "the columns")
      try subject.expect(
        schema.columns.map(\.declaredType), ["INTEGER", "TEXT", "REAL", ""], "the types")
      try subject.expect(schema.primaryKey.map(\.name), ["id"], "the primary key")
    },
    rule(.tables, "a schema contains nullability and defaults") { subject in
      let columns = try subject.opened(several).getTableSchema(forTableName: "t").columns
      try subject.expect(columns.map(\.isNotNull), [false, true, false, false], "NOT NULL")
      try subject.expect(columns.map(\.defaultSQL), [nil, "'x'", nil, nil], "the defaults")
    },
    rule(.tables, "a schema contains a key of several columns in order") { subject in
      let schema = try subject.opened(several).getTableSchema(forTableName: "Other")
      try subject.expect(schema.primaryKey.map(\.name), ["b", "a"], "the primary key")
    },
    rule(.tables, "a schema contains AUTOINCREMENT") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "CREATE TABLE w (id TEXT PRIMARY KEY) WITHOUT ROWID")
      let schema = try provider.getTableSchema(forTableName: "t")
      try subject.expect(schema.columns.map(\.isAutoincrement), [true, false], "AUTOINCREMENT")
      try subject.expect(schema.isWithoutRowID, false, "WITHOUT ROWID")
      try subject.expect(
        provider.getTableSchema(forTableName: "w").isWithoutRowID, true, "WITHOUT ROWID")
    },
    rule(.tables, "a schema is found regardless of case, also of a view") { subject in
      let provider = try subject.opened(several)
      try subject.expect(
        provider.getTableSchema(forTableName: "OTHER").name.name, "Other", "the name")
      let view = try provider.getTableSchema(forTableName: "v")
      try subject.expect(view.kind, .view, "the kind")
      try subject.expect(view.columns.map(\.name), ["name"], "the columns")
    },
    rule(.tables, "a schema reflects changes of the table") { subject in
      let provider = try subject.opened(several)
      try provider.execute("ALTER TABLE t ADD COLUMN more INTEGER")
      try provider.execute("ALTER TABLE t RENAME COLUMN price TO cost")
      try subject.expect(
        provider.getTableSchema(forTableName: "t").columns.map(\.name),
        ["id", "name", "cost", "data", "more"], "the columns")
    },
    rule(.tables, "the schema of a missing table is an error with its name") { subject in
      let provider = try subject.opened(several)
      for name in ["nix", "", "i", "t "] {
        try subject.expectCode(.unknownTable, doing: "the schema of \(name)") {
          do {
            _ = try provider.getTableSchema(forTableName: name)
          } catch let error as ProviderError {
            try subject.expect(error.table, name, "the error's table")
            throw error
          }
        }
      }
    },
  ]

  // MARK: Counting

  private static let rowsToCount = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL);
    INSERT INTO t VALUES (1, 'a', 1.5), (2, 'b', 0.5), (3, NULL, 2), (4, 'a', NULL)
    """

  private static let filters: [(String, [SQLiteValue], Int)] = [
    ("", [], 4), ("  \n\t", [], 4), ("id = 1", [], 1), ("id = ?", [2], 1), ("id = ?", [9], 0),
    ("name = 'a'", [], 2), ("name IS NULL", [], 1), ("name = ? AND price > ?", ["a", 1], 1),
    ("id = 1 OR id = 2", [], 2), ("id = 1 OR id = 2 -- or more", [], 2), ("1 /* all */", [], 4),
    ("price > (SELECT avg(price) FROM t)", [], 2), ("name IN (?, ?)", ["a", "b"], 3),
    ("NAME LIKE 'A'", [], 2), ("0", [], 0), ("name = 'x'') OR (1=1'", [], 0),
  ]

  static let countCases: [Case] =
    filters.map { filter, values, expected in
      rule(.counts, "\(filter.debugDescription) counts \(expected) of 4") { subject in
        let provider = try subject.opened(rowsToCount)
        try subject.expect(
          provider.countRows(inTable: "t", filteredBy: SQL(unsafe: filter), withParameters: values),
          expected,
          "the count of rows")
      }
    }
    + [
      rule(.counts, "the count reflects inserted and deleted rows") { subject in
        let provider = try subject.opened(rowsToCount)
        try provider.execute("DELETE FROM t WHERE id > 2")
        try subject.expect(provider.countRows(inTable: "t"), 2, "the count of rows")
        try provider.execute("DELETE FROM t")
        try subject.expect(provider.countRows(inTable: "T"), 0, "the count of rows")
      },
      rule(.counts, "the rows of a view can be counted") { subject in
        let provider = try subject.opened(
          rowsToCount, "CREATE VIEW v AS SELECT DISTINCT name FROM t")
        try subject.expect(provider.countRows(inTable: "v"), 3, "the count of rows")
      },
      rule(.counts, "counting a missing table is an error with its name") { subject in
        let provider = try subject.opened(rowsToCount)
        for name in ["nix", "", "t; DROP TABLE t", "t WHERE 0"] {
          try subject.expectCode(.unknownTable, doing: "the rows of \(name)") {
            _ = try provider.countRows(inTable: name)
          }
        }
        try subject.expect(provider.countRows(inTable: "t"), 4, "the count of rows")
      },
      rule(.counts, "an invalid filter is refused") { subject in
        let provider = try subject.opened(rowsToCount)
        for filter in [
          "nix = 1", "id =", "1) OR (1", "1; DELETE FROM t", "id = 1 ORDER BY id", ")",
        ] {
          _ = try? provider.countRows(inTable: "t", filteredBy: SQL(unsafe: filter))
        }
        for filter in ["nix = 1", "id =", "1; DELETE FROM t", ")"] {
          try subject.expectSQLiteError(doing: filter) {
            _ = try provider.countRows(inTable: "t", filteredBy: SQL(unsafe: filter))
          }
        }
        try subject.expectSQLiteError(.parameterCount, doing: "a value too few") {
          _ = try provider.countRows(inTable: "t", filteredBy: "id = ?")
        }
        try subject.expectSQLiteError(.parameterCount, doing: "a value too many") {
          _ = try provider.countRows(inTable: "t", withParameters: [1])
        }
        try subject.expect(provider.countRows(inTable: "t"), 4, "the count of rows")
      },
    ]

  // MARK: Last identifiers

  static let idCases: [Case] = [
    rule(.ids, "lastIntID is the largest key") { subject in
      let provider = try subject.opened(rowsToCount, "UPDATE t SET id = 100 WHERE id = 1")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 100, "lastIntID")
      try subject.expect(provider.lastIntID(forTable: "T", withKey: "ID"), 100, "lastIntID")
      try provider.execute("DELETE FROM t WHERE id = 100")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 4, "lastIntID")
    },
    rule(.ids, "lastIntID of an empty table is 0") { subject in
      let provider = try subject.opened("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 0, "lastIntID")
      try provider.execute("INSERT INTO t VALUES (5, NULL)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "n"), 0, "lastIntID")
    },
    rule(.ids, "lastIntID can exceed 32 bits and be negative") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (-5)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), -5, "lastIntID")
      try provider.execute("INSERT INTO t VALUES (3000000000)")
      try subject.expect(
        provider.lastIntID(forTable: "t", withKey: "id"), 3_000_000_000, "lastIntID")
    },
    rule(.ids, "lastIntID of a missing table or column is an error") { subject in
      let provider = try subject.opened(rowsToCount)
      try subject.expectCode(.unknownTable, doing: "the last id of a missing table") {
        _ = try provider.lastIntID(forTable: "nix", withKey: "id")
      }
      try subject.expectSQLiteError(doing: "the last id of a missing column") {
        _ = try provider.lastIntID(forTable: "t", withKey: "nix")
      }
      try subject.expectSQLiteError(doing: "the last id of an expression") {
        _ = try provider.lastIntID(forTable: "t", withKey: "id) + (1")
      }
    },
    rule(.ids, "lastAutoID of a new table is 0") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY)",
        "CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TABLE w (id TEXT PRIMARY KEY) WITHOUT ROWID", "CREATE VIEW v AS SELECT 1")
      for name in ["t", "u", "w", "v"] {
        try subject.expect(provider.lastAutoID(forTable: name), 0, "lastAutoID of \(name)")
      }
    },
    rule(.ids, "AUTOINCREMENT records the last assigned id") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "DELETE FROM t WHERE id > 1")
      try subject.expect(provider.lastAutoID(forTable: "t"), 3, "lastAutoID")
      try subject.expectResult(provider, "INSERT INTO t (a) VALUES (1)", 4)
      try subject.expect(provider.lastAutoID(forTable: "T"), 4, "lastAutoID")
    },
    rule(.ids, "without AUTOINCREMENT it is the largest id") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "CREATE TABLE p (rowid TEXT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "INSERT INTO p (a) VALUES (1), (2)",
        "DELETE FROM t WHERE id > 1")
      try subject.expect(provider.lastAutoID(forTable: "t"), 1, "lastAutoID")
      try subject.expect(provider.lastAutoID(forTable: "p"), 2, "lastAutoID")
    },
    rule(.ids, "lastAutoID of a missing table is an error") { subject in
      let provider = try subject.opened()
      try subject.expectCode(.unknownTable, doing: "the last id of a missing table") {
        _ = try provider.lastAutoID(forTable: "nix")
      }
    },
    rule(.ids, "the last assigned id is preserved after reopening", needs: .schema) { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "DELETE FROM t")
      let reopened = try subject.reopened(provider)
      try subject.expect(reopened.lastAutoID(forTable: "t"), 3, "lastAutoID")
      try subject.expectResult(reopened, "INSERT INTO t (a) VALUES (1)", 4)
    },
    rule(.ids, "a source stores a user version") { subject in
      let provider = try subject.opened()
      try subject.expect(provider.databaseVersion(), 0, "databaseVersion")
      try provider.execute("PRAGMA user_version = 12")
      try subject.expect(provider.databaseVersion(), 12, "databaseVersion")
    },
  ]
}
