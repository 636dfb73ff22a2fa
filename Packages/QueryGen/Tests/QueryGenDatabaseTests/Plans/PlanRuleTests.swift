import QueryGenDatabase
import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@Suite struct `The rules for plans` {
  struct Case: CustomTestStringConvertible, Sendable {
    var sql: String
    var rule: String?
    var index: String?
    var testDescription: String { sql }

    init(_ sql: String, _ rule: String?, index: String? = nil) {
      self.sql = sql
      self.rule = rule
      self.index = index
    }
  }

  static let cases = [
    // A large table.
    Case("SELECT * FROM event WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case(
      "SELECT * FROM event AS e WHERE e.kind = :kind AND e.day > :day", "full-scan",
      index: "event (kind, day)"),
    Case("SELECT * FROM event WHERE day BETWEEN 1 AND 2", "full-scan", index: "event (day)"),
    Case("SELECT * FROM event WHERE kind IN :kinds", "full-scan", index: "event (kind)"),
    Case("SELECT * FROM event", "full-scan"),
    Case("SELECT count(*) FROM event", "full-scan"),
    Case("DELETE FROM event WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case("UPDATE event SET day = 1 WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case(
      "SELECT * FROM event WHERE kind = :kind ORDER BY id LIMIT 1", "full-scan",
      index: "event (kind)"),
    Case("SELECT * FROM event ORDER BY id LIMIT 10", nil),
    Case("SELECT * FROM event WHERE id = :id", nil),
    Case("SELECT max(id) FROM event", nil),
    Case("SELECT * FROM author WHERE name = :name", nil),
    // Joins.
    Case(
      "SELECT a.name, b.title FROM author AS a JOIN book AS b ON b.title > a.name", "scan-in-join",
      index: "book (title)"),
    Case(
      "SELECT name FROM author WHERE EXISTS (SELECT 1 FROM book WHERE year = author.id)",
      "scan-in-join", index: "book (year)"),
    Case(
      "SELECT name, (SELECT count(*) FROM book AS b WHERE b.year = author.id) AS n FROM author",
      "scan-in-join", index: "book (year)"),
    Case("SELECT a.name, b.title FROM author AS a JOIN book AS b ON b.author = a.id", nil),
    Case(
      "SELECT a.name, b.title FROM author AS a JOIN book AS b ON b.year > :year WHERE a.id = :id",
      nil),
    Case(
      "SELECT a.name, b.title FROM author AS a JOIN book AS b ON b.title > a.name "
        + "WHERE a.id = 1 OR a.id = 2", "scan-in-join", index: "book (title)"),
    Case(
      "SELECT a.name, b.title FROM book AS b JOIN author AS a ON a.name > b.title "
        + "WHERE b.isbn = :isbn OR b.author = :author", "scan-in-join", index: "author (name)"),
    Case("SELECT b.title, j.value FROM book AS b, json_each(b.title) AS j", nil),
    Case(
      "SELECT a.name, b.title FROM author AS a JOIN book AS b ON b.title = a.name",
      "automatic-index", index: "book (title)"),
    Case(
      "SELECT name, n FROM author JOIN (SELECT author, count(*) AS n FROM book GROUP BY author) AS c"
        + " ON c.author = author.id", nil),
    Case("SELECT a.name, b.title FROM author AS a, book AS b", "cartesian-join"),
    Case(
      "SELECT a.name FROM author AS a JOIN book AS b ON b.author = a.id JOIN book AS c ON b.year = 1",
      "cartesian-join"),
    Case("SELECT a.name, b.title FROM author AS a CROSS JOIN book AS b", nil),
    Case("SELECT a.name, b.title FROM author AS a, book AS b WHERE b.author = a.id", nil),
    // Sorts.
    Case("SELECT * FROM book ORDER BY year", "sort-without-index", index: "book (year)"),
    Case(
      "SELECT * FROM book WHERE title = :title ORDER BY year DESC", "sort-without-index",
      index: "book (title, year)"),
    Case(
      "SELECT * FROM book ORDER BY year DESC, title", "sort-without-index",
      index: "book (year DESC, title)"),
    Case(
      "SELECT year, count(*) FROM book GROUP BY year", "sort-without-index", index: "book (year)"),
    Case("SELECT DISTINCT year FROM book", "sort-without-index", index: "book (year)"),
    Case(
      "SELECT title AS t FROM book ORDER BY t COLLATE NOCASE", "sort-without-index",
      index: "book (title COLLATE NOCASE)"),
    Case("SELECT * FROM book ORDER BY length(title)", "sort-without-index"),
    Case("SELECT * FROM book ORDER BY author", nil),
    Case("SELECT * FROM book WHERE id = :id ORDER BY year", nil),
    Case("SELECT name FROM author UNION SELECT title FROM book", nil),
    // Conditions.
    Case("SELECT * FROM book WHERE title LIKE :prefix", "like-without-index", index: "NOCASE"),
    Case("SELECT * FROM book WHERE title LIKE 'a%'", "like-without-index", index: "NOCASE"),
    Case("SELECT * FROM book WHERE title LIKE '%a%'", "like-without-index"),
    Case("SELECT * FROM book WHERE title LIKE '%' || :part || '%'", "like-without-index"),
    Case("SELECT * FROM book WHERE title LIKE :prefix || '%'", "like-without-index"),
    Case(
      "SELECT * FROM book WHERE title GLOB :prefix", "like-without-index", index: "book (title)"),
    Case("SELECT * FROM book WHERE isbn GLOB :prefix", nil),
    Case("SELECT * FROM book WHERE author = :author AND title LIKE '%a%'", nil),
    Case("SELECT * FROM book WHERE title NOT LIKE 'a%'", nil),
    Case(
      "SELECT * FROM book AS b WHERE upper(b.isbn) = :isbn", "function-on-indexed-column",
      index: "book (upper(isbn))"),
    Case(
      "SELECT * FROM book WHERE author + 1 > :author", "function-on-indexed-column",
      index: "book (author + 1)"),
    Case(
      "SELECT * FROM book WHERE CAST(id AS TEXT) = :id", "function-on-indexed-column",
      index: "book (CAST(id AS TEXT))"),
    Case("SELECT * FROM book WHERE upper(title) = :title", nil),
    Case("SELECT * FROM book WHERE isbn = upper(:isbn)", nil),
    // LIMIT and OFFSET.
    Case("SELECT * FROM book ORDER BY id LIMIT :count OFFSET :skipped", "offset-paging"),
    Case("SELECT * FROM book ORDER BY id LIMIT 10 OFFSET 0", nil),
    Case("SELECT * FROM book LIMIT 10", "limit-without-order"),
    Case("SELECT * FROM (SELECT title FROM book LIMIT 3) AS t", "limit-without-order"),
    Case("SELECT * FROM book WHERE isbn = :isbn LIMIT 1", nil),
    Case("SELECT count(*) FROM book LIMIT 1", nil),
    Case(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10) SELECT i FROM n",
      nil),
    Case(
      "SELECT name FROM author WHERE EXISTS (SELECT 1 FROM book WHERE author = author.id LIMIT 1)",
      nil),
    // Statements without plans, and with checks of foreign keys.
    Case("INSERT INTO author (name) VALUES (:name)", nil),
    Case("DELETE FROM author WHERE id = :id", nil),
  ]

  @Test(arguments: cases)
  func `report exactly the expected problem`(_ expected: Case) throws {
    let workspace = try Workspace.planned("q: \(expected.sql);")
    let outcome = workspace.checkPlans()
    #expect(
      outcome.diagnostics.map(\.identity) == [expected.rule].compactMap(\.self), "\(outcome.report)"
    )
    let index = outcome.diagnostics.first?.proposedIndex
    if let wanted = expected.index {
      #expect(index?.contains(wanted) == true, "\(index ?? "none")")
    } else {
      #expect(index == nil)
    }
  }

  @Test(arguments: cases.filter { $0.index != nil })
  func `propose indexes that change the plan`(_ expected: Case) throws {
    let workspace = try Workspace.planned("q: \(expected.sql);")
    let index = try #require(workspace.checkPlans().diagnostics.first?.proposedIndex)
    try workspace.write(index + ";", to: "Migrations/002.sql")
    let outcome = workspace.checkPlans()
    #expect(!outcome.diagnostics.map(\.identity).contains(expected.rule ?? ""), "\(outcome.report)")
    #expect(!outcome.diagnostics.map(\.identity).contains("unused-index"))
  }

  struct SchemaCase: CustomTestStringConvertible, Sendable {
    var schema: String
    var identities: [String]
    var testDescription: String { schema }
  }

  @Test(arguments: [
    SchemaCase(
      schema: "CREATE TABLE review (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book (id))",
      identities: ["unindexed-foreign-key"]),
    SchemaCase(
      schema: "CREATE TABLE review (book INTEGER PRIMARY KEY REFERENCES book (id))", identities: []),
    SchemaCase(
      schema: "CREATE TABLE review (book INTEGER UNIQUE REFERENCES book (id), text)",
      identities: []),
    SchemaCase(
      schema: "CREATE TABLE pair (a, b, PRIMARY KEY (a, b)); CREATE TABLE part (x, y, "
        + "FOREIGN KEY (x, y) REFERENCES pair (a, b)); CREATE INDEX i ON part (y, x)",
      identities: []),
    SchemaCase(
      schema: "CREATE TABLE pair (a, b, PRIMARY KEY (a, b)); CREATE TABLE part (x, y, "
        + "FOREIGN KEY (x, y) REFERENCES pair (a, b))", identities: ["unindexed-foreign-key"]),
    SchemaCase(
      schema: "ALTER TABLE event ADD COLUMN book INTEGER REFERENCES book (id)",
      identities: ["unindexed-foreign-key"]),
    SchemaCase(
      schema: "CREATE INDEX author_city ON author (city)", identities: ["unused-index"]),
    SchemaCase(schema: "CREATE UNIQUE INDEX author_city ON author (city)", identities: []),
    SchemaCase(
      schema: "CREATE INDEX author_city ON author (city); CREATE TRIGGER t AFTER INSERT ON event "
        + "BEGIN UPDATE author SET name = 'x' WHERE city = NEW.kind; END", identities: []),
  ])
  func `report problems of the schema`(_ expected: SchemaCase) throws {
    let workspace = try Workspace.planned(
      "a: SELECT * FROM author WHERE id = :id; b: INSERT INTO event (kind) VALUES (:kind);")
    try workspace.write(expected.schema + ";", to: "Migrations/002.sql")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map(\.identity) == expected.identities)
    #expect(diagnostics.allSatisfy { $0.file.hasSuffix("Migrations/002.sql") })
    for diagnostic in diagnostics where diagnostic.identity == "unindexed-foreign-key" {
      let index = try #require(diagnostic.proposedIndex)
      try workspace.write(index + ";", to: "Migrations/003.sql")
      #expect(workspace.planIdentities() == [])
    }
  }

  // With such a key, SQLite fails when it changes the statistics.
  @Test func `allow a foreign key that refers to the statistics`() throws {
    let workspace = try Workspace.planned("a: SELECT * FROM event WHERE kind = :kind;")
    try workspace.write(
      "ANALYZE; CREATE TABLE mark (tbl TEXT REFERENCES sqlite_stat1 (tbl), note TEXT);",
      to: "Migrations/002.sql")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(
      Set(diagnostics.map(\.identity)) == ["foreign-key", "full-scan", "unindexed-foreign-key"])
    #expect(diagnostics.contains { $0.proposedIndex?.contains("event (kind)") == true })
  }

  @Test func `know no unused index if a query has errors`() throws {
    let workspace = try Workspace.planned("a: SELECT nope FROM author;")
    try workspace.write("CREATE INDEX i ON author (city);", to: "Migrations/002.sql")
    #expect(workspace.planIdentities() == ["unknown-column"])
  }

  @Test func `look into views and common tables`() throws {
    let workspace = try Workspace.planned(
      "q: WITH t AS (SELECT * FROM busy) SELECT * FROM t WHERE kind = :kind;")
    try workspace.write(
      "CREATE VIEW busy AS SELECT e.kind, e.day FROM event AS e;", to: "Migrations/002.sql")
    let diagnostic = try #require(workspace.checkPlans().diagnostics.first)
    #expect(diagnostic.identity == "full-scan")
    #expect(diagnostic.place?.offset == 28)
    #expect(diagnostic.place?.length == 4)
  }

  @Test func `report the place in the query`() throws {
    let workspace = try Workspace.planned("q:\nSELECT *\nFROM event AS e\nWHERE e.kind = :kind;")
    let diagnostic = try #require(workspace.checkPlans().diagnostics.first)
    #expect(diagnostic.place?.line == 3)
    #expect(diagnostic.place?.column == 6)
    #expect(diagnostic.severity == .warning)
    #expect(diagnostic.message == "all 1000000 rows of `event` are read")
    #expect(
      diagnostic.proposedIndex == "CREATE INDEX event_kind ON event (kind)")
  }
}
