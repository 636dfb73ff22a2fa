import SQLiteCore
import Testing

@Suite struct `The schema reader` {
  @Test func `lists tables and views by name, without internal and shadow tables`() throws {
    let db = try memory(
      """
      CREATE TABLE zebra (id INTEGER PRIMARY KEY AUTOINCREMENT, v ANY) STRICT;
      CREATE TABLE "a ""quoted"" name" (k TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE VIEW seen AS SELECT id FROM zebra;
      CREATE VIRTUAL TABLE words USING fts5(body);
      CREATE INDEX zebra_v ON zebra (v);
      """)
    let tables = try db.tables()
    #expect(tables.map(\.name.name) == ["a \"quoted\" name", "seen", "words", "zebra"])
    #expect(tables.map(\.kind) == [.table, .view, .virtual, .table])
    #expect(tables.map(\.isWithoutRowID) == [true, false, false, false])
    #expect(tables.map(\.isStrict) == [false, false, false, true])
    #expect(tables[1].sql == "CREATE VIEW seen AS SELECT id FROM zebra")
    let all = try db.allTables()
    #expect(all.contains { $0.kind == .shadow && $0.name == "words_data" })
    #expect(all.contains { $0.name == "sqlite_sequence" })
  }

  @Test func `finds a table in any case, and returns nil if it does not exist`() throws {
    let db = try memory("CREATE TABLE Book (id INTEGER PRIMARY KEY)")
    #expect(try db.table("bOOK")?.name.name == "Book")
    #expect(try db.table("nope") == nil)
    #expect(try db.columns(of: "nope") == [])
    #expect(try db.indexes(of: "nope") == [])
    #expect(try db.foreignKeys(of: "nope") == [])
    #expect(try db.tables(in: "nope") == [])
  }

  @Test func `returns a table's statement even if a trigger has the same name`() throws {
    let db = try memory(
      """
      CREATE TABLE other (b);
      CREATE TRIGGER t AFTER INSERT ON other BEGIN SELECT 1; END;
      CREATE TABLE t (a)
      """)
    #expect(try db.table("t")?.sql == "CREATE TABLE t (a)")
  }

  @Test func `distinguishes names that are equal in Swift`() throws {
    let db = try memory("CREATE TABLE \"\u{e9}\" (a, b); CREATE TABLE \"e\u{301}\" (c)")
    #expect(try db.tables().map { $0.columns.map(\.name) } == [["c"], ["a", "b"]])
    #expect(try db.tables().map { $0.sql?.utf8.count } == [22, 24])
  }

