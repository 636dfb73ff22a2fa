internal import Providers
internal import SQLiteCore
internal import Primitives

extension ProviderConformance {
  static let queryCases: [Case] = columnCases + rowCases + writingQueryCases + badQueryCases

  private static let columnCases: [Case] = [
    rule(.queries, "columns are in order") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (z, a, m)", "INSERT INTO t VALUES (1, 2, 3)")
      let all = try provider.query("SELECT * FROM t")
      try subject.expect(all.columns, ["z", "a", "m"], "the columns")
      try subject.expect(all.map(\.values), [[1, 2, 3]], "the rows")
      try subject.expect(
        provider.query("SELECT m, z FROM t").columns, ["m", "z"], "the columns asked for")
    },
    rule(.queries, "several columns have one name") { subject in
      let records = try subject.opened().query("SELECT 1 AS a, 2 AS a, 3 AS b")
      try subject.expect(records.columns, ["a", "a", "b"], "the columns")
      try subject.expect(records.first?.values, [1, 2, 3], "the values")
      try subject.expect(records["a"], .integer(1), "the first of the name")
    },
    rule(.queries, "columns are available without rows") { subject in
      let provider = try subject.providerWithRows()
      let records = try provider.query("SELECT id, name AS n FROM t WHERE id = 9")
      try subject.expect(records.columns, ["id", "n"], "the columns")
      try subject.expect(records.count, 0, "the count of rows")
      try subject.expect(records["id"], nil, "a value of no row")
    },
    rule(.queries, "column names ignore case") { subject in
      let provider = try subject.providerWithRows()
      let record = try provider.query("SELECT * FROM t WHERE id = ?", withParameters: [1])
      try subject.expect(record["name"], .text("Milk"), "name")
      try subject.expect(record["NAME"], .text("Milk"), "NAME")
      try subject.expect(record["nix"], nil, "a missing column")
    },
    rule(.queries, "table and column names in queries ignore case") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectRows(provider, "select Name from T where ID = 2", [["Bread"]])
    },
    rule(.queries, "an expression's name is its text or its alias") { subject in
      let records = try subject.opened().query("SELECT 1 + 1, 'x' AS \"a b\"")
      try subject.expect(records.columns, ["1 + 1", "a b"], "the columns")
    },
  ]

  private static let rowCases: [Case] = [
    rule(.queries, "rows are in the requested order") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectRows(provider, "SELECT id FROM t ORDER BY id DESC", [[2], [1]])
      try subject.expectRows(provider, "SELECT id FROM t ORDER BY name", [[2], [1]])
      try subject.expectRows(provider, "SELECT id FROM t ORDER BY id LIMIT 1 OFFSET 1", [[2]])
    },
    rule(.queries, "each value has its storage class") { subject in
      let provider = try subject.opened("CREATE TABLE t (a)")
      for value in [nil, 7, 7.0, "7", .blob([7])] as [SQLiteValue] {
        try provider.execute("INSERT INTO t VALUES (?)", withParameters: [value])
      }
      try subject.expectRows(
        provider, "SELECT a, typeof(a) FROM t",
        [
          [nil, "null"], [7, "integer"], [7.0, "real"], ["7", "text"], [.blob([7]), "blob"],
        ])
    },
    rule(.queries, "NULL differs from all other values") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (i INTEGER, s TEXT, r REAL, b BLOB, d DATE)",
        "INSERT INTO t DEFAULT VALUES")
      try subject.expectRows(provider, "SELECT * FROM t", [[nil, nil, nil, nil, nil]])
      try subject.expectValue(provider, "SELECT count(*) FROM t WHERE s IS NULL AND s IS NOT ''", 1)
      try subject.expectRows(provider, "SELECT 1 FROM t WHERE s = NULL", [])
    },
    rule(.queries, "SQL is complete: joins, groups, windows, recursion, JSON") { subject in
      let provider = try subject.opened(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, cat INTEGER, price REAL)",
        "CREATE TABLE c (id INTEGER PRIMARY KEY, label TEXT)",
        "INSERT INTO p VALUES (1, 1, 1.5), (2, 1, 0.5), (3, 2, 12)",
        "INSERT INTO c VALUES (1, 'a'), (2, 'b'), (3, 'c')")
      try subject.expectRows(
        provider,
        """
        SELECT label, count(p.id), min(price) FROM c LEFT JOIN p ON p.cat = c.id
        GROUP BY c.id HAVING count(*) > 0 ORDER BY label
        """, [["a", 2, 0.5], ["b", 1, 12.0], ["c", 0, nil]])
      try subject.expectRows(
        provider, "SELECT id, sum(price) OVER (ORDER BY id) FROM p",
        [[1, 1.5], [2, 2.0], [3, 14.0]])
      try subject.expectValue(
        provider,
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
        SELECT sum(i) FROM n
        """, 55)
      try subject.expectValue(provider, #"SELECT '{"a":[1,2]}' ->> '$.a[1]'"#, 2)
      try subject.expectRows(
        provider, "SELECT id FROM p WHERE price > 1 AND (cat = 1 OR cat = 2)", [[1], [3]])
      try subject.expectValue(provider, "SELECT (7 - 2 + 1) || '%'", "6%")
    },
    rule(.queries, "the last write is visible to SQL functions") { subject in
      let provider = try subject.providerWithRows()
      try provider.execute("INSERT INTO t VALUES (7, 'x'), (9, 'y')")
      try subject.expectValue(provider, "SELECT last_insert_rowid()", 9)
      try subject.expectValue(provider, "SELECT CHANGES() + 0", 2)
    },
    rule(.queries, "texts are matched by regular expressions") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (a)",
        "INSERT INTO t VALUES ('bolt'), ('nut'), ('gear'), (NULL), (42), ('é')")
      try subject.expectRows(
        provider, "SELECT a FROM t WHERE a REGEXP '^[bn]'", [["bolt"], ["nut"]])
      try subject.expectRows(provider, "SELECT a FROM t WHERE a REGEXP '^.$'", [["é"]])
      try subject.expectRows(provider, "SELECT a FROM t WHERE a REGEXP '\\d{2}'", [[42]])
      try subject.expectValue(
        provider, "SELECT count(*) FROM t WHERE a NOT REGEXP ?1 OR a NOT REGEXP 't$'", 3,
        ["t$"])
      try subject.expectSQLiteError(doing: "an invalid pattern") {
        _ = try provider.query("SELECT a FROM t WHERE a REGEXP '('")
      }
    },
    rule(.queries, "a record is a sequence of columns with values") { subject in
      let provider = try subject.providerWithRows()
      let record = try provider.query("SELECT * FROM t WHERE id = 2").first
      let pairs = record.map { $0.map { "\($0.column)=\($0.value)" } }
      try subject.expect(pairs, ["id=2", "name='Bread'"], "the record")
    },
    rule(.queries, "a query sees the changes of an open transaction") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      try provider.rollbackTransaction()
    },
  ]

  private static let writingQueryCases: [Case] = [
    rule(.queries, "the rows of RETURNING are returned, and the changes made") { subject in
      let provider = try subject.providerWithRows()
      let inserted = try provider.query(
        "INSERT INTO t (name) VALUES (?), (?) RETURNING id, name", withParameters: ["Salt", "Rye"])
      try subject.expect(inserted.columns, ["id", "name"], "the columns")
      try subject.expect(inserted.map(\.values), [[3, "Salt"], [4, "Rye"]], "the rows")
      let deleted = try provider.query("DELETE FROM t WHERE id < 3 RETURNING id")
      try subject.expect(deleted.count, 2, "the rows deleted")
      try subject.expectRows(provider, "SELECT id FROM t", [[3], [4]])
    },
    rule(.queries, "a statement without rows is executed once") { subject in
      let provider = try subject.providerWithRows()
      let records = try provider.query("UPDATE t SET id = id + 10")
      try subject.expect(records.count, 0, "the count of rows")
      try subject.expectRows(provider, "SELECT id FROM t", [[11], [12]])
    },
    rule(.queries, "the changes of a failing RETURNING are rolled back") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectSQLiteError(doing: "an existing key") {
        _ = try provider.query("INSERT INTO t VALUES (3, 'x'), (1, 'y') RETURNING id")
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
  ]

  private static let badQueries = [
    "SELECT nix FROM t", "SELECT * FROM nix", "SELECT nix(id) FROM t",
    "SELECT * FROM t WHERE id = 1 AND",
    "SELECT * FROM t WHERE (id = 1", "SELEC 1", "SELECT 'a", "", "-- nothing", "SELECT 1; SELECT 2",
    "SELECT \"nix\" FROM t",
  ]

  private static let badQueryCases: [Case] =
    badQueries.map { sql in
      rule(.queries, "\(sql.debugDescription) is refused") { subject in
        let provider = try subject.providerWithRows()
        try subject.expectSQLiteError(doing: sql) { _ = try provider.query(SQL(unsafe: sql)) }
        try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      }
    }
    + [
      rule(.queries, "an error contains its offset") { subject in
        let provider = try subject.providerWithRows()
        let sql = "SELECT id, nix FROM t"
        let error = try subject.expectSQLiteError(.error, doing: sql) {
          _ = try provider.query(SQL(unsafe: sql))
        }
        try subject.expect(error.offset?.rawValue, 11, "the offset of the error")
        try subject.expect(error.sql, sql, "the SQL of the error")
      },
      rule(.queries, "an error between rows is thrown") { subject in
        let provider = try subject.opened(
          "CREATE TABLE t (a)", "INSERT INTO t VALUES ('{}'), ('no JSON')")
        try subject.expectSQLiteError(doing: "an invalid JSON text") {
          _ = try provider.query("SELECT json(a) FROM t")
        }
      },
    ]

  // MARK: Streamed rows

  static let streamCases: [Case] = [
    rule(.streams, "rows are passed in order") { subject in
      let provider = try subject.providerWithRows()
      var names: [SQLiteValue?] = []
      try provider.forEachRecord(
        "SELECT * FROM t WHERE id < ? ORDER BY id DESC", withParameters: [9]
      ) { names.append($0["name"]) }
      try subject.expect(names, ["Bread", "Milk"], "the names")
    },
    rule(.streams, "an error thrown for a row ends the query and is rethrown") { subject in
      let provider = try subject.providerWithRows()
      var count = 0
      try subject.expectThrown("the first row") {
        try provider.forEachRecord("SELECT * FROM t") { _ in
          count += 1
          throw Subject.Thrown()
        }
      }
      try subject.expect(count, 1, "the rows handed over")
      try subject.expectResult(provider, "DELETE FROM t", 2)
    },
    rule(.streams, "forEachRecord refuses statements that write") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectSQLiteError(doing: "a delete") {
        try provider.forEachRecord("DELETE FROM t RETURNING id") { _ in }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.streams, "an invalid query is refused") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectSQLiteError(doing: "a missing table") {
        try provider.forEachRecord("SELECT * FROM nix") { _ in }
      }
      try subject.expectSQLiteError(.parameterCount, doing: "a value too many") {
        try provider.forEachRecord("SELECT * FROM t", withParameters: [1]) { _ in }
      }
    },
    asyncRule(.streams, "records are streamed in order") { subject in
      let provider = try subject.providerWithRows()
      var rows: [[SQLiteValue]] = []
      for try await record in try provider.records("SELECT * FROM t ORDER BY id") {
        try subject.expect(record.columns, ["id", "name"], "the columns")
        rows.append(record.values)
      }
      try subject.expect(rows, Subject.initialRows, "the rows")
    },
    asyncRule(.streams, "records take values") { subject in
      let provider = try subject.providerWithRows()
      var rows: [[SQLiteValue]] = []
      for try await record in try provider.records(
        "SELECT id FROM t WHERE name = ?1 OR id = ?2", withParameters: ["Milk", nil])
      { rows.append(record.values) }
      try subject.expect(rows, [[1]], "the rows")
    },
    asyncRule(.streams, "each iteration runs the query again") { subject in
      let provider = try subject.providerWithRows()
      let records = try provider.records("SELECT count(*) FROM t")
      for expected in 2...4 {
        for try await record in records {
          try subject.expect(record[0], .integer(Int64(expected)), "the count of rows")
        }
        try await provider.execute("INSERT INTO t (name) VALUES ('x')")
      }
    },
    asyncRule(.streams, "a stream that is left early releases the source") { subject in
      let provider = try subject.providerWithRows()
      for try await _ in try provider.records("SELECT * FROM t") { break }
      try await provider.execute("DELETE FROM t")
      try await provider.closeSource()
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    asyncRule(.streams, "an error of the query is thrown by the iteration") { subject in
      let provider = try subject.providerWithRows()
      let records = try provider.records("SELECT * FROM nix")
      let error = try await subject.expectError("a missing table") {
        for try await _ in records {}
      }
      try subject.expect(error is SQLiteError, true, "it is an SQLiteError: \(error)")
    },
    asyncRule(.streams, "a stream can't begin during an open transaction") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.expectCode(.transactionOpen, doing: "records are asked for") {
        _ = try provider.records("SELECT * FROM t")
      }
      try provider.rollbackTransaction()
      for try await record in try provider.records("SELECT count(*) FROM t") {
        try subject.expect(record[0], 2, "the count of rows")
      }
    },
    asyncRule(.streams, "many records are streamed") { subject in
      let provider = try subject.opened()
      var sum: Int64 = 0
      for try await record in try provider.records(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT i FROM n
        """)
      {
        if case .integer(let i) = record[0] { sum += i }
      }
      try subject.expect(sum, 2_001_000, "the sum")
    },
  ]
}
