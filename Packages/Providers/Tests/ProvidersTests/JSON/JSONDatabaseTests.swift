import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Holt's JSON document layout` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The content of a database after it was written and read.
  private func rewritten(_ script: String) throws -> JSONProvider {
    let provider = JSONProvider()
    try provider.createSource(atPath: folder.path("data.json"))
    try provider.write { try $0.execute(SQL(unsafe: script)) }
    try provider.persist()
    let again = JSONProvider()
    try again.openSource(atPath: folder.path("data.json"))
    // Writing it again has the same result.
    try again.saveSource(atPath: folder.path("again.json"))
    #expect(try folder.text(of: "again.json") == folder.text(of: "data.json"))
    return again
  }

  @Test func `The example file can be opened`() throws {
    let provider = try folder.open(
      """
      {"holt":{"version":1},"tables":[{"name":"gears","primaryKey":["gid"],
        "columns":[{"name":"gid","type":"INTEGER","nullable":false},{"name":"label","type":"TEXT"}],
        "rows":[{"gid":1,"label":"spur"},{"gid":2,"label":null},{"gid":3}]}]}
      """)
    #expect(try provider.rows("SELECT * FROM gears") == "1, 'spur'\n2, NULL\n3, NULL")
    let schema = try provider.getTableSchema(forTableName: "gears")
    #expect(schema.primaryKey.map(\.name) == ["gid"])
    #expect(schema.columns.map(\.isNotNull) == [true, false])
    try provider.execute("INSERT INTO gears (label) VALUES ('bevel')")
    #expect(try provider.rows("SELECT max(gid) FROM gears") == "4")
  }

  @Test func `It has a line for each row`() throws {
    _ = try rewritten(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 0.5)")
    #expect(
      try folder.text(of: "data.json") == """
        {
        "holt":{
        "version":1
        },
        "tables":[
        {
        "name":"t",
        "primaryKey":[
        "a"
        ],
        "columns":[
        {"name":"a","type":"INTEGER"},
        {"name":"b"}
        ],
        "sql":"CREATE TABLE t (a INTEGER PRIMARY KEY, b)",
        "rows":[
        {"a":1,"b":"x"},
        {"a":2,"b":0.5}
        ]
        }
        ]
        }

        """)
  }

  @Test func `Values of all classes are preserved in columns of all types`() throws {
    let provider = try rewritten(
      """
      CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB, e, f NUMERIC);
      INSERT INTO t VALUES (9223372036854775807, 1.0, '', x'', NULL, 1),
        (-9007199254740993, 9e999, 'ä"\\' || char(0) || char(10) || 'z', x'00FF10', -9e999, 0.1),
        ('text', 'text', x'41', 'text', 1e300, x'00'), (1.5, NULL, '1', 5, 5.0, '1x'),
        (NULL, 1e-300, 'x', 9.5, 'x', 9223372036854775807)
      """)
    #expect(
      try provider.rows("SELECT a, typeof(a), b, typeof(b) FROM t")
        == "9223372036854775807, 'integer', 1.0, 'real'\n-9007199254740993, 'integer', 9e999, 'real'\n'text', 'text', 'text', 'text'\n1.5, 'real', NULL, 'null'\nNULL, 'null', 1e-300, 'real'"
    )
    #expect(
      try provider.rows("SELECT group_concat(hex(c), '|'), group_concat(typeof(c)) FROM t")
        == "'|C3A4225C000A7A|41|31|78', 'text,text,blob,text,text'")
    #expect(
      try provider.rows("SELECT group_concat(typeof(d)), group_concat(typeof(e)) FROM t")
        == "'blob,blob,text,integer,real', 'null,real,real,real,text'")
    #expect(try provider.rows("SELECT e FROM t WHERE rowid < 3") == "NULL\n-9e999")
  }

  @Test func `Constraints, indexes, views, triggers and versions are preserved`() throws {
    let provider = try rewritten(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE COLLATE NOCASE);
      CREATE TABLE child (a INTEGER REFERENCES parent ON DELETE CASCADE, b CHECK (b > 0) DEFAULT 7,
        c AS (b + 1), PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE strict (a ANY, b INTEGER) STRICT;
      INSERT INTO parent VALUES (1, 'x'), (40, 'y'); DELETE FROM parent WHERE id = 40;
      INSERT INTO child (a, b) VALUES (1, 2), (1, 1);
      INSERT INTO strict VALUES ('1', 1), (1, 2);
      CREATE INDEX i ON child (b DESC) WHERE b > 1;
      CREATE VIEW v AS SELECT c FROM child;
      CREATE TRIGGER t AFTER INSERT ON strict BEGIN INSERT INTO parent (name) VALUES (NEW.a); END;
      PRAGMA user_version = 12; PRAGMA application_id = 99;
      """)
    #expect(try provider.rows("SELECT * FROM v ORDER BY c") == "2\n3")
    #expect(try provider.rows("SELECT typeof(a) FROM strict") == "'text'\n'integer'")
    #expect(try provider.databaseVersion() == 12)
    try provider.execute("INSERT INTO strict VALUES ('new', 3)")
    #expect(try provider.rows("SELECT id, name FROM parent") == "1, 'x'\n41, 'new'")
    #expect(throws: SQLiteError.self) {
      try provider.execute("INSERT INTO child (a, b) VALUES (1, -1)")
    }
    #expect(throws: SQLiteError.self) {
      try provider.execute("INSERT INTO child (a, b) VALUES (5, 1)")
    }
    try provider.execute("DELETE FROM parent WHERE id = 1")
    #expect(try provider.rows("SELECT count(*) FROM child") == "0")
    #expect(
      try provider.rows("SELECT name FROM sqlite_schema WHERE sql > '' AND type <> 'table'")
        == "'i'\n'v'\n't'")
  }

  @Test func `Rowids are preserved, regardless of column names`() throws {
    let provider = try rewritten(
      """
      CREATE TABLE t (a, rowid, "" TEXT, "x""y"); INSERT INTO t (_rowid_, a, "") VALUES (7, 'x', 'e'), (-3, 'y', NULL);
      CREATE TABLE u (a); INSERT INTO u (rowid, a) VALUES (2, 'z');
      CREATE TABLE w (a INTEGER PRIMARY KEY DESC); INSERT INTO w (rowid, a) VALUES (5, 6);
      """)
    #expect(try provider.rows("SELECT _rowid_, a FROM t") == "-3, 'y'\n7, 'x'")
    #expect(try provider.rows("SELECT rowid, a FROM u") == "2, 'z'")
    #expect(try provider.rows("SELECT rowid, a FROM w") == "5, 6")
  }

  @Test func `Full-text indexes are preserved, also with external content`() throws {
    let provider = try rewritten(
      """
      CREATE VIRTUAL TABLE own USING fts5 (title, body);
      INSERT INTO own (rowid, title, body) VALUES (5, 'Milk', 'white'), (9, 'Bread', 'brown');
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO note VALUES (3, 'find me');
      CREATE VIRTUAL TABLE other USING fts5 (text, content='note', content_rowid='id');
      INSERT INTO other (other) VALUES ('rebuild');
      CREATE VIRTUAL TABLE box USING rtree (id, low, high);
      INSERT INTO box VALUES (4, 1.5, 2.1);
      """)
    #expect(try provider.rows("SELECT rowid FROM own WHERE own MATCH 'brown'") == "9")
    #expect(try provider.rows("SELECT rowid FROM other WHERE other MATCH 'find'") == "3")
    #expect(try provider.rows("SELECT id FROM box WHERE low < 1.6 AND high > 2") == "4")
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE t USING fts5 (a, content='')",
    "CREATE TABLE t (a); INSERT INTO t VALUES (CAST(x'FF' AS TEXT))",
  ])
  func `Unsupported content is refused`(script: String) throws {
    let provider = JSONProvider()
    try provider.createSource(atPath: folder.path("data.json"))
    let before = try folder.text(of: "data.json")
    try provider.write { try $0.execute(SQL(unsafe: script)) }
    let error = try #require(throws: ProviderError.self) { try provider.persist() }
    #expect(error.code == .unrepresentable)
    #expect(error.table == "t")
    #expect(try folder.text(of: "data.json") == before)
  }

  @Test func `An empty new file can be opened`() throws {
    #expect(try rewritten("").tableNames().isEmpty)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let text: String, message: String
    var testDescription: String { text }

    init(_ text: String, _ message: String) {
      self.text = text
      self.message = message
    }

    /// A table with these members after its name.
    static func table(_ members: String, _ message: String) -> Refusal {
      Refusal(#"{"holt":{"version":1},"tables":[{"name":"t",\#(members)}]}"#, message)
    }
  }

  @Test(arguments: [
    Refusal(#"{"holt":{"version":2},"tables":[]}"#, "version 2"),
    Refusal(#"{"holt":{"version":"1"},"tables":[]}"#, "a number"),
    Refusal(#"{"holt":{"version":1},"tables":{}}"#, "an array of tables"),
    Refusal(#"{"holt":{"version":1},"schema":["DROP TABLE t"]}"#, "a statement that creates"),
    Refusal(#"{"holt":{"version":1},"schema":["CREATE VIEW v AS SELECT 1; DROP VIEW v"]}"#, ""),
    Refusal(#"{"holt":{"version":1},"schema":["CREATE INDEX i ON none (a)"]}"#, "no such table"),
    Refusal(#"{"holt":{"version":1},"more":1}"#, "no member more"),
    .table(#""rows":[]"#, "columns"),
    .table(#""sql":"CREATE TABLE u (a)","rows":[]"#, "not create a table with this name"),
    .table(#""sql":"ATTACH 'x' AS y""#, "a statement that creates"),
    .table(#""columns":[{"name":"a","type":"INT, b"}],"rows":[]"#, "a column type"),
    .table(#""columns":[{"name":"a"}],"rows":[{"b":1}]"#, "no column b"),
    .table(#""columns":[{"name":"a"}],"rows":[{"a":12345678901234567890}]"#, "rounding"),
    .table(#""columns":[{"name":"a"}],"rows":[{"a":[1]}]"#, "a value"),
    .table(#""columns":[{"name":"a"}],"rows":[{"a":{"blob":"?"}}]"#, "Base64"),
    .table(#""columns":[{"name":"a"}],"rows":[{"a":{}}]"#, "a blob"),
    .table(#""columns":[{"name":"a","nullable":false}],"rows":[{"a":null}]"#, "NOT NULL"),
    .table(#""columns":[{"name":"a"}],"primaryKey":["a"],"rows":[{"a":1},{"a":1}]"#, "UNIQUE"),
    .table(#""columns":[{"name":"a"}],"rows":[],"sql":"CREATE TABLE t (a)""#, "before the rows"),
    .table(#""columns":[{"name":"a"}],"rows":[],"sequence":4"#, "sqlite_sequence"),
  ])
  func `Invalid files are refused`(refusal: Refusal) throws {
    let error = try folder.refusal(of: refusal.text)
    #expect(error.message.contains(refusal.message), "\(error)")
    #expect(error.position != nil, "\(error)")
    #expect(error.file?.hasSuffix("people.json") == true)
    #expect(try folder.text(of: "people.json") == refusal.text)
  }
}
