import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Parameters` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, parameters: String
    var testDescription: String { sql }
    init(_ sql: String, _ parameters: String) {
      self.sql = sql
      self.parameters = parameters
    }
  }

  @Test(arguments: [
    Case("SELECT id FROM user WHERE age = ?", "age: integer"),
    Case("SELECT id FROM user WHERE age > ? AND age < ?", "age: integer, age2: integer"),
    Case("SELECT id FROM user WHERE :name = name OR email = :name", "name: text"),
    Case("SELECT id FROM user WHERE (:n IS NULL OR name = :n)", "n: text?"),
    Case("SELECT id FROM user WHERE born IS ?", "born: any?"),
    Case("SELECT id FROM user LIMIT ? OFFSET ?", "limit: integer, offset: integer"),
    Case(
      "SELECT id FROM post WHERE created_at BETWEEN ? AND ?",
      "created_at_lower: integer, created_at_upper: integer"),
    Case("SELECT id FROM user WHERE age BETWEEN ? AND ?", "ageLower: integer, ageUpper: integer"),
    Case("SELECT id FROM user WHERE id IN ?", "ids: [integer]"),
    Case(
      "SELECT id FROM user WHERE (id, coalesce(age, 1)) IN :keys AND (name, age) NOT IN ?",
      "keys: [(id: integer, age: integer)], rows: [(name: text, age: integer)]"),
    Case("SELECT id FROM user WHERE (age, age) IN :ages", "ages: [(age: integer, age2: integer)]"),
    Case(
      "WITH unused AS (SELECT id FROM user WHERE id IN :ids) SELECT id FROM user WHERE id IN :ids",
      "ids: [integer]"),
    Case("SELECT iif(:flag, name, :other) FROM user", "flag: boolean, other: text"),
    Case(
      "SELECT id FROM user WHERE name = coalesce(:a, :b) AND age = CASE WHEN :c THEN :d ELSE 1 END",
      "a: text?, b: text?, c: boolean, d: integer"),
    Case("SELECT id FROM user WHERE name LIKE '%' || ? || '%'", "name: text"),
    Case("SELECT id FROM user WHERE name = coalesce(?, name)", "name: text?"),
    Case("SELECT id FROM user WHERE (id, name) = (?, ?)", "id: integer, name: text"),
    Case(
      "INSERT INTO user (id, name, age) VALUES (?, ?, ?)",
      "id: integer?, name: text, age: integer?"),
    Case("INSERT INTO tag VALUES (?2, ?1)", "postId: integer, name: text"),
    Case("INSERT INTO tag SELECT id, ? FROM post", "name: text"),
    Case(
      "UPDATE user SET name = ?, age = age + ? WHERE id = ?",
      "name: text, age: integer, id: integer"),
    Case("SELECT ?, CAST(? AS TEXT) AS label", "value: any?, label: text"),
    Case("SELECT @a, :a, $a", "a: any?, a2: any?, a3: any?"),
    Case(
      "WITH unused AS (SELECT ?) SELECT id FROM user WHERE id = ?",
      "value: any?, id: integer"),
  ])
  func `get numbers, names and types from their uses`(_ expected: Case) throws {
    let (definition, diagnostics) = Database().query("DEFINE QUERY q AS \(expected.sql);")
    #expect(diagnostics.map(\.message) == [])
    let parameters = try #require(definition).parameters.map { parameter in
      var type = spelling(parameter.type, parameter.isNullable)
      if !parameter.columns.isEmpty {
        let columns = parameter.columns.map { "\($0.name): \(spelling($0.type, $0.isNullable))" }
        type = "(\(columns.joined(separator: ", ")))"
      }
      return "\(parameter.name): \(parameter.isList ? "[\(type)]" : type)"
    }
    #expect(parameters.joined(separator: ", ") == expected.parameters)
  }

  @Test func `are numbered as in SQLite`() throws {
    let sql = "SELECT ?3, ?, :a, ?1, ?, :a"
    let analysis = try #require(Database().analyze(sql).analysis)
    #expect(analysis.parameterCount == 6)
    #expect(analysis.parameters.map(\.index) == [1, 3, 4, 5, 6])
    #expect(analysis.parameters.map(\.name) == ["?1", "?3", nil, ":a", nil])
  }

  @Test func `that are lists record the positions of their placeholders`() throws {
    let (definition, _) = Database().query(
      "DEFINE QUERY q AS SELECT id FROM user WHERE id IN :ids OR age IN :ids AND name = ?;")
    let query = try #require(definition)
    let ids = try #require(query.parameters.first)
    #expect(ids.listRanges.map { query.sql.utf8Text($0) } == [":ids", ":ids"])
    #expect(query.parameters[1].ranges.map { query.sql.utf8Text($0) } == ["?"])
  }

  @Test(arguments: [
    Refusal("SELECT 1 FROM user WHERE id IN :x OR age = ①:x②", .mixedParameter),
    Refusal("SELECT 1 FROM user WHERE age = ①?1② OR id IN ?1", .mixedParameter),
    Refusal("SELECT 1 FROM user WHERE id IN :x AND (id, age) IN ①:x②", .mixedParameter),
    Refusal("SELECT 1 FROM user WHERE (id, age) IN :x OR (1, 2, 3) IN ①:x②", .mixedParameter),
    Refusal("SELECT 1 WHERE ①(SELECT 1, 2)② IN :x", .rowValueMisuse),
  ])
  func `are either lists of one width or single values`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().query("DEFINE QUERY q AS \(marked.text);").diagnostics
    #expect(diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))")
    let start = "DEFINE QUERY q AS ".utf8.count
    #expect(diagnostics.first?.span.start.value == marked.span.map { $0.start.value + start })
    if refusal.identity == .mixedParameter { #expect(diagnostics.first?.notes.count == 1) }
  }

  @Test(arguments: [
    Refusal("CREATE VIEW v AS SELECT ①?②", .prohibitedHere),
    Refusal("CREATE TABLE t (a CHECK (a > ①?②))", .prohibitedHere),
    Refusal("CREATE TRIGGER r AFTER INSERT ON user BEGIN SELECT ①?②; END", .prohibitedHere),
  ])
  func `are rejected where SQLite allows none`(_ refusal: Refusal) {
    expectRefused(refusal)
  }
}

extension String {
  fileprivate func utf8Text(_ range: Range<Int>) -> String {
    String(decoding: Array(utf8)[range], as: UTF8.self)
  }
}

@Suite struct `Stored parameters` {
  @Test(arguments: [
    ("INSERT INTO user (name, age) VALUES (:a, :b)", ["a", "b"]),
    ("INSERT INTO user (id, name) VALUES (:id, :a)", ["a"]),
    ("INSERT INTO user (rowid, name) VALUES (:id, :a)", ["a"]),
    ("UPDATE user SET age = :age WHERE id = :id", ["age"]),
    ("UPDATE user SET (name, age) = (:a, :b) WHERE email IS :c", ["a", "b"]),
    ("UPDATE user SET age = coalesce(:age, age) WHERE id = :id", []),
    ("UPDATE user SET age = CASE WHEN id > 1 THEN :age ELSE age END", ["age"]),
    ("UPDATE user SET age = :age WHERE :age IS NULL OR age = :age", ["age"]),
    ("INSERT INTO user (name) SELECT :a WHERE :b IS NULL", ["a"]),
    (
      "INSERT INTO user (name, email) VALUES ('a', 'b') ON CONFLICT (email) DO UPDATE SET age = :a",
      ["a"]
    ),
    ("SELECT id FROM user WHERE :name IS NULL OR name = :name", []),
  ])
  func `are those whose NULL would be stored`(_ sql: String, _ names: [String]) throws {
    let definition = try #require(Database().query("q: \(sql);").definition)
    #expect(definition.parameters.filter(\.isStored).map(\.name) == names)
  }
}
