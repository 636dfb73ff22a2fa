#if os(Linux)
  import CommandTesting
  import Foundation
  import PostgreSQL
  import PostgreSQLTesting
  import SQLiteCore
  import Testing

  /// `query`, `schema` and `diff` with a PostgreSQL database.
  @Suite(.needsServer) struct `PostgreSQL as a source of the command` {
    static let shop = """
      CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
      CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
      CREATE TABLE team (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, size positive);
      CREATE TABLE player (
        id serial PRIMARY KEY, team bigint NOT NULL REFERENCES team ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        name text COLLATE "C" DEFAULT 'no ''name''', feeling mood DEFAULT 'sad', fee numeric(8,2) CHECK (fee >= 0),
        tags text[] NOT NULL DEFAULT '{}', "full name" text GENERATED ALWAYS AS (coalesce(name, '?')) STORED);
      CREATE INDEX player_name ON player (lower(name) DESC, team) WHERE fee IS NOT NULL;
      CREATE VIEW rich AS SELECT id, fee FROM player WHERE fee > 100;
      CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$;
      CREATE TRIGGER stamp BEFORE UPDATE ON player FOR EACH ROW EXECUTE FUNCTION stamp();
      COMMENT ON COLUMN player.fee IS 'in €';
      INSERT INTO team (name, size) VALUES ('Reds', 5), ('Blues', NULL);
      INSERT INTO player (team, name, fee, tags) VALUES (1, 'Zoë', 12.50, '{a,b}'), (2, NULL, NULL, '{}');
      """

    struct Case: CustomTestStringConvertible, Sendable {
      let arguments: [String]
      let output: String
      var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
      Case(
        arguments: ["SELECT id, name FROM team ORDER BY id", "--output", "csv"],
        output: "id,name\r\n1,Reds\r\n2,Blues\r\n"),
      Case(
        arguments: [
          "SELECT name, fee, tags, feeling, fee IS NULL AS free FROM player ORDER BY id",
          "--output", "jsonl",
        ],
        output: #"{"name":"Zoë","fee":12.50,"tags":["a","b"],"feeling":"sad","free":false}"# + "\n"
          + #"{"name":null,"fee":null,"tags":[],"feeling":"sad","free":true}"# + "\n"),
      Case(
        arguments: [
          "SELECT name FROM team WHERE id = :id OR name = :name", "--param", "id=2", "--param",
          "name=x", "--output", "csv",
        ], output: "name\r\nBlues\r\n"),
      Case(
        arguments: ["SELECT $1::int + $2::int AS sum", "--arg", "1", "--arg", "2", "--json"],
        output: #"[{"sum":3}]"# + "\n"),
      Case(
        arguments: [
          "SELECT ? || ':name' || ?::text AS t, 'a'::text AS b", "--arg", "x", "--arg", "7",
          "--output", "jsonl",
        ], output: #"{"t":"x:name7","b":"a"}"# + "\n"),
      Case(
        arguments: [
          "SELECT count(*) AS n FROM player WHERE fee = ? AND feeling = ?", "--arg", "12.5",
          "--arg", "sad", "--json",
        ], output: #"[{"n":1}]"# + "\n"),
      Case(
        arguments: [
          "SELECT inet '10.0.0.1' AS i, interval '1 day 2 hours' AS v, int4range(1, 5) AS r, ARRAY[1, NULL] AS a, jsonb '{\"a\": 1}' AS j, date '2026-01-02' AS d, uuid '0123456789abcdef0123456789abcdef' AS u, bytea '\\x00ff' AS b, 'NaN'::float8 AS n, timestamptz '2026-01-02 03:04:05+02' AS t, NULL AS x",
          "--output", "jsonl",
        ],
        output:
          #"{"i":"10.0.0.1/32","v":"1 day 02:00:00","r":"[1,5)","a":[1,null],"j":{"a":1},"d":"2026-01-02","u":"01234567-89ab-cdef-0123-456789abcdef","b":{"@data":"AP8="},"n":"NaN","t":"2026-01-02 01:04:05Z","x":null}"#
          + "\n"),
      Case(
        arguments: ["SELECT 1 AS a; SELECT ';' AS b; -- end", "--output", "csv"],
        output: "a\r\n1\r\nb\r\n;\r\n"),
      Case(arguments: ["SELECT 1 AS a WHERE false", "--output", "csv"], output: "a\r\n"),
    ])
    func `a query writes its rows in every format`(_ expected: Case) async throws {
      try await ServerRun.with(Self.shop) { server in
        let result = try server.run.command(
          ["query", expected.arguments[0], server.url] + expected.arguments.dropFirst())
        #expect(result.output == expected.output, "\(result.errors)")
        #expect(result.status == 0)
      }
    }

    @Test func `an error of a query has its position in the SQL`() async throws {
      try await ServerRun.with(Self.shop) { server in
        let result = try server.holt(
          "query", "SELECT 1;\nSELECT id, nmae FROM team WHERE id > :id", server.url, "--param",
          "id=1", "--output", "csv", status: 2)
        #expect(
          result.errors.hasPrefix("SQL:2:12: error: column \"nmae\" does not exist"),
          "\(result.errors)")
        #expect(result.errors.contains("           ^~~~"))
        let after = try server.holt(
          "query", "SELECT id FROM team WHERE id > :identifier AND nmae = 1", server.url, "--param",
          "identifier=1", status: 2)
        #expect(after.errors.hasPrefix("SQL:1:48: error"), "\(after.errors)")
      }
    }

    @Test(arguments: [
      "DELETE FROM player", "CREATE TABLE x (i int)", "SELECT nextval('player_id_seq')",
      "COMMIT; DELETE FROM player", "SET TRANSACTION READ WRITE; DELETE FROM player",
      "SET default_transaction_read_only = off; COMMIT; DELETE FROM player",
      "SELECT set_config('transaction_read_only', 'off', false); DELETE FROM player",
      "WITH d AS (DELETE FROM player RETURNING id) SELECT * FROM d",
    ])
    func `a query without --write changes nothing`(_ sql: String) async throws {
      try await ServerRun.with(Self.shop) { server in
        try server.holt("query", sql, server.url, status: 2)
        #expect(try await server.count("player") == 2)
        #expect(try await server.tables() == ["player", "team"])
        let next = try await server.database.value(Int.self, "SELECT last_value FROM player_id_seq")
        #expect(next == 2)
      }
    }

    @Test func `a query with --write runs in one transaction`() async throws {
      try await ServerRun.with(Self.shop) { server in
        let result = try server.holt(
          "query", "UPDATE team SET size = 9; DELETE FROM player WHERE id = 1", server.url,
          "--write")
        #expect(result.errors == "3 rows changed\n")
        try server.holt(
          "query", "DELETE FROM player; SELECT 1 / 0", server.url, "--write", status: 2)
        #expect(try await server.count("player") == 1)
        try server.holt(
          "query", "VACUUM; BEGIN; DELETE FROM player; ROLLBACK", server.url, "--write")
        #expect(try await server.count("player") == 1)
      }
    }

    @Test func `the reader of a large result can end it`() async throws {
      try await ServerRun.with { server in
        let start = ContinuousClock.now
        let result = try server.run.shell(
          "holt query 'SELECT i, repeat(chr(120), 500) FROM generate_series(1, 20000000) AS i' '\(server.url)' --output csv | head -n 3 | wc -l"
        )
        #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "3")
        #expect(ContinuousClock.now - start < .seconds(60))
      }
    }

    @Test func `the schema is a script that creates the same schema`() async throws {
      try await ServerRun.with(Self.shop) { server in
        let sql = try server.holt("schema", server.url).output
        let path = try server.run.write(sql, to: "schema.sql")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: server.run.folder)
        try await ServerRun.with { other in
          try other.server.run(
            "psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", path, other.url])
          #expect(try other.holt("schema", other.url).output == sql)
          try other.holt("diff", server.url, other.url)
          try other.holt("diff", other.url, server.url)
        }
        let markdown = try server.holt("schema", server.url, "--format", "markdown").output
        #expect(markdown.contains("2 rows") && markdown.contains("| fee | DECIMAL(8,2) |"))
        #expect(try server.holt("schema", server.url, "--format", "svg").output.hasPrefix("<svg"))
      }
    }

    @Test func `the difference of two databases migrates the first one`() async throws {
      let changes = """
        ALTER TABLE team ADD COLUMN city text DEFAULT 'Oslo';
        ALTER TABLE team ALTER COLUMN name TYPE text, ALTER COLUMN name DROP NOT NULL;
        ALTER TABLE player DROP COLUMN fee CASCADE;
        DROP FUNCTION stamp() CASCADE;
        CREATE TABLE note (id int PRIMARY KEY, team bigint REFERENCES team);
        CREATE INDEX note_team ON note (team);
        """
      try await ServerRun.with(Self.shop) { old in
        try await ServerRun.with(Self.shop) { new in
          try await new.database.execute(PostgreSQLQuery(unsafe: changes))
          let result = try old.holt("diff", old.url, new.url, status: 1)
          #expect(
            result.output.contains(
              "-- add column city to team\nALTER TABLE \"public\".\"team\" ADD COLUMN"))
          #expect(result.output.contains("-- loses the values of player.fee"))
          let script = try old.holt("diff", old.url, new.url, status: 1).output
          try await old.database.execute(PostgreSQLQuery(unsafe: script))
          try old.holt("diff", old.url, new.url)
          #expect(try old.holt("diff", old.url, new.url, "--data").output == "")
        }
      }
    }

    @Test func `a file and a database are compared by their types`() async throws {
      try await ServerRun.with { server in
        try server.makeSQLite("a.db", "\(`Copying to and from PostgreSQL`.everything)")
        try server.holt("copy", "a.db", server.url)
        #expect(try server.holt("diff", "a.db", server.url).output == "")
        #expect(try server.holt("diff", server.url, "a.db").output == "")
        #expect(try server.holt("diff", "a.db", server.url, "--data").output == "")
        try await server.database.execute(
          "ALTER TABLE empty ADD COLUMN day date; UPDATE \"a.b\" SET \"ID2\" = 11 WHERE id = 5")
        let forward = try server.holt("diff", "a.db", server.url, status: 1)
        #expect(
          forward.output.contains("ALTER TABLE \"empty\" ADD COLUMN \"day\" DATE"),
          "\(forward.output)")
        let backward = try server.holt("diff", server.url, "a.db", status: 1)
        #expect(backward.output.contains("DROP COLUMN \"day\""), "\(backward.output)")
        let data = try server.holt(
          "diff", "a.db", server.url, "--data", "--table", "a.b", status: 1)
        #expect(data.output.contains("~ a.b id=5  ID2: 10 -> 11"), "\(data.output)")
      }
    }
  }
#endif
