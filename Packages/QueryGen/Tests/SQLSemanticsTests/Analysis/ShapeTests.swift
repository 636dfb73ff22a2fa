import QueryModel
import SQLSyntax
import Testing

@testable import SQLSemantics

@Suite struct `Results` {
  private let database: Database = {
    var database = Database()
    database.apply(
      """
      CREATE VIEW titles AS SELECT title, name FROM post JOIN user ON user.id = userId;
      CREATE VIEW tags AS SELECT * FROM tag;
      CREATE VIEW mixed AS SELECT name FROM user UNION SELECT title FROM post;
      """)
    return database
  }()

  private func result(of sql: String) -> ResultLayout? {
    database.query("DEFINE QUERY q AS \(sql);").definition?.result
  }

  @Test(
    arguments: [
      ("SELECT tag.* FROM tag", "tag"),
      ("SELECT t.* FROM tag AS t JOIN post ON post.id = postId", "tag"),
      ("SELECT postId, name FROM tag", "tag"),
      ("SELECT t.postId, t.name FROM post JOIN tag AS t ON post.id = postId", "tag"),
      ("SELECT post.* FROM user LEFT JOIN post ON user.id = userId", nil),
      ("SELECT postId AS id, name FROM tag", nil),
      ("SELECT * FROM mixed", "mixed"),
      ("SELECT name FROM mixed", nil),
      ("SELECT name, postId FROM tag", nil),
      ("SELECT postId, upper(name) AS name FROM tag", nil),
      ("SELECT a.postId, b.name FROM tag AS a, tag AS b", nil),
      ("SELECT * FROM titles", "titles"),
      ("SELECT * FROM tags", "tags"),
      ("SELECT * FROM tag WHERE name = 'a' UNION SELECT * FROM tag", "tag"),
      ("SELECT * FROM tag UNION SELECT * FROM tags", nil),
      ("INSERT INTO tag VALUES (1, 'a') RETURNING postId, name", "tag"),
      ("DELETE FROM tag RETURNING *", "tag"),
      ("DELETE FROM tag RETURNING name", nil),
    ] as [(String, String?)])
  func `with every column of a table are the table's struct`(
    _ sql: String, _ table: String?
  ) throws {
    let shape = try #require(result(of: sql))
    if let table { #expect(shape == .table(table)) } else { #expect(shape.tableName == nil) }
  }

  @Test func `keep the columns of each table together`() {
    #expect(
      result(of: "SELECT user.*, post.*, count(*) AS n FROM user JOIN post ON user.id = userId")?
        .parts
        == ["user", "post", "n"])
    #expect(
      result(of: "SELECT u.*, p.* FROM user AS u LEFT JOIN post AS p ON u.id = userId")?.parts
        == ["u", "p?"])
    #expect(
      result(of: "SELECT u.*, p.* FROM user AS u RIGHT JOIN post AS p ON u.id = userId")?.parts
        == ["u?", "p"])
    #expect(
      result(of: "SELECT u.*, p.* FROM user AS u FULL JOIN post AS p ON u.id = userId")?.parts
        == ["u?", "p?"])
    #expect(
      result(of: "SELECT a.*, b.* FROM user AS a JOIN user AS b ON a.managerId = b.id")?.parts
        == ["a", "b"])
    #expect(result(of: "SELECT t.*, 1 AS x FROM titles AS t")?.parts == ["t", "x"])
  }

  @Test func `have no optional table if a condition requires its row`() {
    #expect(
      result(
        of:
          "SELECT u.*, p.* FROM user AS u LEFT JOIN post AS p ON u.id = userId WHERE p.id IS NOT NULL"
      )?.parts == ["u", "p"])
  }

  @Test func `have plain columns if no table is selected whole`() throws {
    for sql in [
      "SELECT * FROM user JOIN tag ON user.id = postId",
      "SELECT a.*, 1 AS x FROM (SELECT name, age FROM user) AS a",
      "SELECT u.*, 1 AS x FROM user AS u UNION SELECT p.*, 1, 2, 3, 4, 5, 6 FROM post AS p",
    ] {
      guard case .columns = try #require(result(of: sql), "\(sql)") else {
        Issue.record("\(sql)")
        continue
      }
    }
  }

  @Test func `are nested as the comment specifies`() throws {
    let query = try #require(
      database.query(
        """
        -- Everybody, with their posts.
        -- nest: post
        -- nest: name, age AS people
        DEFINE QUERY q AS SELECT user.*, post.* FROM user JOIN post ON user.id = userId;
        """
      ).definition)
    #expect(query.documentation == "Everybody, with their posts.")
    #expect(
      query.lists == [
        NestedList(name: "", columns: ["post"]),
        NestedList(name: "people", columns: ["name", "age"]),
      ])
  }

  @Test(arguments: [
    (
      "book (chapter)",
      NestedList(name: "", columns: ["book"], lists: [.init(name: "", columns: ["chapter"])])
    ),
    (
      "title, year (heading, page AS chapters) AS books",
      NestedList(
        name: "books", columns: ["title", "year"],
        lists: [NestedList(name: "chapters", columns: ["heading", "page"])])
    ),
    (
      "a(*) ((b as c) d (e)(f) AS g),h",
      NestedList(
        name: "", columns: ["a(*)", "h"],
        lists: [
          NestedList(
            name: "g", columns: ["d"],
            lists: [
              NestedList(name: "c", columns: ["b"]), NestedList(name: "", columns: ["e"]),
              NestedList(name: "", columns: ["f"]),
            ])
        ])
    ),
    ("as AS as", NestedList(name: "as", columns: ["as"])),
  ])
  func `contain lists that the comment nests`(_ text: String, _ expected: NestedList) throws {
    let query = try #require(database.query("-- nest: \(text)\nq: SELECT 1").definition)
    #expect(query.lists == [expected])
    #expect(query.documentation == nil)
  }

  @Test(arguments: ["", "()", "a (b", "a b)", "(a)", "a ()", "a AS b c (d", "a (b AS c d"])
  func `are not nested by a malformed comment`(_ text: String) {
    let (definition, diagnostics) = database.query("-- nest: \(text)\nq: SELECT 1")
    #expect(diagnostics.map(\.identity) == [.malformedAnnotation], "\(text)")
    #expect(definition == nil)
  }

  @Test func `have the Swift types that the comment specifies`() throws {
    let query = try #require(
      database.query(
        """
        -- type: total AS Money USING Cents
        -- type:"Two Words" AS [String]
        -- type: :least AS Money
        -- type: one that is prose
        DEFINE QUERY q AS
        SELECT sum(age) AS Total, name AS "two words" FROM user WHERE age > :least;
        """
      ).definition)
    #expect(query.documentation == "type: one that is prose")
    #expect(
      query.columnTypes == [
        "total": ColumnAnnotation(type: "Money", format: "Cents"),
        "two words": ColumnAnnotation(type: "[String]"),
      ])
    #expect(query.parameterTypes == ["least": ColumnAnnotation(type: "Money")])
  }

  @Test func `have their own struct if a column of a whole table has a type annotation`() throws {
    let query = try #require(
      database.query("-- type: name AS Name\nDEFINE QUERY q AS SELECT * FROM tag;").definition)
    guard case .columns(let columns) = query.result else {
      Issue.record("\(query.result)")
      return
    }
    #expect(columns.map(\.name) == ["postId", "name"])
  }

  @Test(arguments: [
    (
      "totl AS Money",
      "no result column outside `table.*` named `totl`; did you mean `total`?"
    ),
    (":leas AS Money", "no parameter named `leas`; did you mean `least`?"),
    ("id AS Money", "no result column outside `table.*` named `id`"),
    ("total AS money", "expected a Swift type after `AS`"),
    ("total AS Money USING", "expected a Swift type after `AS`"),
  ])
  func `are rejected if the type annotation is invalid`(
    _ comment: String, _ message: String
  ) throws {
    let (definition, diagnostics) = database.query(
      "-- type: \(comment)\nDEFINE QUERY q AS SELECT sum(age) AS total, post.* "
        + "FROM user, post WHERE age > :least GROUP BY post.id;")
    #expect(definition == nil)
    #expect(diagnostics.map(\.identity) == [.malformedAnnotation])
    #expect(diagnostics.first?.message.contains(message) == true, "\(diagnostics)")
  }

  @Test func `record the columns that an outer join makes NULL together`() throws {
    let query = try #require(
      database.query(
        """
        DEFINE QUERY q AS
        SELECT user.id, post.title, post.body, tag.name, upper(post.title) AS loud FROM user
        LEFT JOIN post ON userId = user.id LEFT JOIN tag ON postId = post.id;
        """
      ).definition)
    guard case .columns(let columns) = query.result else {
      Issue.record("\(query.result)")
      return
    }
    #expect(columns.map { $0.outerJoined?.isCertain } == [nil, true, false, true, nil])
    #expect(columns[1].outerJoined?.source == columns[2].outerJoined?.source)
    #expect(columns[1].outerJoined?.source != columns[3].outerJoined?.source)
  }
}

