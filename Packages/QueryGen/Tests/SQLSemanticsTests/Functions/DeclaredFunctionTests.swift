import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Declared functions` {
  static let declarations = """
    function: slug(title TEXT NOT NULL, separator TEXT DEFAULT '-') -> TEXT NOT NULL deterministic innocuous
    function: shorten(text TEXT, length INTEGER) -> TEXT NOT NULL deterministic innocuous returns null on null input
    function: now_in(zone TEXT) -> INTEGER
    function: audit(text TEXT) -> INTEGER NOT NULL directonly
    function: total_of(VARIADIC terms REAL NOT NULL) -> REAL NOT NULL deterministic innocuous
    function: hash(data) -> BLOB NOT NULL deterministic innocuous
    function: levenshtein(a TEXT, b TEXT) -> INTEGER extension
    function: regexp(pattern TEXT NOT NULL, text TEXT) -> BOOLEAN NOT NULL deterministic innocuous
    aggregate: median(value REAL) -> REAL
    aggregate: joined(value TEXT, separator TEXT DEFAULT ',') -> TEXT NOT NULL
    window: moving(value REAL) -> REAL NOT NULL
    collation: localized
    """
  static let database = Database(declaring: declarations)

  @Test func `are valid declarations`() {
    #expect(Self.database.diagnostics.diagnostics.map(\.message) == [])
  }

  @Test(arguments: [
    ("slug(name)", "text"), ("slug(name, '_')", "text"), ("SLUG(name)", "text"),
    ("shorten(name, 3)", "text"), ("shorten(email, 3)", "text?"), ("shorten(name, age)", "text?"),
    ("now_in('UTC')", "integer?"), ("total_of()", "real"), ("total_of(1, 2.5, id)", "real"),
    ("hash(avatar)", "blob"), ("hash(name)", "blob"), ("levenshtein(name, 1)", "integer?"),
    ("name REGEXP 'a.*'", "boolean"), ("name NOT REGEXP 'a'", "boolean"),
    ("name = 'a' COLLATE localized", "boolean"),
    ("moving(score) OVER ()", "real"), ("moving(score) FILTER (WHERE age > 1) OVER ()", "real"),
    ("coalesce(shorten(email, 1), '')", "text"),
  ])
  func `have results of their declared type`(_ expression: String, _ expected: String) throws {
    let (analysis, diagnostics) = Self.database.analyze("SELECT \(expression) FROM user")
    #expect(diagnostics.map(\.message) == [])
    let column = try #require(analysis?.columns.first)
    #expect(spelling(column.type, column.isNullable) == expected)
  }

  @Test(arguments: [
    ("median(score)", "real?"), ("joined(name)", "text"), ("joined(DISTINCT name)", "text"),
    ("joined(name, ';') FILTER (WHERE age > 1)", "text"), ("moving(score)", "real"),
  ])
  func `include aggregates`(_ expression: String, _ expected: String) throws {
    let (analysis, diagnostics) = Self.database.analyze("SELECT \(expression) FROM user")
    #expect(diagnostics.map(\.message) == [])
    #expect(analysis?.columns.first.map { spelling($0.type, $0.isNullable) } == expected)
  }

  @Test(arguments: [
    Refusal("SELECT ①slug②()", .argumentCount),
    Refusal("SELECT ①slug②('a', 'b', 'c')", .argumentCount),
    Refusal("SELECT slug(①NULL②)", .argumentType), Refusal("SELECT slug(①1②)", .argumentType),
    Refusal("SELECT slug(①avatar②) FROM user", .argumentType),
    Refusal("SELECT shorten(name, ①score②) FROM user", .argumentType),
    Refusal("SELECT total_of(1, ①name②) FROM user", .argumentType),
    Refusal("SELECT name REGEXP ①1② FROM user", .argumentType),
    Refusal("SELECT ①slug②(name) OVER () FROM user", .windowMisuse),
    Refusal("SELECT ①median②(score) OVER () FROM user", .windowMisuse),
    Refusal("SELECT ①slug②(name) FILTER (WHERE 1) FROM user", .aggregateMisuse),
    Refusal("SELECT 1 FROM user WHERE ①median②(score) > 1", .aggregateMisuse),
    Refusal("SELECT median(①median②(score)) FROM user", .aggregateMisuse),
    Refusal("SELECT ①joined②(DISTINCT name, ';') FROM user", .aggregateMisuse),
    Refusal("SELECT ①slugs②(name) FROM user", .unknownFunction),
    Refusal("SELECT name COLLATE ①localised② FROM user", .unknownCollation),
  ])
  func `are checked as SQLite does`(_ refusal: Refusal) {
    expectRefused(refusal, in: Self.database)
  }

  @Test(arguments: [
    ("CREATE INDEX i ON user (slug(name))", nil),
    ("CREATE INDEX i ON user (name COLLATE localized)", nil),
    ("CREATE INDEX i ON user (name) WHERE shorten(name, 1) = 'a'", nil),
    ("CREATE INDEX i ON user (now_in(name))", Diagnostic.Identity.prohibitedHere),
    ("CREATE TABLE t (a TEXT, b AS (slug(a)))", nil),
    ("CREATE TABLE t (a TEXT, b AS (now_in(a)))", .prohibitedHere),
    ("CREATE TABLE t (a TEXT CHECK (slug(a) <> ''))", nil),
    ("CREATE TABLE t (a TEXT CHECK (audit(a) <> ''))", .unsafeFunction),
    ("CREATE TABLE t (a TEXT DEFAULT (slug('A')))", nil),
    ("CREATE TABLE t (a TEXT CHECK (now_in(a) > 1))", .untrustedFunction),
    ("CREATE VIEW v AS SELECT slug(name) FROM user", nil),
    ("CREATE VIEW v AS SELECT now_in(name) FROM user", .untrustedFunction),
    ("CREATE TEMP VIEW v AS SELECT now_in(name) FROM user", nil),
    ("CREATE VIEW v AS SELECT levenshtein(name, email) FROM user", nil),
    (
      "CREATE TRIGGER r AFTER INSERT ON user BEGIN SELECT now_in(new.name); END", .untrustedFunction
    ),
    ("CREATE VIEW v AS SELECT audit(name) AS a FROM user; SELECT a FROM v", .brokenObject),
    (
      "CREATE TRIGGER r AFTER INSERT ON user BEGIN SELECT audit(new.name); END; "
        + "INSERT INTO user (name) VALUES ('a')", .brokenObject
    ),
  ])
  func `can be used in the schema`(_ sql: String, _ identity: Diagnostic.Identity?) {
    var database = Self.database
    database.apply(sql)
    #expect(database.diagnostics.diagnostics.map(\.identity) == (identity.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("SELECT slug(email) FROM user", true), ("SELECT slug(name) FROM user", false),
    ("SELECT id FROM user WHERE slug(email) = 'a'", true),
    ("SELECT slug(email) FROM user WHERE email IS NOT NULL", false),
    ("SELECT slug(email) FROM user WHERE email = 'a'", false),
    ("SELECT CASE WHEN email IS NULL THEN '' ELSE slug(email) END FROM user", false),
    ("SELECT slug(?), slug(:name) FROM user", false), ("SELECT upper(slug(email)) FROM user", true),
    ("SELECT shorten(email, 1), now_in(email), levenshtein(email, email) FROM user", false),
    ("SELECT slug(u.name) FROM post p LEFT JOIN user u ON u.id = p.userId", true),
    ("SELECT slug(coalesce(email, '')) FROM user", false),
  ])
  func `warn about arguments that may be NULL`(_ sql: String, _ isWarned: Bool) {
    let diagnostics = Self.database.query("q: " + sql).diagnostics
    #expect(diagnostics.map(\.identity) == (isWarned ? [.nullArgument] : []))
  }

  @Test func `determine the types and names of parameters`() throws {
    let (definition, diagnostics) = Self.database.query(
      "q: SELECT slug(?), shorten(:t, :n), now_in(?), total_of(:x, :y) FROM user WHERE name REGEXP ?"
    )
    #expect(diagnostics.map(\.message) == [])
    let parameters = try #require(definition?.parameters)
    #expect(
      parameters.map { "\($0.name) \(spelling($0.type, $0.isNullable))" } == [
        "title text", "t text", "n integer", "zone text?", "x real", "y real", "name text",
      ])
    #expect(parameters[0].origins == [TableColumn(function: "slug", value: "title")])
  }

  @Test func `are origins of their results`() throws {
    let (definition, _) = Self.database.query(
      "q: SELECT slug(name) AS a, upper(slug(name)) AS b, coalesce(shorten(email, 1), slug(name)) AS c FROM user"
    )
    guard case .columns(let columns) = definition?.result else {
      Issue.record("there are no columns")
      return
    }
    let slug = TableColumn(function: "slug", value: "result")
    #expect(
      columns.map(\.origins) == [
        [slug], [], [TableColumn(function: "shorten", value: "result"), slug],
      ])
  }

  @Test func `are described for editors`() throws {
    let slug = try #require(Self.database.catalog.functionDescriptions(named: "slug").first)
    #expect(slug.signature == "slug(title[, separator])")
    #expect(slug.isDeclared)
    #expect(Self.database.catalog.collationNames.contains("LOCALIZED"))
  }

  @Test func `are suggested for unknown names`() throws {
    let cases = [
      (
        "SELECT fold(name, 1) FROM user",
        "-- function: fold(argument1 TEXT, argument2 TEXT) -> TEXT"
      ),
      ("SELECT name COLLATE german FROM user", "-- collation: german"),
      ("SELECT name REGEXP 'a' FROM user", "-- function: regexp(pattern TEXT NOT NULL, text TEXT)"),
    ]
    for (sql, hint) in cases {
      let diagnostic = try #require(Database().analyze(sql).diagnostics.first)
      #expect(diagnostic.notes.first?.message.contains(hint) == true, "\(diagnostic)")
    }
    #expect(Database().analyze("SELECT uper(name) FROM user").diagnostics.first?.notes == [])
  }

  @Test(arguments: [
    ("function: upper(text TEXT) -> TEXT", Diagnostic.Identity.duplicateDeclaration),
    ("function: count(text TEXT) -> TEXT", .duplicateDeclaration),
    ("aggregate: Rank() -> TEXT", .duplicateDeclaration),
    ("collation: nocase", .duplicateDeclaration), ("module: fts5(a)", .duplicateDeclaration),
    ("module: json_each(a)", .duplicateDeclaration),
    ("function: f() -> TEXT\naggregate: F(x) -> TEXT", .duplicateDeclaration),
    ("function: f(x TEXT, X TEXT) -> TEXT", .malformedDeclaration),
    ("function: f(x TEXT DEFAULT 1, y TEXT) -> TEXT", .malformedDeclaration),
    ("function: f(VARIADIC x TEXT, y TEXT) -> TEXT", .malformedDeclaration),
    ("function: f(x DEFAULT CURRENT_TIME) -> TEXT", .malformedDeclaration),
    ("function: f(x INTEGER AS lower) -> TEXT", .malformedDeclaration),
    ("module: m(a HIDDEN)", .malformedDeclaration),
    ("module: m(*) eponymous", .malformedDeclaration),
  ])
  func `are rejected if they are in conflict or invalid`(
    _ text: String, _ identity: Diagnostic.Identity
  ) {
    #expect(Database(declaring: text, "").diagnostics.diagnostics.map(\.identity) == [identity])
  }

  @Test(arguments: [
    "function: match(pattern TEXT, text TEXT) -> BOOLEAN", "function: concat(a) -> TEXT",
  ])
  func `may have the names of functions that SQLite lacks`(_ text: String) {
    #expect(Database(declaring: text, "").diagnostics.diagnostics.isEmpty)
  }
}

@Suite struct `Declared modules` {
  static let database = Database(
    declaring: """
      module: series(value INTEGER NOT NULL, start INTEGER HIDDEN, stop INTEGER HIDDEN) eponymous only readonly
      module: cache(key TEXT NOT NULL, value, size INTEGER HIDDEN) eponymous
      module: vec0(*, distance REAL HIDDEN, k INTEGER HIDDEN)
      module: log(line TEXT NOT NULL AS Line) readonly
      """,
    """
    CREATE VIRTUAL TABLE vectors USING vec0(
      id INTEGER PRIMARY KEY, embedding float[3] distance_metric=cosine, +title TEXT NOT NULL, chunk=8);
    CREATE VIRTUAL TABLE lines USING log('a.txt');
    CREATE VIRTUAL TABLE copies USING cache;
    """)

  @Test func `have tables with the declared columns`() {
    #expect(Self.database.diagnostics.diagnostics.map(\.message) == [])
    let columns = Self.database.catalog.tables().map { table in
      table.columns.map { "\($0.name) \(spelling($0.type, $0.isNullable))" }
    }
    #expect(
      columns == [
        ["key text", "value any?"], ["line text"],
        ["id integer", "embedding blob?", "title text"],
      ])
  }

  @Test(arguments: [
    "SELECT value FROM series(1, 2)", "SELECT value FROM series WHERE start = 1 AND stop = ?",
    "SELECT key, size FROM cache", "INSERT INTO cache (key) VALUES ('a')",
    "SELECT title, distance FROM vectors WHERE embedding MATCH ? AND k = 5",
    "INSERT INTO vectors (embedding, title) VALUES (x'00', 'a')", "SELECT rowid, line FROM lines",
    "SELECT u.id FROM user u JOIN series(1, u.id) s", "SELECT 1 WHERE 2 IN series(1, 3)",
  ])
  func `can be used`(_ sql: String) {
    var database = Self.database
    database.apply(Database.library)
    expectAccepted(sql, in: database)
  }

  @Test func `match BLOBs with BLOBs`() {
    let (definition, _) = Self.database.query(
      "q: SELECT id FROM vectors WHERE embedding MATCH :vector AND k = :count")
    #expect(
      definition?.parameters.map { "\($0.name) \($0.type)" } == ["vector blob", "count integer"])
  }

  @Test(arguments: [
    Refusal("SELECT value FROM ①series②(1, 2, 3)", .argumentCount),
    Refusal("SELECT 1 FROM ①vec0②", .unknownTable),
    Refusal("SELECT 1 FROM ①log②('a')", .unknownTable),
    Refusal("INSERT INTO ①lines② VALUES ('a')", .notWritable),
    Refusal("DELETE FROM ①series②", .notWritable),
  ])
  func `are checked as SQLite does`(_ refusal: Refusal) {
    expectRefused(refusal, in: Self.database)
  }

  @Test(arguments: ["series", "other"])
  func `are required by CREATE VIRTUAL TABLE`(_ module: String) {
    var database = Self.database
    database.apply("CREATE VIRTUAL TABLE t USING \(module)(a)")
    #expect(database.diagnostics.diagnostics.map(\.identity) == [.unknownModule])
  }
}
