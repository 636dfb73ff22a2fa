import SQLiteCore
import Testing

/// Schemas that are easily misparsed.
@Suite struct `Any schema` {
  static let scripts = [
    "CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b); INSERT INTO t VALUES (3, 'x')",
    "CREATE TABLE t (a INTEGER, PRIMARY KEY (a DESC)); INSERT INTO t VALUES (5)",
    """
    CREATE TABLE "select" (
      "from" INTEGER PRIMARY KEY AUTOINCREMENT,
      "where" TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE
    );
    INSERT INTO "select" VALUES (7, 'a');
    CREATE INDEX "group" ON "select" ("where" DESC) WHERE "where" IS NOT NULL;
    """,
    """
    CREATE TABLE 't''x' ('a' INTEGER, `b` TEXT, [c d] REAL, PRIMARY KEY ('a', [c d])) WITHOUT ROWID;
    INSERT INTO "t'x" VALUES (1, 'b', 2.5);
    """,
    """
    CREATE TABLE node (
      id INTEGER PRIMARY KEY,
      parent REFERENCES node (id) ON DELETE CASCADE NOT DEFERRABLE INITIALLY DEFERRED
    );
    INSERT INTO node VALUES (1, NULL), (2, 1);
    """,
    """
    CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b NOT NULL DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a);
    INSERT INTO b VALUES (1, NULL); INSERT INTO a VALUES (1, 1);
    """,
    """
    CREATE TABLE t(a -- first
    , b /* second */ DEFAULT 'x,)' -- third
    ); ALTER TABLE t ADD COLUMN c INTEGER DEFAULT -1 CHECK (c < 5); INSERT INTO t (a) VALUES (1);
    """,
    """
    CREATE TABLE t(a, UNIQUE (a) CHECK (a > 0)); ALTER TABLE t ADD COLUMN "b c" REFERENCES t (a);
    INSERT INTO t (a) VALUES (1);
    """,
    """
    CREATE TABLE t (a); ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME COLUMN a TO "b";
    ALTER TABLE u ADD COLUMN c AS (b + 1); INSERT INTO u VALUES (1);
    """,
    "CREATE TABLE t AS SELECT 1 AS a, 'x' AS \"b\"\"c\", 2.5 AS [d e]",
    """
    CREATE TABLE t (
      a INT GENERATED ALWAYS AS (b * 2) STORED NOT NULL, b INT, c AS (a || ',' || b)
    );
    INSERT INTO t (b) VALUES (1);
    """,
    "CREATE TABLE t (a ANY, b INT, c BLOB) STRICT; INSERT INTO t VALUES ('1', 1, x'00')",
    """
    CREATE TABLE İ (é, ı); CREATE INDEX ß ON İ (é); CREATE VIEW ſ AS SELECT é FROM İ;
    CREATE TABLE "e\u{301}" (a); CREATE TABLE "\u{e9}" (a, b); INSERT INTO İ VALUES (1, 2);
    """,
    """
    CREATE TABLE t (key, desc, asc, if, temp, view, trigger, "index", rowid, generated, always);
    CREATE INDEX i ON t (desc, asc DESC, key);
    """,
    """
    CREATE TABLE t (
      a CONSTRAINT x NOT NULL CONSTRAINT y DEFAULT (1 + 2) UNIQUE CONSTRAINT z CHECK (a <> 'b'),
      CONSTRAINT q FOREIGN KEY (a) REFERENCES t (a) MATCH FULL ON UPDATE SET NULL
    )
    """,
    "CREATE TABLE t (a DECIMAL(10, -2), b \"odd type\", c UNSIGNED BIG INT, d VARCHAR (255))",
    "CREATE TABLE t (a DEFAULT (max(1, 2)), b DEFAULT CURRENT_TIME, c DEFAULT x'ff', d DEFAULT -.5)",
    "CREATE TABLE t (a \"CHECK\", b 'UNIQUE', c [PRIMARY KEY])",
    "CREATE TABLE sqlite (a); CREATE TABLE t_data (b); CREATE TABLE \"a.b\" (c)",
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY, "b
    c" TEXT, "d--e" TEXT, "f/*g" TEXT); INSERT INTO t VALUES (1, 'a', 'b', 'c');
    """,
    """
    CREATE TABLE t (a, b); CREATE VIEW v (x, y) AS SELECT a, b FROM t -- shown
    ; CREATE TRIGGER g INSTEAD OF UPDATE OF x ON v
    BEGIN SELECT 1; UPDATE t SET a = CASE WHEN 1 THEN 2 END; END;
    """,
    """
    CREATE TABLE t (a);
    CREATE UNIQUE INDEX i ON t (lower(a) COLLATE NOCASE DESC, a) WHERE a NOT IN ('x', 'y');
    CREATE TRIGGER g BEFORE UPDATE OF a ON t WHEN NEW.a > OLD.a
    BEGIN SELECT RAISE(ABORT, 'no; END'); END;
    """,
    """
    CREATE VIRTUAL TABLE f USING fts5(a, b UNINDEXED, tokenize = "unicode61 separators 'X'");
    INSERT INTO f VALUES ('x', 'y');
    CREATE VIRTUAL TABLE g USING fts4(a, b, tokenize=unicode61 "tokenchars=.=");
    INSERT INTO g VALUES ('x', 'y');
    CREATE VIRTUAL TABLE r USING rtree(id, x0, x1, +n); INSERT INTO r VALUES (1, 2, 3, 'x');
    """,
    """
    CREATE TABLE d (id INTEGER PRIMARY KEY, x); INSERT INTO d VALUES (4, 'q');
    CREATE VIRTUAL TABLE f USING fts5(x, content=d, content_rowid=id);
    """,
  ]

  private func content(_ db: Connection) throws -> [[SQLiteValue]] {
    var all: [[SQLiteValue]] = []
    for table in try db.tables() where table.kind != .view {
      let hidesKey = table.isWithoutRowID || table.columns.contains { $0.name == "rowid" }
      all += try db.rows(
        "SELECT \(unsafe: hidesKey ? "" : "rowid, ")* FROM \(identifier: table.name.name)")
    }
    return all
  }

  @Test(arguments: scripts)
  func `is equivalent to itself, to its script and to its rebuilt tables`(_ script: String) throws {
    let db = try memory(SQL(unsafe: script))
    let schema = try db.databaseSchema()
    let rows = try content(db)
    #expect(try SchemaDiff(from: schema, to: schema).isEmpty)
    #expect(try SchemaDiff(from: DatabaseSchema(sql: SQL(unsafe: schema.sql)), to: schema).isEmpty)
    for table in schema.tables { try db.rebuild(table.name.name, to: SQL(unsafe: table.sql ?? "")) }
    #expect(try db.databaseSchema().isEquivalent(to: schema))
    #expect(try content(db) == rows)
    #expect(try db.integrityCheck() == [])
  }

  @Test(arguments: scripts)
  func `can be created from nothing and removed`(_ script: String) throws {
    let schema = try DatabaseSchema(sql: SQL(unsafe: script))
    let db = try memory()
    try db.changeSchema(to: schema)
    #expect(try db.databaseSchema().isEquivalent(to: schema))
    try db.changeSchema(to: DatabaseSchema(sql: ""), allowing: .everything)
    #expect(try db.databaseSchema().statements == 0)
  }

  @Test(arguments: scripts) func `is restored from a dump, with its rows`(_ script: String) throws {
    let db = try memory(SQL(unsafe: script))
    let copy = try memory { $0.isDefensive = false }
    try copy.execute(SQL(unsafe: try db.dumpSQL()))
    let all = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"
    #expect(try copy.rows(SQL(unsafe: all)) == db.rows(SQL(unsafe: all)))
    #expect(try content(copy) == content(db))
  }
}

extension DatabaseSchema {
  fileprivate var statements: Int { tables.count + indexes.count + views.count + triggers.count }
}
