import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Definitions` {
  @Test(arguments: [
    Refusal("CREATE TABLE ①user② (a)", .alreadyExists),
    Refusal("CREATE TABLE ①sqlite_x② (a)", .reservedName),
    Refusal("CREATE TABLE ①nowhere②.t (a)", .unknownDatabase),
    Refusal("CREATE TABLE t (a, ①A②)", .duplicateColumn),
    Refusal("CREATE TABLE t (a PRIMARY KEY, b ①PRIMARY KEY②)", .primaryKey),
    Refusal("CREATE TABLE t (a TEXT ①PRIMARY KEY AUTOINCREMENT②)", .primaryKey),
    Refusal("CREATE TABLE t (a, PRIMARY KEY (①b②))", .unknownColumn),
    Refusal("CREATE TABLE t (a, UNIQUE (①a + 1②))", .invalidDefinition),
    Refusal("CREATE TABLE t (a CHECK (①b② > 1))", .unknownColumn),
    Refusal(
      "CREATE TABLE t (a CHECK (a IN ①(SELECT 1)②))".replacing("①", with: "")
        .replacing("②", with: ""), .prohibitedHere),
    Refusal("CREATE TABLE t (a, b AS (①count②(a)))", .aggregateMisuse),
    Refusal("CREATE TABLE t (a, b AS (①random②()))", .prohibitedHere),
    Refusal("CREATE TABLE t (a DEFAULT (①b②))", .nonConstantDefault),
    Refusal("CREATE TABLE t (a COLLATE ①nope②)", .unknownCollation),
    Refusal(
      "CREATE TABLE t (a ①REFERENCES user (id, name)②)".replacing("①", with: "")
        .replacing("②", with: ""), .foreignKey),
    Refusal("CREATE TABLE t (a, FOREIGN KEY (①b②) REFERENCES user)", .foreignKey),
    Refusal("CREATE TABLE t ①(a) WITHOUT ROWID②", .primaryKey),
    Refusal("CREATE TABLE t (①a②) STRICT", .strictType),
    Refusal("CREATE TABLE t (a ①DATETIME②) STRICT", .strictType),
    Refusal("CREATE VIEW ①user② AS SELECT 1", .alreadyExists),
    Refusal("CREATE INDEX i ON user (①nope②)", .unknownColumn),
    Refusal("CREATE INDEX i ON ①nowhere② (a)", .unknownTable),
    Refusal("CREATE INDEX i ON user (name) WHERE id > ①(SELECT 1)②", .prohibitedHere),
    Refusal("CREATE INDEX i ON user (①random②())", .prohibitedHere),
    Refusal("CREATE INDEX ①tag② ON user (name)", .alreadyExists),
    Refusal("CREATE TRIGGER r INSTEAD OF INSERT ON ①user② BEGIN SELECT 1; END", .invalidDefinition),
    Refusal("CREATE TRIGGER r AFTER INSERT ON ①nowhere② BEGIN SELECT 1; END", .unknownTable),
    Refusal("DROP TABLE ①nowhere②", .unknownTable),
    Refusal("DROP VIEW ①user②", .notWritable),
    Refusal("DROP INDEX ①nope②", .unknownObject),
    Refusal("ALTER TABLE ①nowhere② ADD a", .unknownTable),
    Refusal("ALTER TABLE user ADD ①name②", .duplicateColumn),
    Refusal("ALTER TABLE user ADD a ①UNIQUE②", .notAlterable),
    Refusal("ALTER TABLE user DROP ①id②", .notAlterable),
    Refusal("ALTER TABLE user DROP ①email②", .notAlterable),
    Refusal("ALTER TABLE user DROP ①nope②", .unknownColumn),
    Refusal("ALTER TABLE user RENAME ①nope② TO x", .unknownColumn),
    Refusal("ALTER TABLE user RENAME TO ①post②", .alreadyExists),
  ])
  func `that SQLite rejects are rejected`(_ refusal: Refusal) {
    expectRefused(refusal)
  }

  @Test func `create the same columns as in SQLite`() {
    let database = Database(
      """
      CREATE TABLE t (
        a INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL, c, d DOUBLE PRECISION, e DECIMAL(1, 2),
        f BOOLEAN, g TIMESTAMP, h BLOB);
      CREATE TABLE key (a TEXT PRIMARY KEY, b);
      CREATE TABLE pair (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE TABLE typed (a ANY, b INT NOT NULL) STRICT;
      CREATE TABLE copy AS SELECT a, b, a + 1 AS c FROM t;
      CREATE VIEW seen (x, y) AS SELECT a, max(b) FROM t;
      """)
    #expect(database.diagnostics.diagnostics.map(\.message) == [])
    let tables = database.catalog.tables().map { table in
      table.name + ": "
        + table.columns.map { "\($0.name) \(spelling($0.type, $0.isNullable))" }
        .joined(separator: ", ") + (table.primaryKey.isEmpty ? "" : " key \(table.primaryKey)")
    }
    #expect(
      tables == [
        "copy: a integer?, b text?, c any?",
        #"key: a text?, b any? key ["a"]"#,
        #"pair: a text, b integer key ["b", "a"]"#,
        "seen: x integer?, y text?",
        #"t: a integer, b text, c any?, d real?, e numeric?, f boolean?, g any?, h blob? key ["a"]"#,
        "typed: a any?, b integer",
      ])
  }
}

@Suite struct `Alterations` {
  private func columns(_ database: Database, _ sql: String) -> [String] {
    let (analysis, diagnostics) = database.analyze(sql)
    #expect(diagnostics.map(\.message) == [])
    return analysis?.columns.map(\.name) ?? []
  }

  @Test func `of a table's name update views, triggers, indexes and foreign keys`() {
    var database = Database()
    database.apply(
      """
      CREATE VIEW v AS SELECT user.name FROM user JOIN post ON post.userId = user.id;
      CREATE TRIGGER r AFTER INSERT ON user BEGIN UPDATE user SET age = 1 WHERE id = new.id; END;
      CREATE UNIQUE INDEX i ON user (name);
      ALTER TABLE user RENAME TO person;
      ALTER TABLE person ADD COLUMN nick TEXT CHECK (person.nick <> '');
      """)
    #expect(database.diagnostics.diagnostics.map(\.message) == [])
    #expect(columns(database, "SELECT * FROM v") == ["name"])
    expectAccepted("INSERT INTO person (name, nick) VALUES ('a', 'b')", in: database)
    expectAccepted(
      "INSERT INTO person (name) VALUES (1) ON CONFLICT (name) DO NOTHING", in: database)
    expectRefused(Refusal("SELECT 1 FROM ①user②", .unknownTable), in: database)
  }

  @Test func `of a column's name update views, triggers and indexes`() {
    var database = Database()
    database.apply(
      """
      CREATE VIEW v AS SELECT name, upper(u.name) AS big FROM user AS u;
      CREATE TRIGGER r AFTER UPDATE OF name ON user BEGIN
        INSERT INTO tag VALUES (new.id, old.name);
      END;
      CREATE INDEX i ON user (name, lower(name)) WHERE name <> '';
      ALTER TABLE user RENAME COLUMN name TO "full name";
      """)
    #expect(database.diagnostics.diagnostics.map(\.message) == [])
    #expect(columns(database, "SELECT * FROM v") == ["full name", "big"])
    expectAccepted("UPDATE user SET \"full name\" = 'a'", in: database)
    #expect(database.catalog.verify() == [])
  }

  @Test func `that drop a column remove it`() {
    var database = Database()
    database.apply("ALTER TABLE user DROP COLUMN age; ALTER TABLE user ADD COLUMN size REAL;")
    #expect(database.diagnostics.diagnostics.map(\.message) == [])
    expectRefused(Refusal("SELECT ①age② FROM user", .unknownColumn), in: database)
    expectAccepted("SELECT size FROM user WHERE id = 1", in: database)
  }

  @Test(arguments: [
    "CREATE VIEW v AS SELECT age FROM user; ALTER TABLE user DROP COLUMN age;",
    "CREATE INDEX i ON user (age); ALTER TABLE user DROP COLUMN age;",
    "CREATE TABLE t (a, b CHECK (a > 1)); ALTER TABLE t DROP COLUMN a;",
    "CREATE VIEW v AS SELECT nope FROM user; ALTER TABLE user RENAME TO person;",
  ])
  func `that break another object are rejected`(_ sql: String) {
    var database = Database()
    database.apply(sql)
    #expect(database.diagnostics.hasErrors)
  }

  @Test func `can rebuild a table used by a view with legacy_alter_table`() {
    var database = Database("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t;")
    let rebuild = "CREATE TABLE t2 (a, b); DROP TABLE t; ALTER TABLE t2 RENAME TO t;"
    var strict = database
    strict.apply(rebuild)
    #expect(strict.diagnostics.hasErrors)
    database.apply("PRAGMA legacy_alter_table = ON; \(rebuild)")
    #expect(!database.diagnostics.hasErrors)
    #expect(database.catalog.verify() == [])
  }

  @Test func `that break a view are found by verification`() {
    var database = Database()
    database.apply("CREATE VIEW v AS SELECT title FROM post; DROP TABLE post;")
    #expect(database.catalog.verify().map(\.name) == ["v"])
  }
}