  @Test func `describes columns of every kind`() throws {
    let db = try memory(
      """
      CREATE TABLE t (
        b TEXT NOT NULL DEFAULT 'x', "odd name" VARCHAR(10), untyped,
        v AS (untyped + 1), s INTEGER AS (untyped + 2) STORED, a INT DEFAULT (1 + 1),
        PRIMARY KEY (a, b)
      )
      """)
    let columns = try db.columns(of: "t")
    #expect(columns.map(\.name) == ["b", "odd name", "untyped", "v", "s", "a"])
    #expect(columns.map(\.declaredType) == ["TEXT", "VARCHAR(10)", "", "", "INTEGER", "INT"])
    #expect(columns.map(\.isNotNull) == [true, false, false, false, false, false])
    #expect(columns.map(\.defaultSQL) == ["'x'", nil, nil, nil, nil, "1 + 1"])
    #expect(columns.map(\.primaryKeyPosition) == [2, nil, nil, nil, nil, 1])
    #expect(
      columns.map(\.kind) == [
        .stored, .stored, .stored, .virtualGenerated, .storedGenerated, .stored,
      ])
    #expect(try db.table("t")?.primaryKey.map(\.name) == ["a", "b"])
  }

  @Test func `shows the hidden columns of virtual tables`() throws {
    let db = try memory("CREATE VIRTUAL TABLE w USING fts5(body)")
    let columns = try db.columns(of: "w")
    #expect(columns.filter { $0.kind == .hidden }.map(\.name) == ["w", "rank"])
    #expect(columns.first?.name == "body")
  }

  @Test func `describes the columns of a view`() throws {
    let db = try memory(
      "CREATE TABLE t (a INTEGER); CREATE VIEW v AS SELECT a, a || '' AS s FROM t")
    #expect(try db.columns(of: "v").map(\.name) == ["a", "s"])
  }

  @Test func `describes indexes: unique, partial, of constraints, of expressions`() throws {
    let db = try memory(
      """
      CREATE TABLE t (id TEXT PRIMARY KEY, a UNIQUE, b, "c d");
      CREATE INDEX by_two ON t ("c d", b DESC);
      CREATE UNIQUE INDEX by_expression ON t (lower(a), b) WHERE b > 0;
      """)
    let indexes = try db.indexes(of: "t")
    #expect(
      indexes.map(\.name) == [
        "by_expression", "by_two", "sqlite_autoindex_t_1", "sqlite_autoindex_t_2",
      ])
    #expect(indexes.map(\.isUnique) == [true, false, true, true])
    #expect(indexes.map(\.isPartial) == [true, false, false, false])
    #expect(indexes.map(\.origin) == [.statement, .statement, .primaryKey, .uniqueConstraint])
    #expect(indexes.map(\.columns) == [[nil, "b"], ["c d", "b"], ["id"], ["a"]])
  }

  @Test func `describes foreign keys, also composite ones, in order of declaration`() throws {
    let db = try memory(
      """
      CREATE TABLE p (a, b, PRIMARY KEY (a, b));
      CREATE TABLE q (id INTEGER PRIMARY KEY);
      CREATE TABLE c (
        x, y, z REFERENCES q ON DELETE CASCADE ON UPDATE SET NULL,
        FOREIGN KEY (y, x) REFERENCES p (b, a) ON DELETE RESTRICT,
        FOREIGN KEY (x, y) REFERENCES p
      );
      """)
    let keys = try db.foreignKeys(of: "c")
    #expect(keys.map(\.columns) == [["z"], ["y", "x"], ["x", "y"]])
    #expect(keys.map(\.parentTable) == ["q", "p", "p"])
    #expect(keys.map(\.parentColumns) == [[], ["b", "a"], []])
    #expect(keys.map(\.onDelete) == ["CASCADE", "RESTRICT", "NO ACTION"])
    #expect(keys.map(\.onUpdate) == ["SET NULL", "NO ACTION", "NO ACTION"])
  }

  @Test func `reads temporary and attached databases`() throws {
    let db = try memory(
      """
      CREATE TEMP TABLE scratch (a);
      ATTACH ':memory:' AS "other ""db";
      CREATE TABLE "other ""db".t (b UNIQUE REFERENCES t);
      """)
    #expect(try db.tables(in: "temp").map(\.name) == [TableName(schema: "temp", "scratch")])
    let other = try db.tables(in: "other \"db")
    #expect(other.map(\.name.name) == ["t"])
    #expect(other.first?.sql?.hasPrefix("CREATE TABLE") == true)
    #expect(try db.indexes(of: "t", in: "other \"db").count == 1)
    #expect(try db.foreignKeys(of: "t", in: "other \"db").count == 1)
    #expect(try db.tables() == [])
  }

  @Test(arguments: ["plain", "with space", "with\"quote", "select", "é", "a;b", "'single'", "[x]"])
  func `quotes any name so that SQLite reads it literally`(_ name: String) throws {
    let quoted = SQLName.quoted(name)
    let db = try memory(
      """
      CREATE TABLE \(unsafe: quoted) (\(unsafe: quoted) INTEGER PRIMARY KEY, r REFERENCES \(unsafe: quoted));
      CREATE INDEX \(identifier: "i " + name) ON \(unsafe: quoted) (r);
      """)
    #expect(try db.tables().map(\.name.name) == [name])
    #expect(try db.columns(of: name).map(\.name) == [name, "r"])
    #expect(try db.indexes(of: name).map(\.name) == ["i " + name])
    #expect(try db.foreignKeys(of: name).map(\.parentTable) == [name])
  }
}
