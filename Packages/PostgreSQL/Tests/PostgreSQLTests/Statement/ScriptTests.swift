import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

@Suite struct `The statements of a script` {
  struct Case: CustomTestStringConvertible, Sendable {
    let script: String
    let statements: [String]
    var testDescription: String { script }
  }

  @Test(arguments: [
    Case(script: "", statements: []),
    Case(script: " ; -- nothing\n;/* ; */", statements: []),
    Case(script: "SELECT 1", statements: ["SELECT 1"]),
    Case(script: "SELECT 1;SELECT 2;", statements: ["SELECT 1", "SELECT 2"]),
    Case(
      script: "SELECT ';', E'\\';', \";\" -- ;\n;",
      statements: ["SELECT ';', E'\\';', \";\" -- ;\n"]),
    Case(
      script: "DO $x$ a; $$ b; $x$; SELECT $1;", statements: ["DO $x$ a; $$ b; $x$", " SELECT $1"]),
    Case(
      script: "/* a; /* b; */ c; */ SELECT 1; x",
      statements: ["/* a; /* b; */ c; */ SELECT 1", " x"]),
    Case(
      script: "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); x",
      statements: ["CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", " x"]),
    Case(
      script:
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; x",
      statements: [
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
        " x",
      ]),
    Case(script: "BEGIN; SELECT 1; END", statements: ["BEGIN", " SELECT 1", " END"]),
    Case(script: "SELECT 'open; x", statements: ["SELECT 'open; x"]),
  ])
  func `are separated outside of quotes, comments and bodies`(_ expected: Case) {
    let script = PostgreSQLScript(expected.script)
    #expect(script.statements.map(\.text) == expected.statements)
    let bytes = Array(expected.script.utf8)
    for statement in script.statements {
      let end = statement.byteOffset + statement.text.utf8.count
      #expect(Array(statement.text.utf8) == Array(bytes[statement.byteOffset..<end]))
    }
  }

  @Test func `have numbered parameters with their original positions`() throws {
    let text = "SELECT 'é', :id, x::int, ':id', ?, :id, :other, a[1:n] FROM :table"
    let statement = try #require(PostgreSQLScript(text).statements.first)
    let numbered = statement.numbered(names: ["id", "table"], includesQuestionMarks: true)
    #expect(numbered.text == "SELECT 'é', $1, x::int, ':id', $2, $1, :other, a[1:n] FROM $3")
    #expect(numbered.parameters == [.named("id"), .questionMark, .named("table")])
    for word in ["x::int", "':id'", ":other", "FROM"] {
      let old = try #require(text.range(of: word)),
        new = try #require(numbered.text.range(of: word))
      #expect(
        numbered.originalOffset(
          numbered.text.utf8.distance(from: numbered.text.startIndex, to: new.lowerBound))
          == text.utf8.distance(from: text.startIndex, to: old.lowerBound))
    }
    #expect(statement.numbered(names: [], includesQuestionMarks: false).text == text)
  }
}

@Suite(.needsServer) struct `Descriptions and copies` {
  @Test func `can be repeated in a transaction`() async throws {
    try await #require(PostgreSQLTestServer.shared).withDatabase { database in
      try await database.execute("CREATE TABLE player (id int)")
      let rows = [NumberRow(id: 1), NumberRow(id: 2)]
      try await database.transaction { connection in
        for _ in 0..<2 {
          try await connection.run("SELECT 1")
          _ = try await connection.describe("SELECT 1")
          try await connection.copyRows(of: "SELECT id FROM player") { _ in }
          try await connection.copy(into: "player", columns: ["id"], rows: rows)
        }
        // The types are those of the table at the time of the copy.
        try await connection.run("ALTER TABLE player ALTER COLUMN id TYPE bigint")
        try await connection.copy(into: "player", columns: ["id"], rows: rows)
        let count = try await connection.value(Int.self, "SELECT count(*) FROM player")
        #expect(count == 6)
      }
    }
  }

  @Test func `name a table with a point by its schema`() async throws {
    try await #require(PostgreSQLTestServer.shared).withDatabase { database in
      try await database.execute("CREATE TABLE \"a.b\" (id int)")
      try await database.copy(
        into: "a.b", schema: "public", columns: ["id"], rows: [NumberRow(id: 1), NumberRow(id: 2)])
      let total = try await database.value(Int.self, "SELECT sum(id) FROM \"a.b\"")
      #expect(total == 3)
      try await database.withConnection { connection in
        let found = Sum()
        let changes = try await connection.forEach(
          "SELECT id FROM \"a.b\" WHERE id > $1", values: [1]
        ) { row in found.add(try row.read(Int.self, at: 0)) }
        #expect(found.total == 2)
        #expect(changes.count == 1)
      }
    }
  }
}

private struct NumberRow: PostgreSQLRowEncodable, Sendable {
  var id: Int

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.bind(id)
  }
}

/// `@unchecked Sendable`: only one task adds numbers.
private final class Sum: @unchecked Sendable {
  private(set) var total = 0

  func add(_ number: Int) { total += number }
}