@Suite struct `Schema verification` {
  @Test(arguments: [
    "CREATE TABLE a (b REFERENCES gone(id))",
    "CREATE TABLE p (x, y); CREATE TABLE a (b REFERENCES p(x))",
    "CREATE TABLE p (x); CREATE TABLE a (b REFERENCES p)",
    "CREATE TABLE p (x, y, UNIQUE (x, y)); CREATE TABLE a (b REFERENCES p(x))",
  ])
  func `finds foreign keys that SQLite cannot check`(_ schema: String) {
    let broken = Database(schema).catalog.verify()
    #expect(broken.map(\.name) == ["a"])
    #expect(broken.map(\.kind) == ["table"])
  }

  @Test(arguments: [
    "CREATE TABLE a (id INTEGER PRIMARY KEY, up REFERENCES a(id), b REFERENCES a)",
    "CREATE TABLE a (b REFERENCES later(k)); CREATE TABLE later (k UNIQUE)",
    "CREATE TABLE p (x, y, PRIMARY KEY (x, y)); "
      + "CREATE TABLE a (b, c, FOREIGN KEY (b, c) REFERENCES p (y, x))",
    "CREATE TABLE p (x); CREATE UNIQUE INDEX i ON p (x); CREATE TABLE a (b REFERENCES p(x))",
    "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE a (b REFERENCES p(id)); "
      + "ALTER TABLE p RENAME TO q; ALTER TABLE q RENAME COLUMN id TO key",
  ])
  func `accepts foreign keys that SQLite can check`(_ schema: String) {
    #expect(Database(schema).catalog.verify() == [])
  }