@Suite struct `The origin of values` {
  private static let database: Database = {
    var database = Database()
    database.apply(
      """
      CREATE VIEW names AS SELECT name AS who, upper(name) AS loud FROM user;
      CREATE VIEW mixed AS SELECT name FROM user UNION SELECT title FROM post;
      """)
    return database
  }()

  @Test(arguments: [
    ("SELECT name FROM user", "user.name"),
    ("SELECT who FROM names", "user.name"),
    ("SELECT loud FROM names", ""),
    ("SELECT name FROM mixed", "post.title user.name"),
    ("SELECT x FROM (SELECT u.name AS x FROM user AS u)", "user.name"),
    ("WITH c (x) AS (SELECT name FROM user) SELECT x FROM c", "user.name"),
    ("SELECT name FROM user UNION ALL SELECT NULL", "user.name"),
    ("SELECT name FROM user UNION ALL SELECT 'x'", ""),
    ("SELECT coalesce(name, email) FROM user", "user.email user.name"),
    ("SELECT coalesce(name, '') FROM user", ""),
    ("SELECT max(name) FROM user", "user.name"),
    ("SELECT CASE WHEN age > 1 THEN name ELSE email END FROM user", "user.email user.name"),
    ("SELECT (SELECT name FROM user LIMIT 1)", "user.name"),
    ("SELECT (SELECT name FROM user UNION SELECT 'x' LIMIT 1)", ""),
    ("SELECT name COLLATE NOCASE FROM user", "user.name"),
    ("SELECT lag(name) OVER (ORDER BY id) FROM user", "user.name"),
    ("SELECT age + 1 FROM user", ""),
    ("SELECT CAST(age AS TEXT) FROM user", ""),
    (
      "WITH RECURSIVE r (x) AS (SELECT name FROM user UNION SELECT title FROM r, post) SELECT x FROM r",
      "post.title user.name"
    ),
    (
      "WITH RECURSIVE r (x) AS (SELECT name FROM user UNION SELECT x || '.' FROM r) SELECT x FROM r",
      ""
    ),
    ("INSERT INTO user (name) VALUES ('a') RETURNING name", "user.name"),
  ])
  func `is known for every expression that returns them unchanged`(
    _ sql: String, _ origins: String
  ) throws {
    let query = try #require(Self.database.query("DEFINE QUERY q AS \(sql);").definition, "\(sql)")
    guard case .columns(let columns) = query.result else {
      Issue.record("\(query.result)")
      return
    }
    #expect(columns.first?.origins.spelling == origins)
  }

