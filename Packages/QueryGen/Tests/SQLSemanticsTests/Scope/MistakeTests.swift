import SQLSemantics
import SQLSyntax
import Testing

/// A query with one warning or error about a likely mistake, at the marked span, and the query after
/// the fix-it.
struct Mistake: CustomTestStringConvertible, Sendable {
  let sql: String
  let identity: Diagnostic.Identity
  let fixed: String?
  var testDescription: String { sql }

  init(_ sql: String, _ identity: Diagnostic.Identity, fixed: String? = nil) {
    self.sql = sql
    self.identity = identity
    self.fixed = fixed
  }
}

func expectMistake(
  _ mistake: Mistake, _ severity: Diagnostic.Severity = .warning,
  in database: Database = Database(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let marked = MarkedText("DEFINE QUERY q AS \(mistake.sql);")
  let diagnostics = database.query(marked.text).diagnostics
  #expect(
    diagnostics.map(\.identity) == [mistake.identity], "\(diagnostics.map(\.message))",
    sourceLocation: sourceLocation)
  guard let first = diagnostics.first else { return }
  #expect(first.severity == severity, sourceLocation: sourceLocation)
  #expect(first.span == marked.span, sourceLocation: sourceLocation)
  let fixed = first.fixIt.map { fixIt in
    var bytes = Array(marked.text.utf8)
    bytes.replaceSubrange(fixIt.span.range, with: Array(fixIt.replacement.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }
  #expect(
    fixed == mistake.fixed.map { "DEFINE QUERY q AS \($0);" }, sourceLocation: sourceLocation)
}

func expectNoMistake(
  _ sql: String, in database: Database = Database(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let diagnostics = database.query("DEFINE QUERY q AS \(sql);").diagnostics
  #expect(diagnostics.map(\.message) == [], sourceLocation: sourceLocation)
}

@Suite struct `Comparisons with NULL` {
  @Test(arguments: [
    Mistake(
      "SELECT id FROM user WHERE ①age = NULL②", .nullComparison,
      fixed: "SELECT id FROM user WHERE age IS NULL"),
    Mistake(
      "SELECT id FROM user WHERE ①age == (NULL)② AND id > 1", .nullComparison,
      fixed: "SELECT id FROM user WHERE age IS (NULL) AND id > 1"),
    Mistake(
      "SELECT id FROM user WHERE ①age <> NULL②", .nullComparison,
      fixed: "SELECT id FROM user WHERE age IS NOT NULL"),
    Mistake(
      "SELECT id FROM user WHERE ①age != NULL②", .nullComparison,
      fixed: "SELECT id FROM user WHERE age IS NOT NULL"),
    Mistake(
      "SELECT id FROM user WHERE ①NULL = user.age②", .nullComparison,
      fixed: "SELECT id FROM user WHERE user.age IS NULL"),
    Mistake("SELECT id FROM user WHERE ①NULL = age + 1②", .nullComparison),
    Mistake(
      "DELETE FROM user WHERE ①age IN (NULL)②", .nullComparison,
      fixed: "DELETE FROM user WHERE age IS NULL"),
    Mistake(
      "DELETE FROM user WHERE ①age NOT IN (NULL)②", .nullComparison,
      fixed: "DELETE FROM user WHERE age IS NOT NULL"),
    Mistake("DELETE FROM user WHERE age NOT IN (1, ①NULL②)", .nullComparison),
    Mistake("DELETE FROM user WHERE age IN (①NULL②, 1)", .nullComparison),
    Mistake("SELECT CASE age WHEN ①NULL② THEN 1 ELSE 2 END AS a FROM user", .nullComparison),
    Mistake(
      "UPDATE user SET name = 'a' WHERE ①age = NULL②", .nullComparison,
      fixed: "UPDATE user SET name = 'a' WHERE age IS NULL"),
  ])
  func `are reported with the test that is meant`(_ mistake: Mistake) { expectMistake(mistake) }

  @Test(arguments: [
    "UPDATE user SET age = NULL WHERE age IS NOT NULL", "SELECT id FROM user WHERE age IS :age",
    "SELECT CASE WHEN age IS NULL THEN 1 END AS a FROM user",
    "SELECT coalesce(age, NULL) FROM user",
  ])
  func `do not include assignments and null tests`(_ sql: String) { expectNoMistake(sql) }

  @Test(arguments: [
    "CREATE VIEW v AS SELECT id FROM user WHERE age = NULL;",
    "CREATE TRIGGER r AFTER DELETE ON user BEGIN DELETE FROM tag WHERE name = NULL; END;",
    "CREATE TABLE t (a CHECK (a <> NULL));", "DELETE FROM user WHERE age = NULL;",
  ])
  func `are reported in migrations`(_ sql: String) {
    var database = Database()
    database.apply(sql)
    #expect(database.diagnostics.diagnostics.map(\.identity) == [.nullComparison])
    #expect(!database.diagnostics.hasErrors)
  }

  @Test func `in a view do not prevent its use`() {
    let database = Database(
      Database.library + "CREATE VIEW v AS SELECT id FROM user WHERE age = NULL;")
    expectNoMistake("SELECT id FROM v", in: database)
    #expect(database.catalog.verify() == [])
  }
}

@Suite struct `Parameters in quotes` {
  @Test(arguments: [
    Mistake(
      "SELECT id FROM user WHERE name LIKE ①'%:t%'②", .parameterInString,
      fixed: "SELECT id FROM user WHERE name LIKE '%' || :t || '%'"),
    Mistake(
      "SELECT id FROM user WHERE name NOT LIKE ①':prefix%'② ESCAPE '!'", .parameterInString,
      fixed: "SELECT id FROM user WHERE name NOT LIKE :prefix || '%' ESCAPE '!'"),
    Mistake(
      "SELECT id FROM user WHERE name LIKE ①'it''s :a and :b'②", .parameterInString,
      fixed: "SELECT id FROM user WHERE name LIKE 'it''s ' || :a || ' and ' || :b"),
    Mistake(
      "SELECT id FROM user WHERE name LIKE ①'%?%'②", .parameterInString,
      fixed: "SELECT id FROM user WHERE name LIKE '%' || ? || '%'"),
    Mistake(
      "SELECT id FROM user WHERE name GLOB ①'*:t*'②", .parameterInString,
      fixed: "SELECT id FROM user WHERE name GLOB '*' || :t || '*'"),
    Mistake(
      "SELECT id FROM user WHERE name = ①':name'②", .parameterInString,
      fixed: "SELECT id FROM user WHERE name = :name"),
  ])
  func `are reported with a concatenation`(_ mistake: Mistake) { expectMistake(mistake) }

  @Test(arguments: [
    "name LIKE 'https://%'", "name LIKE '%12:30%'", "name LIKE '%@example.com'", "name LIKE '%?'",
    "name LIKE '%::text%'", "name LIKE ':smile:%'", "name GLOB '?*'", "name LIKE 'Note: %'",
    "name = 'a:b'", "name = 'to: :name'", "name LIKE '%$5%'", "name LIKE '%a?b%'",
    "name LIKE '%' || :t || '%'",
  ])
  func `do not include text with the same characters`(_ condition: String) {
    expectNoMistake("SELECT id FROM user WHERE \(condition)")
  }
}

@Suite struct `Patterns with a backslash` {
  @Test(arguments: [
    Mistake(
      "SELECT id FROM user WHERE name LIKE ①'50\\%'②", .missingEscape,
      fixed: "SELECT id FROM user WHERE name LIKE '50\\%' ESCAPE '\\'"),
    Mistake(
      "SELECT id FROM user WHERE name NOT LIKE (①'a\\_b'②) AND id > 1", .missingEscape,
      fixed: "SELECT id FROM user WHERE name NOT LIKE ('a\\_b') ESCAPE '\\' AND id > 1"),
  ])
  func `need ESCAPE`(_ mistake: Mistake) { expectMistake(mistake) }

  @Test(arguments: ["name LIKE '50\\%' ESCAPE '\\'", "name LIKE '50%'", "name GLOB 'a\\_'"])
  func `do not include others`(_ condition: String) {
    expectNoMistake("SELECT id FROM user WHERE \(condition)")
  }
}

@Suite struct `Parameters that sort or group` {
  @Test(arguments: [
    Mistake("SELECT id FROM user ORDER BY ①:column②", .constantTerm),
    Mistake("SELECT id FROM user ORDER BY name, ①?② DESC", .constantTerm),
    Mistake("SELECT id FROM user ORDER BY ①(:column) COLLATE NOCASE②", .constantTerm),
    Mistake("SELECT count(*) FROM user GROUP BY ①:column②", .constantTerm),
    Mistake("SELECT id FROM user UNION SELECT id FROM post ORDER BY ①:column②", .constantTerm),
    Mistake("SELECT (SELECT id FROM post ORDER BY ①:column②) AS a FROM user", .constantTerm),
    Mistake("DELETE FROM user ORDER BY ①:column② LIMIT 1", .constantTerm),
  ])
  func `are rejected`(_ mistake: Mistake) { expectMistake(mistake, .error) }

  @Test func `are accepted when a statement is only prepared, as by SQLite`() {
    expectAccepted("SELECT id FROM user ORDER BY :column")
  }

  @Test func `name the alternative`() throws {
    let diagnostics = Database().query("q: SELECT id FROM user ORDER BY :column;").diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "`ORDER BY :column` doesn't sort, because a parameter is a value and not a column's name; "
          + "declare its terms in a comment, as in \"-- order: :column = name, age DESC\""
      ])
  }

  @Test(arguments: [
    "SELECT id FROM user ORDER BY CASE :column WHEN 'name' THEN name WHEN 'age' THEN age END",
    "SELECT id FROM user ORDER BY id LIMIT :limit OFFSET :offset",
    "SELECT id FROM user ORDER BY age - :age", "SELECT id FROM user ORDER BY 1",
  ])
  func `do not include other uses`(_ sql: String) { expectNoMistake(sql) }
}

