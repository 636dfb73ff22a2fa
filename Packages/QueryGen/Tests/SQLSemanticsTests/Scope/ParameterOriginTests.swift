import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Origins of parameters` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, origins: String
    var testDescription: String { sql }
    init(_ sql: String, _ origins: String) {
      self.sql = sql
      self.origins = origins
    }
  }

  /// Returns the table columns whose type the parameters have, as `name: column column, …`.
  private func origins(_ sql: String) throws -> String {
    let database = Database(
      """
      CREATE TABLE member (
        id INTEGER PRIMARY KEY, role TEXT NOT NULL, previous TEXT, joined INTEGER, left INTEGER);
      """)
    let (definition, diagnostics) = database.query("DEFINE QUERY q AS \(sql);")
    #expect(diagnostics.filter { $0.identity != .nullArgument }.map(\.message) == [])
    return try #require(definition).parameters.map { parameter in
      "\(parameter.name): \(parameter.origins.map(\.column).joined(separator: " "))"
    }.joined(separator: ", ")
  }

  @Test(arguments: [
    "coalesce(:x, role)", "ifnull(:x, role)", "coalesce(:x, role, 'none')", "coalesce(:x, NULL)",
    "nullif(:x, 'none')", "nullif(role, :x)", "iif(id > 1, :x, role)", "iif(id > 1, role, :x)",
    "CASE WHEN id > 1 THEN :x ELSE role END", "CASE id WHEN 1 THEN 'a' ELSE :x END",
    "CASE role WHEN 'a' THEN role ELSE :x END", "max(:x, role)", "min('a', :x)", "(:x)",
    "((coalesce((:x), (role))))", "coalesce(nullif(:x, ''), role)", "likely(:x)",
    "iif(role = 'a', coalesce(:x, 'b'), CASE WHEN id THEN max(role, 'c') ELSE role END)",
    "coalesce(:x, :x) COLLATE NOCASE", "coalesce(coalesce(:x, :x), role)",
  ])
  func `are preserved in an assigned expression`(_ value: String) throws {
    #expect(try origins("UPDATE member SET role = \(value)") == "x: role")
    #expect(
      try origins("INSERT INTO member (role) SELECT \(value) FROM member") == "x: role")
    #expect(
      try origins(
        "INSERT INTO member (role) VALUES ('a') ON CONFLICT DO UPDATE SET role = \(value)")
        == "x: role")
  }

  @Test(arguments: [
    Case("INSERT INTO member (role) VALUES (coalesce(:x, 'a')), (:x)", "x: role"),
    Case(
      "INSERT INTO member (role) VALUES (:x) ON CONFLICT (id) DO UPDATE "
        + "SET role = coalesce(excluded.role, :x), previous = role", "x: role"),
    Case(
      "UPDATE member SET (role, left) = (coalesce(:x, role), max(:y, left))", "x: role, y: left"),
    Case("SELECT 1 FROM member WHERE role = :x AND :x <> 'none'", "x: role"),
    Case("SELECT 1 FROM member WHERE coalesce(role, 'none') = :x", "x: role"),
    Case("SELECT 1 FROM member WHERE coalesce(:x, role) = role", "x: role"),
    Case("SELECT 1 FROM member WHERE ifnull(:x, 'none') IN (role, 'b')", "x: role"),
    Case("SELECT 1 FROM member WHERE coalesce(role, 'none') IN :x", "x: role"),
    Case("SELECT 1 FROM member WHERE :x IN ('a', 'b') AND role > :x", "x: role"),
    Case("SELECT 1 FROM member WHERE :x IN (SELECT role FROM member)", "x: role"),
    Case(
      "SELECT 1 FROM member WHERE max(:x, left) BETWEEN :y AND coalesce(:z, left)",
      "x: left, y: left, z: left"),
    Case("SELECT 1 FROM member WHERE :x BETWEEN left AND 9", "x: left"),
    Case("SELECT 1 FROM member WHERE left > -1 AND left > coalesce(:x, -1)", "x: left"),
    Case("SELECT CASE :x WHEN role THEN 1 END FROM member", "x: role"),
    Case("SELECT coalesce(:x, role) FROM member", "x: role"),
  ])
  func `are those of the columns with which they are compared or combined`(
    _ expected: Case
  ) throws {
    #expect(try origins(expected.sql) == expected.origins)
  }

  @Test(arguments: [
    Case("UPDATE member SET left = left + :x", "x: "),
    Case("UPDATE member SET role = :x || role", "x: "),
    Case("UPDATE member SET role = CAST(:x AS TEXT)", "x: "),
    Case("SELECT 1 FROM member WHERE coalesce(:x, role || 'a') = role", "x: "),
    Case("SELECT 1 FROM member WHERE role = :x OR upper(role) = :x", "x: "),
    Case("SELECT iif(:x, role, 'a') FROM member", "x: "),
  ])
  func `are unknown if a use computes another value`(_ expected: Case) throws {
    #expect(try origins(expected.sql) == expected.origins)
  }

  @Test func `belong to the columns of a list of rows`() throws {
    let (definition, _) = Database().query(
      "DEFINE QUERY q AS SELECT id FROM post WHERE (userId, coalesce(title, '')) IN :pairs;")
    let columns = try #require(definition?.parameters.first).columns
    #expect(columns.map { $0.origins.map(\.column) } == [["userId"], ["title"]])
  }
}
