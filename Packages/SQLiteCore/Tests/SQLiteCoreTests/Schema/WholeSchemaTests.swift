import SQLiteCore
import Testing

@Suite struct `A whole schema` {
  static let script = """
    CREATE TABLE author (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE NOT NULL, plain,
      initial AS (substr(name, 1, 1)), length INTEGER GENERATED ALWAYS AS (length(name)) STORED
    );
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT UNIQUE ON CONFLICT IGNORE,
      author INTEGER CONSTRAINT written_by REFERENCES author (id) ON DELETE SET NULL MATCH FULL
        DEFERRABLE INITIALLY DEFERRED,
      other INTEGER REFERENCES author NOT DEFERRABLE, year INTEGER CHECK (year > 0),
      CONSTRAINT sane CHECK (length(title) < 100) UNIQUE (year, title)
    ) STRICT;
    CREATE INDEX by_name ON author (name COLLATE RTRIM DESC, lower(plain), id) WHERE id > 1;
    CREATE VIEW seen AS SELECT name FROM author;
    CREATE VIRTUAL TABLE words USING fts5(title, content='book', tokenize = "unicode61");
    CREATE VIRTUAL TABLE places USING rtree(id, minX, maxX);
    CREATE TRIGGER t1 AFTER UPDATE OF title, year ON book BEGIN SELECT 1; END;
    CREATE TRIGGER t2 INSTEAD OF DELETE ON seen BEGIN SELECT 1; END;
    CREATE TRIGGER t3 INSERT ON author BEGIN SELECT 1; END;
    """

  @Test func `has the same tables as reading them one by one`() throws {
    let db = try memory(SQL(unsafe: Self.script))
    try db.execute("CREATE TEMP TABLE near (a)")
    for schema in ["main", "temp"] {
      for table in try db.allTables(in: schema) {
        let name = table.name.name
        #expect(try db.table(name, in: schema) == table)
        #expect(try db.table(name.uppercased(), in: schema.uppercased())?.columns == table.columns)
        #expect(try db.table(name + "\0x", in: schema) == nil)
      }
    }
    #expect(try db.table("near") == nil)
    #expect(try db.table("book", in: "nope") == nil)
    let book = try #require(try db.table("book"))
    #expect(book.column(named: "TITLE")?.affinity == .text)
    #expect(book.column(named: "nope") == nil)
  }

  @Test func `contains each column's collation, autoincrement and generating expression`() throws {
    let columns = try memory(SQL(unsafe: Self.script)).columns(of: "author")
    #expect(columns.map(\.collation) == ["BINARY", "NOCASE", "BINARY", "BINARY", "BINARY"])
    #expect(columns.map(\.isAutoincrement) == [true, false, false, false, false])
    #expect(columns.map(\.generatedSQL) == [nil, nil, nil, "substr(name, 1, 1)", "length(name)"])
    #expect(try memory(SQL(unsafe: Self.script)).columns(of: "seen").map(\.collation) == [nil])
  }

  @Test func `contains the order, collation, expressions and condition of an index`() throws {
    let index = try #require(try memory(SQL(unsafe: Self.script)).indexes(of: "author").first)
    #expect(index.table == "author")
    #expect(index.keys.map(\.column) == ["name", nil, "id"])
    #expect(index.keys.map(\.collation) == ["RTRIM", "BINARY", "BINARY"])
    #expect(index.keys.map(\.isDescending) == [true, false, false])
    #expect(index.keys.map(\.expressionSQL) == [nil, "lower(plain)", nil])
    #expect(index.whereSQL == "id > 1")
    #expect(index.sql?.hasPrefix("CREATE INDEX by_name") == true)
  }