@Suite struct `Joins without a condition` {
  @Test(arguments: [
    Mistake("SELECT user.id FROM user ①JOIN② post", .unconstrainedJoin),
    Mistake("SELECT user.id FROM user ①INNER JOIN② post WHERE post.id > 5", .unconstrainedJoin),
    Mistake("SELECT user.id FROM user ①LEFT JOIN② post", .unconstrainedJoin),
    Mistake(
      "SELECT user.id FROM user JOIN post ON post.userId = user.id ①JOIN② tag", .unconstrainedJoin),
    Mistake("SELECT user.id FROM (user ①JOIN② post) AS x", .unconstrainedJoin),
    Mistake("SELECT 1 FROM user ①JOIN② (SELECT id FROM post) AS p", .unconstrainedJoin),
    Mistake(
      "UPDATE tag SET name = 'a' FROM user ①JOIN② post WHERE postId = user.id",
      .unconstrainedJoin),
  ])
  func `are reported`(_ mistake: Mistake) { expectMistake(mistake) }

  @Test(arguments: [
    "user CROSS JOIN post", "user, post", "user NATURAL JOIN post", "user JOIN post USING (id)",
    "user JOIN post ON post.userId = user.id", "user JOIN post WHERE userId = user.id",
    "user JOIN post JOIN tag ON userId = user.id AND postId = post.id",
    "user JOIN json_each(name)", "user JOIN (SELECT max(id) AS last FROM post)",
    "user JOIN post WHERE post.id = :id", "user JOIN post WHERE user.id = :id",
    "(user JOIN post) WHERE post.userId = user.id",
    "user JOIN post WHERE EXISTS (SELECT 1 FROM tag WHERE postId = post.id AND name = user.name)",
  ])
  func `do not include joins that a condition restricts`(_ from: String) {
    expectNoMistake("SELECT 1 AS one FROM \(from)")
  }

