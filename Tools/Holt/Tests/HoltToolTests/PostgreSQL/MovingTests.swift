#if os(Linux)
  import CommandTesting
  import Foundation
  import PostgreSQL
  import SQLiteCore
  import Testing

  /// Copies between SQLite and PostgreSQL.
  @Suite(.needsServer) struct `Copying to and from PostgreSQL` {
    /// A schema with every type and with names that need quotes.
    static let everything = """
      CREATE TABLE kinds (
        id INTEGER PRIMARY KEY, small SMALLINT, whole INTEGER NOT NULL DEFAULT 7, real REAL DEFAULT 1.5,
        price DECIMAL(10,2) DEFAULT 0, exact DECIMAL TEXT, name TEXT NOT NULL DEFAULT 'it''s',
        short VARCHAR(5), data BLOB DEFAULT x'00ff', done BOOLEAN NOT NULL DEFAULT 0, day DATE DEFAULT '2026-01-31',
        at DATETIME DEFAULT CURRENT_TIMESTAMP, since TIMESTAMPTZ, clock TIME, code UUID, extra JSON,
        CHECK (whole >= 0 AND (small IS NULL OR small BETWEEN -32768 AND 32767)), CHECK (short IN ('a', 'b''', 'c]d')),
        CONSTRAINT "long name" CHECK (length(name) < 1000), UNIQUE (name, short));
      CREATE TABLE "sel""ect" (
        "from" TEXT NOT NULL, "Größe ✓" INTEGER NOT NULL, "a.b" TEXT, "x y" INTEGER REFERENCES kinds(id) ON DELETE SET NULL,
        "self" TEXT, "selfSize" INTEGER,
        PRIMARY KEY ("from", "Größe ✓"),
        FOREIGN KEY ("self", "selfSize") REFERENCES "sel""ect" ("from", "Größe ✓") DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE "a.b" (id INTEGER PRIMARY KEY, "ID2" INTEGER NOT NULL UNIQUE, half INTEGER GENERATED ALWAYS AS ("ID2" * 2) STORED);
      CREATE TABLE empty (note TEXT);
      CREATE INDEX "in""dex" ON "sel""ect" ("Größe ✓" DESC, "a.b") WHERE "a.b" IS NOT NULL;
      CREATE UNIQUE INDEX kinds_day ON kinds (day, length(name));
      INSERT INTO kinds VALUES
        (1, -32768, 9223372036854775807, 1.7976931348623157e308, 12345678.25, '123456789012345678901234567890.10', 'a', 'a', x'', 1, '2026-11-27', '2026-11-27 20:00:00.123456', '2026-11-27 20:00:00Z', '23:59:59.5', '01234567-89ab-cdef-0123-456789abcdef', '{"b": [1, 2.50], "a": null,  "a": "é"}'),
        (2, 0, 0, -0.1, -5, '-0.001', 'Zoë 東京 \u{1F600}' || char(10) || char(9) || '\\' || '''"', 'b''', zeroblob(300), 0, '0001-01-01', '1969-12-31 23:59:59', '1900-01-01 00:00:00.000001Z', '00:00:00', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '5'),
        (-7, NULL, 1, 9e999, NULL, NULL, '', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO "sel""ect" VALUES ('a', 1, NULL, 1, 'b', 2), ('b', 2, 'x', NULL, 'a', 1), ('A', 1, '\\N', 2, NULL, NULL);
      INSERT INTO "a.b" (id, "ID2") VALUES (5, 10), (9, 20);
      """

    /// Compares the rows of a table in two databases of SQLite.
    private func expectSameRows(_ a: String, _ b: String, in run: HoltRun) throws {
      let (left, right) = (
        try Connection(path: run.path(a)), try Connection(path: run.path(b))
      )
      for table in try left.tables() where table.kind == .table {
        let columns = table.writableColumns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let sql = SQL(
          unsafe: "SELECT \(columns) FROM \(SQLName.quoted(table.name.name)) ORDER BY \(columns)")
        let rows = try [left, right].map { connection in
          var rows: [[SQLiteValue]] = []
          try connection.forEach(sql) { rows.append(try $0.values) }
          return rows
        }
        #expect(rows[0] == rows[1], "\(table.name.name)")
      }
    }

    @Test func `a schema with every type returns identical`() async throws {
      try await ServerRun.with { first in
        try first.makeSQLite("source.db", Self.everything)
        try first.holt("copy", "source.db", first.url)
        try first.holt("copy", first.url, "once.db")
        try expectSameRows("source.db", "once.db", in: first.run)
        let (before, after) = (
          try Connection(path: first.run.path("source.db")).databaseSchema(),
          try Connection(path: first.run.path("once.db")).databaseSchema()
        )
        for table in before.tables {
          let copy = try #require(after.table(table.name.name))
          #expect(table.columns.map(\.name) == copy.columns.map(\.name))
          #expect(table.columns.map(\.declaredType) == copy.columns.map(\.declaredType))
          #expect(
            table.columns.map(\.isNotNull) == copy.columns.map(\.isNotNull)
              || table.name.name == "empty")
          #expect(table.primaryKey.map(\.name) == copy.primaryKey.map(\.name))
          #expect(table.rowIDColumn == copy.rowIDColumn)
          #expect(table.uniqueKeys.count == copy.uniqueKeys.count)
          #expect(
            table.constraints.count { $0.kind == .check }
              == copy.constraints.count { $0.kind == .check })
          #expect(table.foreignKeys.map(\.parentTable) == copy.foreignKeys.map(\.parentTable))
          #expect(table.foreignKeys.map(\.isDeferred) == copy.foreignKeys.map(\.isDeferred))
        }
        #expect(before.indexes.map(\.name) == after.indexes.map(\.name))
        #expect(before.indexes.map(\.isPartial) == after.indexes.map(\.isPartial))
        let run = first.run
        try await ServerRun.with { second in
          try FileManager.default.copyItem(
            atPath: run.path("once.db"), toPath: second.run.path("once.db"))
          try second.holt("copy", "once.db", second.url)
          try second.holt("copy", second.url, "twice.db")
          #expect(try second.dump("once.db") == second.dump("twice.db"))
        }
      }
    }

    @Test func `a copied key is followed by the next generated one`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite(
          "a.db",
          """
          CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT);
          INSERT INTO a VALUES (41, 'x'), (-3, 'y');
          CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT);
          INSERT INTO b VALUES (900, 'x'); DELETE FROM b;
          CREATE TABLE c (id INTEGER PRIMARY KEY, t TEXT);
          """)
        try server.holt("copy", "a.db", server.url)
        for (table, next) in [("a", 42), ("b", 901), ("c", 1)] {
          let id = try await server.database.value(
            Int.self, PostgreSQLQuery(unsafe: "INSERT INTO \(table) (t) VALUES ('z') RETURNING id"))
          #expect(id == next)
        }
      }
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
      let sql: String
      let message: String
      var testDescription: String { message }
    }

    @Test(arguments: [
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 2), (5, 'five')",
        message: "the value is text, not bigint (t.n, row id = 5)"),
      Refusal(
        sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1.5)",
        message: "the value is a real number, not bigint (t.n, row rowid = 1)"),
      Refusal(
        sql:
          "CREATE TABLE t (k TEXT PRIMARY KEY, n SMALLINT) WITHOUT ROWID; INSERT INTO t VALUES ('x', 32768)",
        message: "the number can't be represented as smallint (t.n, row k = 'x')"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (9, 'a' || char(0) || 'b')",
        message: "the text contains NUL, which PostgreSQL can't store (t.s, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (9, CAST(x'ff' AS TEXT))",
        message: "the text is not valid UTF-8 (t.s, row id = 9)"),
      Refusal(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (9, x'41')",
        message: "the value is a blob, not text (t.s, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(3)); INSERT INTO t VALUES (9, 'abc '), (3, 'ab€')",
        message: "the text has more than 3 characters (t.s, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(5,2)); INSERT INTO t VALUES (9, 1.005)",
        message: "the number can't be represented as numeric(5,2) (t.d, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(5,2)); INSERT INTO t VALUES (9, 1000)",
        message: "the number can't be represented as numeric(5,2) (t.d, row id = 9)"),
      Refusal(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, b BOOLEAN); INSERT INTO t VALUES (9, 2)",
        message: "the integer is neither 0 nor 1 (t.b, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES (9, '2026-02-30')",
        message: "the text is not a date (t.d, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATETIME); INSERT INTO t VALUES (9, '2026-02-20 10:00:00Z')",
        message: "the text is not a date and time without zone (t.d, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATETIME); INSERT INTO t VALUES (9, 1764273600)",
        message: "the value is an integer, not timestamp without time zone (t.d, row id = 9)"),
      Refusal(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d TIMESTAMPTZ); INSERT INTO t VALUES (9, '2026-02-20 10:00:00.1234567Z')",
        message: "the text is not a date and time with a zone (t.d, row id = 9)"),
      Refusal(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, u UUID); INSERT INTO t VALUES (9, 'x')",
        message: "the text is not a UUID (t.u, row id = 9)"),
      Refusal(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, j JSON); INSERT INTO t VALUES (9, '{')",
        message: "the text is not JSON (t.j, row id = 9)"),
      Refusal(
        sql: "CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (NULL, 1)",
        message: "the value is NULL, but PostgreSQL's column can't be (t.k, row rowid = 1)"),
    ])
    func `a value that does not fit is refused with its place`(_ refusal: Refusal) async throws {
      try await ServerRun.with { server in
        try server.makeSQLite("a.db", refusal.sql)
        let result = try server.holt("copy", "a.db", server.url, status: 2)
        #expect(result.errors.contains(refusal.message), "\(result.errors)")
        let tables = try await server.tables()
        #expect(!tables.contains("t"))
      }
    }

    @Test(arguments: [
      Refusal(
        sql: "CREATE TABLE t (n float8); INSERT INTO t VALUES (1), ('NaN')",
        message: "the number is NaN, which SQLite stores as NULL (t.n, row 2)"),
      Refusal(
        sql: "CREATE TABLE t (id int PRIMARY KEY, n numeric(5,2)); INSERT INTO t VALUES (3, 'NaN')",
        message: "the number is NaN, which SQLite stores as NULL (t.n, row id = 3)"),
      Refusal(
        sql:
          "CREATE TABLE t (id int PRIMARY KEY, n jsonb); INSERT INTO t VALUES (3, '12345678901234567890')",
        message: "SQLite would change the notation of the JSON number (t.n, row id = 3)"),
    ])
    func `a value that SQLite would change is refused`(_ refusal: Refusal) async throws {
      try await ServerRun.with(refusal.sql) { server in
        let result = try server.holt("copy", server.url, "a.db", status: 2)
        #expect(result.errors.contains(refusal.message), "\(result.errors)")
        if server.run.exists("a.db") {
          #expect(try Connection(path: server.run.path("a.db")).table("t") == nil)
        }
      }
    }

    static let unsupported = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, any, n INTEGER DEFAULT (random()), CHECK (name LIKE 'a%'));
      CREATE TABLE orphan (id INTEGER PRIMARY KEY, t INTEGER REFERENCES missing(id));
      CREATE INDEX upper ON t (upper(name));
      CREATE VIEW v AS SELECT name FROM t;
      CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t WHERE id < 0; END;
      CREATE VIRTUAL TABLE words USING fts5(text);
      INSERT INTO t (id, name, any, n) VALUES (1, 'ab', 1, 1), (2, 'aa', 'x', 2);
      """

    @Test func `what can't be copied is refused by name before anything is written`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite("a.db", Self.unsupported)
        let names = [
          "the collation NOCASE of t.name", "the column t.any",
          "the constraint CHECK (name LIKE 'a%') of t",
          "the default value of t.n", "the foreign key orphan(t)", "the index upper", "the view v",
          "the trigger g", "the table words",
        ]
        let refused = try server.holt("copy", "a.db", server.url, status: 2)
        for name in names { #expect(refused.errors.contains("  \(name): "), "\(name)") }
        #expect(try await server.tables() == [])
        let copied = try server.holt("copy", "a.db", server.url, "--skip-unsupported")
        for name in names { #expect(copied.errors.contains("not copied: \(name): "), "\(name)") }
        #expect(try await server.tables() == ["orphan", "t"])
        let rows = try await server.database.values(
          String.self, "SELECT id || name || n FROM t ORDER BY id")
        #expect(rows == ["1ab1", "2aa2"])
      }
    }

    @Test func `what SQLite does not have is refused by name before anything is written`()
      async throws
    {
      let sql = """
        CREATE TABLE t (id int PRIMARY KEY, tags text[], area point, name text CHECK (name ~ 'a'), u uuid DEFAULT gen_random_uuid(), EXCLUDE USING gist (area WITH ~=));
        CREATE INDEX tags ON t USING gin (tags);
        CREATE VIEW v AS SELECT id FROM t;
        CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';
        INSERT INTO t VALUES (1, ARRAY['a', NULL, 'b"c'], '(1,2)', 'a', '00000000-0000-0000-0000-000000000001');
        """
      try await ServerRun.with(sql) { server in
        let names = [
          "the constraint t_area_excl of t", "the constraint t_name_check of t",
          "the default value of t.u",
          "the index tags", "the view v", "the function f",
        ]
        let refused = try server.holt("copy", server.url, "a.db", status: 2)
        for name in names {
          #expect(refused.errors.contains("  \(name): "), "\(name): \(refused.errors)")
        }
        #expect(!server.run.exists("a.db"))
        try server.holt("copy", server.url, "a.db", "--skip-unsupported")
        let shown = try server.holt(
          "query", "SELECT tags, area, u FROM t", "a.db", "--output", "jsonl")
        #expect(
          shown.output
            == #"{"tags":["a",null,"b\"c"],"area":"(1,2)","u":"00000000-0000-0000-0000-000000000001"}"#
            + "\n")
      }
    }

    @Test func `a table with rows is only changed if it is named`() async throws {
      try await ServerRun.with(
        "CREATE TABLE t (id bigint PRIMARY KEY, \"Name\" text); INSERT INTO t VALUES (1, 'old')"
      ) { server in
        try server.makeSQLite(
          "a.db",
          "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (2, 'new')")
        let refused = try server.holt("copy", "a.db", server.url, status: 2)
        #expect(refused.errors.contains("the table t already exists and has rows"))
        let unnamed = try server.holt("copy", "a.db", server.url, "--existing", "append", status: 2)
        #expect(unnamed.errors.contains("hint: pass --table t"))
        try server.holt("copy", "a.db", server.url, "--existing", "append", "--table", "t")
        #expect(try await server.count("t") == 2)
        let twice = try server.holt(
          "copy", "a.db", server.url, "--existing", "append", "--table", "t", status: 2)
        #expect(twice.errors.contains("t_pkey"))
        #expect(try await server.count("t") == 2)
        try server.holt(
          "copy", "a.db", server.url, "--restart", "--existing", "replace", "--table", "t")
        #expect(try await server.count("t") == 1)
        #expect(try await server.tables() == ["t"])
      }
    }

    @Test func `files of all formats are copied`() async throws {
      try await ServerRun.with { server in
        try server.run.write(Samples.towns, to: "towns.json")
        try server.run.write(Samples.orders, to: "orders.csv")
        try server.holt("copy", "towns.json", server.url)
        let copied = try server.holt(
          "copy", "sale=orders.csv", server.url, "--column-type", "orders.sum=numeric(8,2)",
          status: 2)
        #expect(copied.errors.contains("no column orders.sum"))
        try server.holt(
          "copy", "sale=orders.csv", server.url, "--column-type", "sale.sum=numeric(8,2)")
        let sum = try await server.database.value(String.self, "SELECT sum(sum)::text FROM sale")
        #expect(sum == "120.75")
        try server.holt("copy", server.url, "all.json")
        #expect(try server.run.text(of: "all.json").contains("東京"))
      }
    }

    @Test func `an interrupted copy continues with the other tables`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite(
          "a.db",
          """
          CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO a VALUES (1, 1);
          CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id), n INTEGER); INSERT INTO b VALUES (1, 1, 'x');
          """)
        try server.holt("copy", "a.db", server.url, status: 2)
        #expect(try await server.tables() == ["a", "holt_copy"])
        let connection = try Connection(path: server.run.path("a.db"))
        try connection.execute("UPDATE b SET n = 5")
        try server.makeSQLite("other.db", "CREATE TABLE c (n INTEGER)")
        let mixed = try server.holt("copy", "other.db", server.url, status: 2)
        #expect(mixed.errors.contains("incomplete copy of"))
        try server.holt("copy", "a.db", server.url)
        #expect(try await server.tables() == ["a", "b"])
        let keys = try await server.database.value(
          Int.self, "SELECT count(*) FROM pg_constraint WHERE contype = 'f'")
        #expect(keys == 1)
      }
    }

    @Test func `a table that changed since an interrupted copy is noticed`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite(
          "a.db",
          """
          CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO a VALUES (1, 1);
          CREATE TABLE b (n INTEGER); INSERT INTO b VALUES ('x');
          """)
        try server.holt("copy", "a.db", server.url, status: 2)
        let connection = try Connection(path: server.run.path("a.db"))
        try connection.execute("UPDATE b SET n = 5; UPDATE a SET n = 2")
        let changed = try server.holt("copy", "a.db", server.url, status: 2)
        #expect(changed.errors.contains("the table a has changed in the source"))
        try server.holt("copy", "a.db", server.url, "--restart")
        let value = try await server.database.value(Int.self, "SELECT n FROM a")
        #expect(value == 2)
      }
    }

    @Test func `a row without its parent is refused before anything is written`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite(
          "a.db",
          """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER REFERENCES a(id));
          INSERT INTO b VALUES (77);
          """)
        let result = try server.holt("copy", "a.db", server.url, status: 2)
        #expect(result.errors.contains("row 1 of b references a missing row of a via a"))
        #expect(try await server.tables() == [])
      }
    }

    @Test func `passwords are never printed`() async throws {
      try await ServerRun.with { server in
        let url = server.url.replacing("postgres@", with: "postgres:s3cret@")
        try server.run.write(Samples.orders, to: "orders.csv")
        let results = [
          try server.run.holt("copy", "orders.csv", url),
          try server.run.holt("copy", "orders.csv", url),
          try server.run.holt("copy", "orders.csv", url + "?nonsense=1"),
          try server.run.holt("copy", "orders.csv", url.replacing("127.0.0.1", with: "127.0.0.9")),
          try server.run.holt("query", "SELECT 1", url, url),
          try server.run.holt("query", "SELECT nonsense", url),
          try server.run.holt("query", "SELECT nonsense", url, "--json"),
          try server.run.holt("schema", "orders.csv", url),
          try server.run.holt("schema", "--nonsense=\(url)"),
          try server.run.holt("copy", url, url),
          try server.run.holt("diff", url, "missing.db"),
          try server.run.holt("watch", "SELECT 1", url),
          try server.run.holt("check", url),
          try server.run.holt("convert", url, "a.json"),
        ]
        for result in results {
          #expect(!(result.output + result.errors).contains("s3cret"), "\(result.errors)")
        }
        #expect(results[0].output.hasPrefix("postgres://postgres@127.0.0.1"))
      }
    }
  }
#endif
