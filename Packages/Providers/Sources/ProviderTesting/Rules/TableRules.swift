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
    rule(.tables, "a table is there, and none is that is not") { subject in
      let provider = try subject.opened(several)
      for name in ["t", "T", "Other", "other", "OTHER", "v"] {
        try subject.expect(provider.tableExists(name), true, "whether there is \(name)")
      }
      for name in ["", "nix", "i", "r", "t ", "\"t\"", "main.t", "t\0", "%", "sqlite_schema\0"] {
        try subject.expect(provider.tableExists(name), false, "whether there is \(name)")
      }
    },
    rule(.tables, "a table comes and goes") { subject in
      let provider = try subject.opened()
      try subject.expect(provider.tableExists("t"), false, "whether it is there")
      try provider.execute("CREATE TABLE t (a)")
      try subject.expect(provider.tableExists("t"), true, "whether it is there")
      try provider.execute("ALTER TABLE t RENAME TO u")
      try subject.expect(provider.tableExists("t"), false, "whether it is there")
      try provider.execute("DROP TABLE u")
      try subject.expect(provider.tableExists("u"), false, "whether it is there")
    },
    rule(.tables, "a table of a transaction that is undone is not there") { subject in
      let provider = try subject.opened()
      try provider.beginTransaction()
      try provider.execute("CREATE TABLE t (a)")
      try subject.expect(provider.tableExists("t"), true, "whether it is there")
      try provider.rollbackTransaction()
      try subject.expect(provider.tableExists("t"), false, "whether it is there")
    },
    rule(.tables, "the names are those of all tables and views, and of nothing else") { subject in
      let provider = try subject.opened(
        several, "CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "INSERT INTO auto DEFAULT VALUES")
      try subject.expect(provider.tableNames().sorted(), ["Other", "auto", "t", "v"], "the names")
    },
    rule(.tables, "a new source has none") { subject in
      try subject.expect(subject.opened().tableNames(), [], "the names")
    },
  ]

  private static let schemaOfTableCases: [Case] = [
    rule(.tables, "a schema tells the columns and their types") { subject in
      let schema = try subject.opened(several).getTableSchema(forTableName: "t")
      try subject.expect(schema.name.name, "t", "the name")
      try subject.expect(
        schema.columns.map(\.name), ["id", "name", "price", "data"], "the columns")
      try subject.expect(
        schema.columns.map(\.declaredType), ["INTEGER", "TEXT", "REAL", ""], "the types")
      try subject.expect(schema.primaryKey.map(\.name), ["id"], "the primary key")
    },
    rule(.tables, "a schema tells what may be NULL, and defaults") { subject in
      let columns = try subject.opened(several).getTableSchema(forTableName: "t").columns
      try subject.expect(columns.map(\.isNotNull), [false, true, false, false], "NOT NULL")
      try subject.expect(columns.map(\.defaultSQL), [nil, "'x'", nil, nil], "the defaults")
    },
    rule(.tables, "a schema tells a key of several columns in its order") { subject in
      let schema = try subject.opened(several).getTableSchema(forTableName: "Other")
      try subject.expect(schema.primaryKey.map(\.name), ["b", "a"], "the primary key")
    },
    rule(.tables, "a schema tells what counts by itself") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "CREATE TABLE w (id TEXT PRIMARY KEY) WITHOUT ROWID")
      let schema = try provider.getTableSchema(forTableName: "t")
      try subject.expect(schema.columns.map(\.isAutoincrement), [true, false], "AUTOINCREMENT")
      try subject.expect(schema.isWithoutRowID, false, "WITHOUT ROWID")
      try subject.expect(
        provider.getTableSchema(forTableName: "w").isWithoutRowID, true, "WITHOUT ROWID")
    },
    rule(.tables, "a schema is found in any letters, and that of a view") { subject in
      let provider = try subject.opened(several)
      try subject.expect(
        provider.getTableSchema(forTableName: "OTHER").name.name, "Other", "the name")
      let view = try provider.getTableSchema(forTableName: "v")
      try subject.expect(view.kind, .view, "the kind")
      try subject.expect(view.columns.map(\.name), ["name"], "the columns")
    },
    rule(.tables, "a schema follows the table") { subject in
      let provider = try subject.opened(several)
      try provider.execute("ALTER TABLE t ADD COLUMN more INTEGER")
      try provider.execute("ALTER TABLE t RENAME COLUMN price TO cost")
      try subject.expect(
        provider.getTableSchema(forTableName: "t").columns.map(\.name),
        ["id", "name", "cost", "data", "more"], "the columns")
    },
    rule(.tables, "the schema of no table is an error that names it") { subject in
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
      rule(.counts, "rows are counted as they come and go") { subject in
        let provider = try subject.opened(rowsToCount)
        try provider.execute("DELETE FROM t WHERE id > 2")
        try subject.expect(provider.countRows(inTable: "t"), 2, "the count of rows")
        try provider.execute("DELETE FROM t")
        try subject.expect(provider.countRows(inTable: "T"), 0, "the count of rows")
      },
      rule(.counts, "the rows of a view are counted") { subject in
        let provider = try subject.opened(
          rowsToCount, "CREATE VIEW v AS SELECT DISTINCT name FROM t")
        try subject.expect(provider.countRows(inTable: "v"), 3, "the count of rows")
      },
      rule(.counts, "the rows of no table are an error that names it") { subject in
        let provider = try subject.opened(rowsToCount)
        for name in ["nix", "", "t; DROP TABLE t", "t WHERE 0"] {
          try subject.expectCode(.unknownTable, doing: "the rows of \(name)") {
            _ = try provider.countRows(inTable: name)
          }
        }
        try subject.expect(provider.countRows(inTable: "t"), 4, "the count of rows")
      },
      rule(.counts, "a filter that is none is refused") { subject in
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

  // MARK: The last ids

  static let idCases: [Case] = [
    rule(.ids, "the last of a key is the largest") { subject in
      let provider = try subject.opened(rowsToCount, "UPDATE t SET id = 100 WHERE id = 1")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 100, "lastIntID")
      try subject.expect(provider.lastIntID(forTable: "T", withKey: "ID"), 100, "lastIntID")
      try provider.execute("DELETE FROM t WHERE id = 100")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 4, "lastIntID")
    },
    rule(.ids, "the last of no rows is 0") { subject in
      let provider = try subject.opened("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 0, "lastIntID")
      try provider.execute("INSERT INTO t VALUES (5, NULL)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "n"), 0, "lastIntID")
    },
    rule(.ids, "the last is larger than 32 bits, and smaller than 0") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (-5)")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), -5, "lastIntID")
      try provider.execute("INSERT INTO t VALUES (3000000000)")
      try subject.expect(
        provider.lastIntID(forTable: "t", withKey: "id"), 3_000_000_000, "lastIntID")
    },
    rule(.ids, "the last of no table or no column is an error") { subject in
      let provider = try subject.opened(rowsToCount)
      try subject.expectCode(.unknownTable, doing: "the last id of no table") {
        _ = try provider.lastIntID(forTable: "nix", withKey: "id")
      }
      try subject.expectSQLiteError(doing: "the last id of no column") {
        _ = try provider.lastIntID(forTable: "t", withKey: "nix")
      }
      try subject.expectSQLiteError(doing: "the last id of an expression") {
        _ = try provider.lastIntID(forTable: "t", withKey: "id) + (1")
      }
    },
    rule(.ids, "no table has given an id at first") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY)",
        "CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TABLE w (id TEXT PRIMARY KEY) WITHOUT ROWID", "CREATE VIEW v AS SELECT 1")
      for name in ["t", "u", "w", "v"] {
        try subject.expect(provider.lastAutoID(forTable: name), 0, "lastAutoID of \(name)")
      }
    },
    rule(.ids, "the last id that was given is remembered by AUTOINCREMENT") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "DELETE FROM t WHERE id > 1")
      try subject.expect(provider.lastAutoID(forTable: "t"), 3, "lastAutoID")
      try subject.expectResult(provider, "INSERT INTO t (a) VALUES (1)", 4)
      try subject.expect(provider.lastAutoID(forTable: "T"), 4, "lastAutoID")
    },
    rule(.ids, "without AUTOINCREMENT it is the largest there is") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "CREATE TABLE p (rowid TEXT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "INSERT INTO p (a) VALUES (1), (2)",
        "DELETE FROM t WHERE id > 1")
      try subject.expect(provider.lastAutoID(forTable: "t"), 1, "lastAutoID")
      try subject.expect(provider.lastAutoID(forTable: "p"), 2, "lastAutoID")
    },
    rule(.ids, "the last id of no table is an error") { subject in
      let provider = try subject.opened()
      try subject.expectCode(.unknownTable, doing: "the last id of no table") {
        _ = try provider.lastAutoID(forTable: "nix")
      }
    },
    rule(.ids, "the last id that was given outlasts closing", needs: .schema) { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
        "INSERT INTO t (a) VALUES (1), (2), (3)", "DELETE FROM t")
      let again = try subject.reopened(provider)
      try subject.expect(again.lastAutoID(forTable: "t"), 3, "lastAutoID")
      try subject.expectResult(again, "INSERT INTO t (a) VALUES (1)", 4)
    },
    rule(.ids, "a source keeps a number for its app") { subject in
      let provider = try subject.opened()
      try subject.expect(provider.databaseVersion(), 0, "databaseVersion")
      try provider.execute("PRAGMA user_version = 12")
      try subject.expect(provider.databaseVersion(), 12, "databaseVersion")
    },
  ]
}