  @Test func `of the target of an update are in its condition`() {
    expectNoMistake(
      "UPDATE tag SET name = 'a' FROM user JOIN post WHERE postId = user.id AND userId = user.id")
  }
}

@Suite struct `Columns outside of aggregates` {
  @Test(arguments: [
    Mistake("SELECT ①title②, count(*) FROM post", .ungroupedColumn),
    Mistake("SELECT userId, ①title②, count(*) FROM post GROUP BY userId", .ungroupedColumn),
    Mistake("SELECT userId, upper(①title②) AS t FROM post GROUP BY userId", .ungroupedColumn),
    Mistake("SELECT ①*② FROM post GROUP BY userId", .ungroupedColumn),
    Mistake("SELECT ①title②, min(id), max(id) FROM post GROUP BY userId", .ungroupedColumn),
    Mistake(
      "SELECT userId, count(*) FROM post GROUP BY userId HAVING ①title② = 'a'", .ungroupedColumn),
    Mistake(
      "SELECT userId, count(*) FROM post GROUP BY userId ORDER BY ①title②", .ungroupedColumn),
    Mistake(
      "SELECT user.name, ①post.title② FROM user JOIN post ON userId = user.id GROUP BY user.id",
      .ungroupedColumn),
  ])
  func `are reported`(_ mistake: Mistake) { expectMistake(mistake) }

  @Test(arguments: [
    "SELECT count(*) FROM post", "SELECT userId, count(*) FROM post GROUP BY userId",
    "SELECT userId AS u, count(*) FROM post GROUP BY u",
    "SELECT userId, count(*) FROM post GROUP BY 1",
    "SELECT lower(title) AS t, count(*) FROM post GROUP BY lower(title)",
    "SELECT title, max(created_at) FROM post", "SELECT title, min(id) FROM post GROUP BY userId",
    "SELECT title, max(id), count(*) FROM post GROUP BY userId",
    "SELECT userId, count(*) FROM post GROUP BY userId ORDER BY count(*), userId",
    "SELECT user.name, count(*) FROM user JOIN post ON userId = user.id GROUP BY user.id",
    "SELECT user.*, count(post.id) AS n FROM user LEFT JOIN post ON userId = user.id GROUP BY user.id",
    "SELECT user.name, count(*) FROM user JOIN post ON userId = user.id GROUP BY userId",
    "SELECT name, email, count(*) FROM user GROUP BY email",
    "SELECT name, count(*) FROM user WHERE id = :id",
    "SELECT age, count(*) FROM user WHERE age = 5",
    "SELECT userId, p.last, count(*) FROM post, (SELECT max(id) AS last FROM user) AS p "
      + "GROUP BY userId",
    "SELECT id, (SELECT count(*) FROM post WHERE userId = user.id) AS n FROM user",
    "SELECT user.id, s.n, count(*) FROM user LEFT JOIN "
      + "(SELECT userId, count(*) AS n FROM post GROUP BY userId) AS s ON s.userId = user.id "
      + "JOIN post ON post.userId = user.id GROUP BY user.id",
    "SELECT id, sum(age) OVER (ORDER BY id) AS total FROM user",
    "SELECT postId, tag.name, count(*) FROM tag JOIN post ON post.id = postId GROUP BY postId, tag.name",
  ])
  func `do not include columns with one value in each group`(_ sql: String) {
    expectNoMistake(sql)
  }
}