  @Test func `contains the text and name of every constraint`() throws {
    let constraints = try #require(try memory(SQL(unsafe: Self.script)).table("book")).constraints
    #expect(
      constraints.map(\.kind) == [
        .primaryKey, .unique, .foreignKey, .foreignKey, .check, .check, .unique,
      ])
    #expect(constraints.map(\.name) == [nil, nil, "written_by", nil, nil, "sane", nil])
    #expect(constraints[1].sql == "UNIQUE ON CONFLICT IGNORE")
    #expect(constraints[4].sql == "CHECK (year > 0)")
    #expect(constraints[4].columns == ["year"])
    #expect(constraints[5].sql == "CHECK (length(title) < 100)")
    #expect(constraints[6].columns == ["year", "title"])
  }

  @Test func `contains which foreign keys are deferrable, and their match clause`() throws {
    let keys = try memory(SQL(unsafe: Self.script)).foreignKeys(of: "book")
    #expect(keys.map(\.columns) == [["author"], ["other"]])
    #expect(keys.map(\.isDeferrable) == [true, false])
    #expect(keys.map(\.isDeferred) == [true, false])
    #expect(keys.map(\.match) == ["FULL", "NONE"])
  }

  @Test func `contains which foreign keys are deferrable, even with another constraint in between`()
    throws
  {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (
        a REFERENCES p NOT NULL DEFERRABLE INITIALLY DEFERRED, b REFERENCES p NOT NULL
      );
      """)
    let keys = try db.foreignKeys(of: "c")
    #expect(keys.map(\.columns) == [["a"], ["b"]])
    #expect(keys.map(\.isDeferrable) == [true, false])
    #expect(keys.map(\.isDeferred) == [true, false])
  }

  @Test func `contains when triggers fire`() throws {
    let db = try memory(SQL(unsafe: Self.script))
    let triggers = try db.triggers()
    #expect(triggers.map(\.name) == ["t1", "t2", "t3"])
    #expect(triggers.map(\.table) == ["book", "seen", "author"])
    #expect(triggers.map(\.timing) == [.after, .insteadOf, .before])
    #expect(triggers.map(\.event) == [.update, .delete, .insert])
    #expect(triggers.map(\.columns) == [["title", "year"], [], []])
    #expect(try db.triggers(of: "BOOK").map(\.name) == ["t1"])
    #expect(try db.views().map(\.name) == ["seen"])
    #expect(try db.triggers(in: "nope") == [])
    #expect(try db.views(in: "nope") == [])
  }

  @Test func `contains a virtual table's module and arguments, and its shadow tables`() throws {
    let db = try memory(SQL(unsafe: Self.script))
    let words = try #require(try db.table("words")?.module)
    #expect(words.name == "fts5")
    #expect(words.arguments == ["title", "content='book'", "tokenize = \"unicode61\""])
    #expect(words.option("CONTENT") == "book")
    #expect(words.option("tokenize") == "unicode61")
    #expect(words.option("prefix") == nil)
    #expect(try db.table("places")?.module?.name == "rtree")
    #expect(try db.table("author")?.module == nil)
    let shadows = try db.allTables().filter { $0.kind == .shadow }.map(\.name.name)
    #expect(shadows.contains("words_data") && shadows.contains("places_node"))
  }

  @Test func `is a single value, sorted by name`() throws {
    let schema = try DatabaseSchema(sql: SQL(unsafe: Self.script))
    #expect(schema.tables.map(\.name.name) == ["author", "book", "places", "words"])
    #expect(schema.indexes.map(\.name) == ["by_name"])
    #expect(schema.views.map(\.name) == ["seen"])
    #expect(schema.triggers.map(\.name) == ["t1", "t2", "t3"])
    #expect(try memory(SQL(unsafe: Self.script)).databaseSchema() == schema)
    #expect(schema.indexes == (try memory(SQL(unsafe: Self.script)).indexes(of: "author")))
    #expect(Set([schema, schema]).count == 1)
    #expect(schema.table("AUTHOR")?.columns.count == 5)
    #expect(schema.table("nope") == nil)
  }

  @Test func `prints a script that recreates it`() throws {
    let schema = try DatabaseSchema(sql: SQL(unsafe: Self.script))
    let again = try DatabaseSchema(sql: SQL(unsafe: schema.sql))
    #expect(again.isEquivalent(to: schema))
    #expect(try DatabaseSchema(sql: SQL(unsafe: again.sql)) == again)
  }

  @Test func `omits the migration table`() throws {
    let db = try memory()
    try db.migrate([Migration(name: "1", sql: "CREATE TABLE t (a)")])
    #expect(try db.databaseSchema().tables.map(\.name.name) == ["t"])
  }

  @Test func `can be of an attached or temporary database`() throws {
    let db = try memory(
      """
      CREATE TABLE here (a);
      ATTACH ':memory:' AS there;
      CREATE TABLE there.t (a UNIQUE);
      CREATE INDEX there.i ON t (a DESC);
      CREATE TRIGGER there.g AFTER INSERT ON t BEGIN SELECT 1; END;
      CREATE TEMP VIEW v AS SELECT * FROM here;
      """)
    let there = try db.databaseSchema(in: "there")
    #expect(there.tables.map(\.name.name) == ["t"])
    #expect(there.indexes.map(\.keys.first?.isDescending) == [true])
    #expect(there.triggers.map(\.name) == ["g"])
    #expect(try db.databaseSchema(in: "temp").views.map(\.name) == ["v"])
    #expect(try db.databaseSchema(in: "nope").tables == [])
    #expect(
      try DatabaseSchema(sql: SQL(unsafe: there.sql)).isEquivalent(
        to: DatabaseSchema(
          sql: """
            CREATE TABLE t (a UNIQUE); CREATE INDEX i ON t (a DESC);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END
            """)))
  }

  @Test func `is read even if a view is broken`() throws {
    let db = try memory("CREATE VIEW v AS SELECT x FROM nope; CREATE TABLE t (a)")
    #expect(try db.tables().map(\.name.name) == ["t", "v"])
    #expect(try db.tables().map(\.columns.count) == [1, 0])
    #expect(try db.databaseSchema().views.map(\.name) == ["v"])
  }

  @Test func `is read with a constant number of statements`() throws {
    func count(_ tables: Int) throws -> Int {
      let db = try memory(
        SQL(
          unsafe: (0..<tables).map {
            "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, a TEXT, b INT); CREATE INDEX i\($0) ON t\($0) (a);"
          }.joined()))
      var statements = 0
      let subscription = try db.hooks.profile { if !$0.sql.hasPrefix("PRAGMA") { statements += 1 } }
      defer { db.hooks.remove(subscription) }
      #expect(try db.databaseSchema().tables.count == tables)
      return statements
    }
    #expect(try count(40) == count(2))
  }

  @Test func `that can't be created is an error`() throws {
    let error = #expect(throws: SQLiteError.self) { try DatabaseSchema(sql: "CREATE TABEL t (a)") }
    #expect(error?.offset == SQLiteError.ByteOffset(rawValue: 7))
    #expect(throws: SQLiteError.self) {
      try DatabaseSchema(sql: "CREATE TABLE t (a); CREATE INDEX i ON t (twice(a))")
    }
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.register("twice", argumentCount: 1, options: [.deterministic, .innocuous]) {
        $0[0]
      }
    }
    let schema = try DatabaseSchema(
      sql: "CREATE TABLE t (a); CREATE INDEX i ON t (twice(a))", configuration: configuration)
    #expect(schema.indexes.first?.keys.first?.expressionSQL == "twice(a)")
  }
}

@Suite struct `Two schemas` {
  @Test(arguments: [
    ("CREATE TABLE t (a INT, b TEXT)", "create table \"T\" ( [a] int , /* x */ `B` text ) -- y"),
    ("CREATE TABLE t (a INT)", "\u{feff}CREATE TABLE t (\u{feff}a INT)"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER, PRIMARY KEY (a))"),
    ("CREATE TABLE t (a UNIQUE, b)", "CREATE TABLE t (a, b, UNIQUE (a))"),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a, CHECK (A>0))"),
    ("CREATE TABLE t (a NULL)", "CREATE TABLE t (a)"),
    ("CREATE TABLE t (a NOT NULL DEFAULT 1)", "CREATE TABLE t (a DEFAULT 1 NOT NULL)"),
    ("CREATE TABLE t (a DEFAULT True)", "CREATE TABLE t (a DEFAULT TRUE)"),
    ("CREATE TABLE t (a DEFAULT Draft)", "CREATE TABLE t (a DEFAULT 'Draft')"),
    (
      "CREATE TABLE t (a REFERENCES t NOT NULL DEFERRABLE INITIALLY DEFERRED)",
      "CREATE TABLE t (a NOT NULL REFERENCES t DEFERRABLE INITIALLY DEFERRED)"
    ),
    (
      "CREATE VIRTUAL TABLE f USING fts5(a, tokenize=\"porter ascii\")",
      "CREATE VIRTUAL TABLE F using FTS5(\"a\", tokenize = \"porter ascii\")"
    ),
    (
      "CREATE TABLE t (a REFERENCES t (b) ON DELETE CASCADE, b)",
      "CREATE TABLE t (a, b, FOREIGN KEY (a) REFERENCES \"t\" (b) ON DELETE CASCADE)"
    ),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)",
      "CREATE TABLE t (a INTEGER, PRIMARY KEY (a AUTOINCREMENT))"
    ),
    ("CREATE TABLE t (a AS (1) VIRTUAL, b)", "CREATE TABLE t (a GENERATED ALWAYS AS (1), b)"),
    (
      "CREATE TABLE t (a INT PRIMARY KEY) STRICT, WITHOUT ROWID",
      "CREATE TABLE t (a INT PRIMARY KEY) without  rowid, strict"
    ),
    (
      "CREATE TABLE t (a); CREATE INDEX i ON t (a)",
      "CREATE TABLE t (a); CREATE INDEX IF NOT EXISTS main.\"i\" ON t(\"a\")"
    ),
  ])
  func `are equivalent in any spelling`(_ a: String, _ b: String) throws {
    #expect(
      try DatabaseSchema(sql: SQL(unsafe: a)).isEquivalent(to: DatabaseSchema(sql: SQL(unsafe: b))))
  }

  @Test(arguments: [
    ("CREATE TABLE t (a)", "CREATE TABLE t (b)"),
    ("CREATE TABLE t (a)", "CREATE TABLE u (a)"),
    ("CREATE TABLE t (a)", "CREATE TABLE t (a, b)"),
    ("CREATE TABLE t (a, b)", "CREATE TABLE t (b, a)"),
    ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INTEGER)"),
    ("CREATE TABLE t (a)", "CREATE TABLE t (a NOT NULL)"),
    ("CREATE TABLE t (a DEFAULT 'X')", "CREATE TABLE t (a DEFAULT 'x')"),
    ("CREATE TABLE t (a DEFAULT X)", "CREATE TABLE t (a DEFAULT x)"),
    ("CREATE TABLE t (a DEFAULT \"X\")", "CREATE TABLE t (a DEFAULT \"x\")"),
    ("CREATE TABLE t (a DEFAULT .5)", "CREATE TABLE t (a DEFAULT .7)"),
    ("CREATE TABLE t (a DEFAULT -.5)", "CREATE TABLE t (a DEFAULT -.7)"),
    (
      "CREATE TABLE t (a REFERENCES t NOT NULL)",
      "CREATE TABLE t (a REFERENCES t NOT NULL DEFERRABLE INITIALLY DEFERRED)"
    ),
    (
      "CREATE VIRTUAL TABLE f USING fts5(a, tokenize=\"unicode61 separators 'X'\")",
      "CREATE VIRTUAL TABLE f USING fts5(a, tokenize=\"unicode61 separators 'x'\")"
    ),
    ("CREATE TABLE t (a)", "CREATE TABLE t (a COLLATE NOCASE)"),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a CHECK (a > 1))"),
    ("CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a UNIQUE ON CONFLICT REPLACE)"),
    ("CREATE TABLE t (a REFERENCES t)", "CREATE TABLE t (a REFERENCES t ON DELETE CASCADE)"),
    ("CREATE TABLE t (a REFERENCES t)", "CREATE TABLE t (a REFERENCES t DEFERRABLE)"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY DESC)"),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY)",
      "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)"
    ),
    ("CREATE TABLE t (a, b AS (a))", "CREATE TABLE t (a, b AS (a) STORED)"),
    ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT) STRICT"),
    ("CREATE TABLE t (\"order\")", "CREATE TABLE t (\"order \")"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a)"),
    (
      "CREATE TABLE t (a); CREATE INDEX i ON t (a)",
      "CREATE TABLE t (a); CREATE INDEX i ON t (a DESC)"
    ),
    ("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 2"),
    ("CREATE VIEW v AS SELECT 'a'", "CREATE VIEW v AS SELECT 'A'"),
    (
      "CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
      "CREATE TABLE t (a); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT 1; END"
    ),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE VIRTUAL TABLE f USING fts5(a, prefix=2)"),
  ])
  func `differ if the databases would`(_ a: String, _ b: String) throws {
    let (a, b) = (try DatabaseSchema(sql: SQL(unsafe: a)), try DatabaseSchema(sql: SQL(unsafe: b)))
    #expect(!a.isEquivalent(to: b))
    #expect(!b.isEquivalent(to: a))
    #expect(a.isEquivalent(to: a))
    #expect(a != b)
  }

  @Test(arguments: [
    "CREATE TABLE t (a DEFAULT 'CHAR')", "CREATE TABLE t (a CHECK (a <> 'CHAR'))",
    "CREATE VIEW v AS SELECT 'CHAR'", "CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'CHAR')",
  ])
  func `differ by a text that is equal in Swift`(_ sql: String) throws {
    func schema(_ text: String) throws -> DatabaseSchema {
      let text = sql.contains("VIRTUAL") ? "unicode61 tokenchars \(text)" : text
      return try DatabaseSchema(
        sql: SQL(unsafe: sql.split(separator: "CHAR").joined(separator: text)))
    }
    #expect(try !schema("\u{e9}").isEquivalent(to: schema("e\u{301}")))
    #expect(try schema("e\u{301}").isEquivalent(to: schema("e\u{301}")))
  }

  @Test func `are equivalent with another order of columns if requested`() throws {
    let a = try DatabaseSchema(sql: "CREATE TABLE t (a, b)")
    let b = try DatabaseSchema(sql: "CREATE TABLE t (b, a)")
    #expect(a.isEquivalent(to: b, ignoringColumnOrder: true))
  }
}
