import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Queries` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, cardinality: Cardinality
    var testDescription: String { sql }
    init(_ sql: String, _ cardinality: Cardinality) {
      self.sql = sql
      self.cardinality = cardinality
    }
  }

  @Test(arguments: [
    Case("SELECT * FROM user", .many),
    Case("SELECT * FROM user WHERE id = ?", .optional),
    Case("SELECT * FROM user WHERE (rowid) = (?)", .optional),
    Case("SELECT * FROM user WHERE email = ? AND age > 1", .optional),
    Case("SELECT * FROM user WHERE email = ? COLLATE NOCASE", .many),
    Case("SELECT * FROM user WHERE id = age", .many),
    Case("SELECT * FROM user WHERE id = 1 OR age = 1", .many),
    Case("SELECT * FROM tag WHERE postId = 1", .many),
    Case("SELECT * FROM tag WHERE postId = 1 AND name = 'a'", .optional),
    Case("SELECT * FROM post p JOIN user u ON u.id = p.userId WHERE p.id = ?", .optional),
    Case("SELECT * FROM post p LEFT JOIN user u ON u.id = p.userId WHERE p.id = ?", .optional),
    Case("SELECT * FROM user u LEFT JOIN post p ON u.id = p.userId WHERE u.id = ?", .many),
    Case("SELECT * FROM user LIMIT 1", .optional),
    Case("SELECT count(*) FROM user", .one),
    Case("SELECT count(*) FROM user GROUP BY name", .many),
    Case("SELECT count(*) FROM user LIMIT 0", .optional),
    Case("SELECT 1", .one),
    Case("SELECT 1 WHERE ?", .optional),
    Case("VALUES (1), (2)", .many),
    Case("SELECT 1 UNION SELECT 2", .many),
    Case("VALUES (1), (2) EXCEPT SELECT 1", .many),
    Case("SELECT 1 EXCEPT VALUES (1), (2)", .optional),
    Case("VALUES (1) EXCEPT VALUES (1), (2) UNION ALL SELECT 3", .many),
    Case("SELECT id FROM user INTERSECT VALUES (1)", .optional),
    Case("SELECT 1 INTERSECT VALUES (1), (2)", .optional),
    Case("VALUES (1), (2) INTERSECT SELECT id FROM user", .many),
    Case("INSERT INTO tag VALUES (1, 'a')", .none),
    Case("INSERT INTO tag VALUES (1, 'a') RETURNING *", .one),
    Case("INSERT INTO tag VALUES (1, 'a'), (2, 'b') RETURNING *", .many),
    Case("INSERT INTO tag VALUES (1, 'a') ON CONFLICT DO NOTHING RETURNING *", .optional),
    Case("INSERT OR IGNORE INTO tag VALUES (1, 'a') RETURNING *", .optional),
    Case("UPDATE user SET age = 1 WHERE id = ? RETURNING id", .optional),
    Case(
      "UPDATE user SET age = 1 FROM post WHERE user.id = post.userId RETURNING user.id", .many),
    Case("UPDATE user SET age = 1 FROM post WHERE user.id = ? RETURNING user.id", .optional),
    Case("DELETE FROM user RETURNING id", .many),
    Case("DELETE FROM user", .none),
  ])
  func `have a known cardinality`(_ expected: Case) throws {
    let (definition, diagnostics) = Database().query("DEFINE QUERY q AS \(expected.sql);")
    #expect(diagnostics.map(\.message) == [])
    #expect(try #require(definition).cardinality == expected.cardinality)
  }

  @Test(arguments: [
    Case("SELECT * FROM seat WHERE number = ?", .many),
    Case("SELECT * FROM seat WHERE number = ? AND isTaken", .many),
    Case("SELECT * FROM seat WHERE code = ?", .optional),
  ])
  func `may return many rows if the unique index is partial`(_ expected: Case) throws {
    let database = Database(
      """
      CREATE TABLE seat (number INTEGER, code INTEGER, isTaken BOOLEAN NOT NULL);
      CREATE UNIQUE INDEX taken ON seat (number) WHERE isTaken;
      CREATE UNIQUE INDEX coded ON seat (code);
      """)
    let definition = database.query("DEFINE QUERY q AS \(expected.sql);").definition
    #expect(try #require(definition).cardinality == expected.cardinality)
  }

  @Test(arguments: [
    ("SELECT id FROM post WHERE userId = ?", "SELECT id FROM post WHERE userId = ? LIMIT 1"),
    ("DELETE FROM post WHERE userId = ? RETURNING id", nil),
    ("SELECT id FROM post LIMIT 2", nil),
  ])
  func `for one row report that they may return several`(_ sql: String, _ fixed: String?) throws {
    let text = "-- name: q :one\n\(sql);"
    let (definition, diagnostics) = Database().query(text)
    #expect(definition?.cardinality == .optional)
    #expect(diagnostics.map(\.identity) == [.severalRows])
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostic.severity == .warning)
    #expect(SourceText(text)[diagnostic.span] == "q")
    let mended = diagnostic.fixIt.map { fixIt in
      var bytes = Array(text.utf8)
      bytes.replaceSubrange(fixIt.span.range, with: Array(fixIt.replacement.utf8))
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(mended == fixed.map { "-- name: q :one\n\($0);" })
  }

  @Test(arguments: [
    "SELECT id FROM post WHERE id = ?", "SELECT count(*) FROM post", "SELECT id FROM post LIMIT 1",
    "DELETE FROM post WHERE id = ? RETURNING id",
  ])
  func `for one row are accepted without a warning if they return at most one`(_ sql: String) {
    #expect(Database().query("-- name: q :one\n\(sql);").diagnostics == [])
  }

  @Test func `for one row with a list may return several rows, which form one`() {
    let text = """
      -- name: q :one
      -- nest: post
      SELECT user.*, post.* FROM user LEFT JOIN post ON userId = user.id WHERE user.id = ?;
      """
    #expect(Database().query(text).diagnostics == [])
  }

  @Test func `list the tables they read and write, including those in views`() throws {
    var database = Database()
    database.apply(
      "CREATE VIEW titles AS SELECT title, name FROM post JOIN user ON userId = user.id")
    let read = try #require(
      database.query("DEFINE QUERY q AS SELECT title FROM titles;").definition)
    #expect(
      read.reads == [
        TableAccess(table: "post", columns: ["title", "userId"]),
        TableAccess(table: "user", columns: ["id", "name"]),
      ])
    #expect(read.isReadOnly)
    let write = try #require(
      database.query("DEFINE QUERY q AS DELETE FROM tag WHERE postId IN (SELECT id FROM post);")
        .definition)
    #expect(write.writes == ["tag"])
    #expect(
      write.reads == [
        TableAccess(table: "post", columns: ["id"]), TableAccess(table: "tag", columns: ["postId"]),
      ])
    #expect(!write.isReadOnly)
  }

  @Test(arguments: [
    ("SELECT name FROM tag WHERE postId = ?", ".postId = ?1"),
    ("SELECT name FROM tag AS t WHERE ? < t.postId", ".postId > ?1"),
    (
      "SELECT name FROM tag WHERE postId = :a AND name >= 'x' AND length(name) = 3",
      "(.postId = ?1 & .name >= x)"
    ),
    ("SELECT name FROM tag WHERE postId BETWEEN ? AND 7", "(.postId >= ?1 & .postId <= 7)"),
    ("SELECT name FROM tag WHERE postId IN (1, ?)", ".postId in 1 ?1"),
    ("SELECT name FROM tag WHERE postId IN :ids", ".postId in list ?1"),
    ("SELECT name FROM tag WHERE name IN ? AND postId > ?", "(.name in list ?1 & .postId > ?2)"),
    ("SELECT name FROM tag WHERE postId NOT IN :ids", "all"),
    ("SELECT name FROM tag WHERE postId + 1 IN :ids", "all"),
    ("SELECT name FROM tag WHERE postId = 1 OR name = 'x'", "(.postId = 1 | .name = x)"),
    ("SELECT name FROM tag WHERE postId = 1 OR length(name) = 3", "all"),
    ("SELECT name FROM tag WHERE name IS NOT NULL AND postId <> 2", "(.name given & .postId <> 2)"),
    ("SELECT name FROM tag WHERE name = ? COLLATE NOCASE", "all"),
    ("SELECT name FROM tag WHERE postId = ? + 1", "all"),
    ("SELECT name FROM tag WHERE postId = rowid", "all"),
    (
      "SELECT tag.name FROM tag JOIN post ON post.id = postId WHERE postId = ? AND title = 'x'",
      ".postId = ?1"
    ),
    (
      "SELECT tag.name FROM tag LEFT JOIN post ON post.id = postId WHERE postId = ?", ".postId = ?1"
    ),
    // A condition on the optional side of an outer join, unless the absence of a row satisfies it.
    (
      "SELECT tag.name FROM post LEFT JOIN tag ON post.id = postId WHERE postId = ?", ".postId = ?1"
    ),
    ("SELECT title FROM post LEFT JOIN tag ON post.id = postId WHERE postId IS NULL", "all"),
    (
      "SELECT title FROM post LEFT JOIN tag ON post.id = postId AND name = 'a' WHERE postId IS NULL",
      ".name = a"
    ),
    ("SELECT name FROM tag LEFT JOIN post ON post.id = postId AND name = 'a'", "all"),
    ("SELECT name FROM post JOIN tag ON post.id = postId AND name = 'a'", ".name = a"),
    ("SELECT name FROM post FULL JOIN tag ON name = 'a'", "all"),
    // Several uses of a table.
    ("SELECT a.name FROM tag AS a, tag AS b WHERE a.postId = ?", "all"),
    (
      "SELECT a.name FROM tag AS a, tag AS b WHERE a.postId = ? AND b.name = 'b'",
      "(.postId = ?1 | .name = b)"
    ),
    (
      "SELECT a.name FROM tag AS a, tag AS b WHERE a.name = 'b' AND b.name = 'b'", ".name = b"
    ),
    ("SELECT name FROM tag WHERE postId = ? AND EXISTS (SELECT 1 FROM tag)", "all"),
    (
      "SELECT name FROM tag WHERE postId = 1 UNION SELECT name FROM tag WHERE postId = 2",
      "(.postId = 1 | .postId = 2)"
    ),
    // Subqueries and common tables.
    ("SELECT name FROM tag WHERE postId = ? UNION SELECT title FROM post", ".postId = ?1"),
    ("SELECT title FROM post WHERE id IN (SELECT postId FROM tag WHERE name = ?)", ".name = ?1"),
    (
      "SELECT title FROM post WHERE NOT EXISTS (SELECT 1 FROM tag WHERE postId = post.id AND name > 'a')",
      ".name > a"
    ),
    ("SELECT name FROM (SELECT * FROM tag) WHERE postId = ?", ".postId = ?1"),
    (
      "SELECT n FROM (SELECT name AS n, postId FROM tag WHERE name > 'a') WHERE postId = ? AND n < 'z'",
      "(.name > a & .postId = ?1 & .name < z)"
    ),
    ("WITH t AS (SELECT * FROM tag) SELECT name FROM t WHERE postId = ?", ".postId = ?1"),
    (
      "WITH t AS (SELECT * FROM tag) SELECT a.name FROM t AS a, t AS b WHERE a.postId = ?", "all"
    ),
    ("SELECT name FROM (SELECT * FROM tag LIMIT 3) WHERE postId = ?", "all"),
    ("SELECT name FROM (SELECT * FROM tag WHERE name = 'a' LIMIT 3)", ".name = a"),
    ("SELECT n FROM (SELECT postId, count(*) AS n FROM tag GROUP BY name) WHERE postId = ?", "all"),
    (
      "SELECT n FROM (SELECT postId, row_number() OVER () AS n FROM tag) WHERE postId = ?", "all"
    ),
    ("SELECT name FROM (SELECT * FROM tag UNION SELECT 1, 'a') WHERE postId = ?", "all"),
    ("SELECT name FROM (SELECT postId + 0 AS p, name FROM tag) WHERE p = ?", "all"),
    // Selects in subqueries.
    ("SELECT name FROM (SELECT * FROM (SELECT * FROM tag)) WHERE postId = ?", ".postId = ?1"),
    ("SELECT name FROM (SELECT * FROM (SELECT * FROM tag LIMIT 3)) WHERE postId = ?", "all"),
    (
      "SELECT n FROM (SELECT * FROM (SELECT postId, row_number() OVER () AS n FROM tag)) WHERE postId = ?",
      "all"
    ),
    (
      "SELECT n FROM (SELECT * FROM (SELECT postId, count(*) AS n FROM tag GROUP BY name)) WHERE postId = ?",
      "all"
    ),
    (
      "SELECT p FROM (SELECT (SELECT postId FROM tag ORDER BY name LIMIT 1) AS p FROM post) WHERE p = ?",
      "all"
    ),
    (
      "WITH t AS (SELECT * FROM tag) SELECT name FROM (SELECT a.* FROM t AS a, t AS b) WHERE postId = ?",
      "all"
    ),
    (
      "WITH t AS (SELECT * FROM tag) SELECT name FROM t WHERE postId = ? AND name IN (SELECT name FROM t)",
      "all"
    ),
    ("WITH t AS (SELECT name FROM tag) SELECT name FROM t WHERE name = ? AND name IN t", "all"),
    (
      "SELECT a.name FROM (SELECT * FROM tag) AS a, tag AS b WHERE a.postId = 1 AND b.name = 'b'",
      "(.postId = 1 | .name = b)"
    ),
    // Patterns.
    (
      "SELECT postId FROM tag WHERE name LIKE 'aB1_c%'",
      "((.name >= AB1 & .name < ab2) | .name >= [])"
    ),
    ("SELECT postId FROM tag WHERE name GLOB 'Az*'", "((.name >= AZ & .name < a{) | .name >= [])"),
    ("SELECT postId FROM tag WHERE name LIKE '%a'", "all"),
    ("SELECT postId FROM tag WHERE name LIKE ?", "all"),
    ("SELECT postId FROM tag WHERE name NOT LIKE 'a%'", "all"),
    ("SELECT postId FROM tag WHERE name LIKE 'a!%' ESCAPE '!'", "all"),
    ("SELECT name FROM tag WHERE postId LIKE '1%'", "all"),
    ("SELECT count(*) FROM tag WHERE postId = ?", ".postId = ?1"),
  ])
  func `depend only on rows that satisfy their conditions`(_ sql: String, _ rows: String) throws {
    let query = try #require(
      Database(Database.library.replacing(" WITHOUT ROWID", with: ""))
        .query("DEFINE QUERY q AS \(sql);").definition, "\(sql)")
    let tag = try #require(query.reads.first { $0.table == "tag" })
    #expect(tag.rows?.spelling ?? "all" == rows)
  }

  @Test func `that return a whole table return its struct`() throws {
    let database = Database()
    let whole = try #require(database.query("DEFINE QUERY q AS SELECT * FROM tag;").definition)
    #expect(whole.result == .table("tag"))
    let inserted = try #require(
      database.query("DEFINE QUERY q AS INSERT INTO tag VALUES (1, 'a') RETURNING *;").definition)
    #expect(inserted.result == .table("tag"))
    let part = try #require(database.query("DEFINE QUERY q AS SELECT name FROM tag;").definition)
    #expect(
      part.result
        == .columns([
          QueryModel.ColumnDefinition(
            name: "name", type: .text, isNullable: false,
            origins: [TableColumn(table: "tag", column: "name")])
        ]))
  }
}

extension RowCondition {
  fileprivate var spelling: String {
    switch self {
    case .comparison(let column, let comparison, let value):
      ".\(column) \(comparison.rawValue) \(value.spelling)"
    case .isIn(let column, let values):
      ".\(column) in \(values.map(\.spelling).joined(separator: " "))"
    case .isInList(let column, let parameter): ".\(column) in list ?\(parameter)"
    case .isNull(let column): ".\(column) missing"
    case .isNotNull(let column): ".\(column) given"
    case .all(let parts): "(\(parts.map(\.spelling).joined(separator: " & ")))"
    case .any(let parts): "(\(parts.map(\.spelling).joined(separator: " | ")))"
    case .ifPresent(let parameters, let inner): "\(inner.spelling) if \(parameters)"
    }
  }
}

extension RowCondition.Value {
  fileprivate var spelling: String {
    switch self {
    case .parameter(let number): "?\(number)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let value): "\(value)"
    }
  }
}