  @Test(arguments: [
    ("SELECT 1 FROM user WHERE name = ?", "user.name"),
    ("SELECT 1 FROM user WHERE name IN (?, 'x')", "user.name"),
    ("SELECT 1 FROM user WHERE name IN ?", "user.name"),
    ("SELECT 1 FROM user WHERE (name, age) = (:a, 1)", "user.name"),
    ("SELECT 1 FROM user WHERE :a IS NULL OR name = :a", "user.name"),
    ("SELECT 1 FROM user WHERE name = coalesce(?, 'x')", "user.name"),
    ("SELECT 1 FROM user, post WHERE name = :a OR title = :a", "post.title user.name"),
    ("SELECT 1 FROM user WHERE name LIKE ?", ""),
    ("SELECT 1 FROM user WHERE name = :a AND :a LIKE 'x%'", ""),
    ("SELECT 1 FROM user WHERE name = :a OR upper(name) = :a", ""),
    ("SELECT 1 FROM user LIMIT ?", ""),
    ("INSERT INTO user (name) VALUES (?)", "user.name"),
    ("UPDATE user SET name = ?", "user.name"),
    ("UPDATE user SET age = age + ?", ""),
    ("SELECT CASE ? WHEN name THEN 1 END FROM user", "user.name"),
    ("SELECT 1 FROM names WHERE who = ?", "user.name"),
  ])
  func `is also known for parameters`(_ sql: String, _ origins: String) throws {
    let query = try #require(Self.database.query("DEFINE QUERY q AS \(sql);").definition, "\(sql)")
    #expect(query.parameters.first?.origins.spelling == origins)
  }
}

extension [TableColumn] {
  fileprivate var spelling: String {
    map { "\($0.table).\($0.column)" }.joined(separator: " ")
  }
}

extension ResultLayout {
  fileprivate var tableName: String? {
    if case .table(let name) = self { name } else { nil }
  }

  /// The fields of a row. A `?` marks an optional table.
  fileprivate var parts: [String]? {
    guard case .fields(let fields) = self else { return nil }
    return fields.map { field in
      if case .table(let table) = field, table.isOptional { field.name + "?" } else { field.name }
    }
  }
}
