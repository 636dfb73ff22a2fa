import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `The rows of a parameter that are inserted` {
  private func query(_ sql: String, _ database: Database = Database()) throws -> QueryDefinition {
    let (definition, diagnostics) = database.query(sql)
    #expect(diagnostics.map(\.message) == [])
    return try #require(definition)
  }

  private func columns(_ parameter: ParameterDefinition) -> [String] {
    parameter.columns.map { column in
      "\(column.name): \(spelling(column.type, column.isNullable))"
        + (column.isStored ? "" : " or omitted")
    }
  }

  @Test func `have the types of the columns in which they are stored`() throws {
    let query = try query("q: INSERT INTO user (name, id, score, email) VALUES :people")
    let parameter = try #require(query.parameters.first)
    #expect(query.parameters.count == 1)
    #expect(
      columns(parameter) == [
        "name: text", "id: integer? or omitted", "score: real?", "email: text?",
      ])
    #expect(parameter.isList)
    #expect(parameter.table == nil)
    #expect(
      parameter.columns.map(\.origins)
        == ["name", "id", "score", "email"].map { [TableColumn(table: "user", column: $0)] })
    #expect(query.sql == "INSERT INTO user (name, id, score, email) VALUES (?, ?, ?, ?)")
    let bytes = Array(query.sql.utf8)
    #expect(
      parameter.rowRanges.map { String(decoding: bytes[$0], as: UTF8.self) } == ["(?, ?, ?, ?)"])
    #expect(parameter.listRanges.isEmpty && parameter.ranges.isEmpty)
    #expect(query.writes == ["user"])
    #expect(!query.isReadOnly)
  }

  @Test(arguments: [
    ("INSERT INTO tag VALUES :tags", "tag"), ("INSERT INTO tag (postId, name) VALUES :t", "tag"),
    ("REPLACE INTO tag (POSTID, Name) VALUES (:tag.*)", "tag"),
    ("INSERT INTO tag (name, postId) VALUES :tags", nil),
    ("INSERT INTO one VALUES :names", "one"), ("INSERT INTO one (name) VALUES :names", nil),
    ("INSERT INTO post (id, userId, title, created_at) VALUES :p", nil),
    ("INSERT INTO generated VALUES :rows", nil),
  ])
  func `are the table's struct if they are all of its columns, in order`(
    _ sql: String, _ table: String?
  ) throws {
    var database = Database()
    database.apply(
      "CREATE TABLE one (name TEXT); CREATE TABLE generated (a INTEGER, b TEXT, c AS (a + 1));")
    #expect(try query("q: \(sql)", database).parameters.map(\.table) == [table])
  }

  @Test func `are values if there is one column`() throws {
    let query = try query(
      "q: INSERT OR IGNORE INTO user (email, name) VALUES ('x', 'y'); ")
    #expect(query.parameters.isEmpty)
    let one = try self.query("q: INSERT INTO post (body, userId, title, created_at) VALUES :posts")
    #expect(one.parameters.first?.columns.count == 4)
    var database = Database()
    database.apply("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT)")
    let words = try self.query("q: INSERT INTO word (text) VALUES :words", database)
    let parameter = try #require(words.parameters.first)
    #expect(parameter.columns.isEmpty)
    #expect((parameter.type, parameter.isNullable, parameter.isList) == (.text, true, true))
    #expect(words.sql == "INSERT INTO word (text) VALUES (?)")
  }

  @Test func `stand beside other parameters`() throws {
    let query = try query(
      """
      q: INSERT INTO user (id, name, age) VALUES :people
      ON CONFLICT (id) DO UPDATE SET age = ?, name = :name WHERE email IN :emails
      """)
    #expect(query.parameters.map(\.name) == ["people", "age", "name", "emails"])
    #expect(query.parameters.map(\.index) == [1, 2, 3, 4])
    let bytes = Array(query.sql.utf8)
    func texts(_ ranges: [Range<Int>]) -> [String] {
      ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(query.parameters.map { texts($0.ranges) } == [[], ["?"], [":name"], []])
    #expect(texts(query.parameters[3].listRanges) == [":emails"])
    #expect(texts(query.parameters[0].rowRanges) == ["(?, ?, ?)"])
  }

  @Test(arguments: [
    ("VALUES :tags", Cardinality.none), ("VALUES :tags RETURNING name", .many),
    ("VALUES (:tag.*) RETURNING name", .one),
    ("VALUES (:tag.*) ON CONFLICT DO NOTHING RETURNING name", .optional),
  ])
  func `determine the number of returned rows`(_ sql: String, _ expected: Cardinality) throws {
    #expect(try query("q: INSERT INTO tag \(sql)").cardinality == expected)
  }

  @Test func `may be inserted into a view and returned`() throws {
    var database = Database()
    database.apply(
      """
      CREATE VIEW v AS SELECT id, name FROM user;
      CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN SELECT 1; END;
      """)
    let handwritten = try query("q: INSERT INTO v (name) VALUES (:n) RETURNING *", database)
    for values in ["(:n.*)", ":n"] {
      let query = try query("q: INSERT INTO v (name) VALUES \(values) RETURNING *", database)
      #expect(query.result == handwritten.result)
    }
  }

  @Test(arguments: [
    Refusal("q: INSERT INTO user (①id②) VALUES :rows", .missingValue),
    Refusal("q: INSERT INTO user (name, ①nmae②) VALUES :rows", .unknownColumn),
    Refusal("q: INSERT INTO generated (a, ①b②) VALUES :rows", .generatedColumn),
    Refusal("q: INSERT INTO ①nowhere② VALUES :rows", .unknownTable),
    Refusal(
      "q: INSERT INTO tag VALUES :rows ON CONFLICT DO UPDATE SET name = ①:rows②", .mixedParameter),
    Refusal(
      "q: INSERT INTO tag VALUES (:row.*) ON CONFLICT DO UPDATE SET name = 'x' WHERE name IN ①:row②",
      .mixedParameter),
    Refusal(
      "q: INSERT INTO tag VALUES :rows ON CONFLICT DO UPDATE SET name = 'x' "
        + "WHERE (postId, name, 1) IN ①:rows②", .mixedParameter),
    Refusal("-- type: :rows AS Row\n①q②: INSERT INTO tag VALUES :rows", .malformedAnnotation),
    Refusal("-- order: ①:rows② = 1 AS a\nq: INSERT INTO tag VALUES ①:rows②", .malformedAnnotation),
    Refusal(
      "-- name: ①q② :execlastid\nINSERT INTO tag VALUES :rows", .malformedAnnotation),
    Refusal(
      "-- name: ①q② :one\nINSERT INTO tag VALUES :rows RETURNING name", .malformedAnnotation),
    Refusal(
      "q: INSERT INTO tag VALUES :rows ON CONFLICT DO UPDATE SET name = "
        + "(SELECT title FROM post WHERE /* if ①:rows② */ id = 1)", .malformedAnnotation),
  ])
  func `are checked`(_ refusal: Refusal) {
    var database = Database()
    database.apply("CREATE TABLE generated (a INTEGER, b AS (a + 1))")
    let marked = MarkedText(refusal.sql)
    let diagnostics = database.query(marked.text).diagnostics
    #expect(diagnostics.first?.identity == refusal.identity, "\(diagnostics.map(\.message))")
    if let span = marked.span { #expect(diagnostics.first?.span == span) }
  }
}