  @Test(arguments: [
    "a NOT NULL", "a NOT NULL DEFAULT NULL", "a DEFAULT CURRENT_TIMESTAMP",
    "a DEFAULT (random())", "a AS (id + 1) STORED",
  ])
  func `warns about added columns that fail if the table has rows`(_ column: String) {
    let database = Database(Database.library + "ALTER TABLE user ADD COLUMN \(column);")
    #expect(database.diagnostics.diagnostics.map(\.identity) == [.failsWithRows])
    #expect(!database.diagnostics.hasErrors)
  }
}

@Suite struct `Virtual tables` {
  @Test(arguments: [
    "CREATE VIRTUAL TABLE t USING nope(a)",
    "CREATE VIRTUAL TABLE t USING fts5(a, contents='b')",
    "CREATE VIRTUAL TABLE t USING fts5(a, tokenize='portr')",
    "CREATE VIRTUAL TABLE t USING fts4(a, tokenize=nope)",
    "CREATE VIRTUAL TABLE t USING fts4(a, nope=1)",
    "CREATE VIRTUAL TABLE t USING rtree(id, x)",
    "CREATE VIRTUAL TABLE t USING fts5(a, a)",
  ])
  func `that their modules reject are rejected in migrations`(_ sql: String) {
    #expect(Database(sql).diagnostics.errorCount == 1)
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE t USING fts5(a UNINDEXED, b, tokenize = 'porter unicode61', prefix='2 3')",
    "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = \"unicode61 remove_diacritics 2\")",
    "CREATE VIRTUAL TABLE t USING fts5(a, content='', columnsize=0, detail=none)",
    "CREATE VIRTUAL TABLE t USING fts4(a, b, tokenize=porter, languageid=\"lid\", order=DESC)",
    "CREATE VIRTUAL TABLE t USING fts3(a, tokenize porter)",
    "CREATE VIRTUAL TABLE t USING rtree(id, x1, x2, y1, y2, +note TEXT)",
  ])
  func `that SQLite accepts are created`(_ sql: String) {
    let database = Database(sql)
    #expect(database.diagnostics.diagnostics.map(\.message) == [])
    expectAccepted("SELECT rowid, * FROM t", in: database)
  }
}

@Suite struct `Column types that SQLite ignores` {
  @Test(arguments: [
    ("id INT AUTO_INCREMENT PRIMARY KEY", "INT AUTO_INCREMENT", true),
    ("id SERIAL PRIMARY KEY", "SERIAL", true),
    ("id INT IDENTITY(1, 1)", "INT IDENTITY(1, 1)", false),
    ("id BIGSERIAL", "BIGSERIAL", false),
  ])
  func `are reported`(_ column: String, _ type: String, _ isKey: Bool) throws {
    let text = "CREATE TABLE t (\(column))"
    let list = Database(text).diagnostics
    #expect(list.diagnostics.map(\.identity) == [.ignoredType])
    let diagnostic = try #require(list.diagnostics.first)
    #expect(diagnostic.severity == .warning)
    #expect(SourceText(text)[diagnostic.span] == type)
    #expect(diagnostic.fixIt?.replacement == (isKey ? "INTEGER" : nil))
  }

  @Test(arguments: ["id INTEGER PRIMARY KEY", "serial TEXT", "a INT UNSIGNED", "identity"])
  func `do not include others`(_ column: String) {
    #expect(Database("CREATE TABLE t (\(column))").diagnostics.diagnostics == [])
  }
}
