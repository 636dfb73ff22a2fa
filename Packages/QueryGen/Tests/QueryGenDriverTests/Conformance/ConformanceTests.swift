import Foundation
import QueryGenDriver
import Testing

@Suite struct `Conformance cases` {
  @Test func `have a result on one line with all keys`() throws {
    let lines = try answers(
      """
      {"id": "a", "schema_sql": "CREATE TABLE t (x INTEGER NOT NULL, y TEXT)", "query_sql": "SELECT x, y AS z, x + 1 FROM t WHERE y = :y AND x > ?3"}

      {"id": "b", "schema_id": "s", "query_sql": "DELETE FROM v"}
      {"id": "c", "query_sql": "SELECT nope; SELECT"}
      {"id": "d", "query_sql": " -- nothing\\n"}
      """, schemas: #"{"schema_id": "s", "sql": "CREATE TABLE v (a); CREATE INDEX i ON v (a)"}"#)
    #expect(
      lines == [
        #"{"accept":true,"columns":[{"column":"x","name":"x","nullable":false,"table":"t","type":"integer"},"#
          + #"{"column":"y","name":"z","nullable":false,"table":"t","type":"text"},"#
          + #"{"column":null,"name":"x + 1","nullable":false,"table":null,"type":"integer"}],"#
          + #""error":null,"id":"a","parameters":[{"index":1,"name":":y","nullable":false,"type":"text"},"#
          + #"{"index":2,"name":null,"nullable":true,"type":"any"},"#
          + #"{"index":3,"name":"?3","nullable":false,"type":"integer"}],"readonly":true}"#,
        #"{"accept":true,"columns":[],"error":null,"id":"b","parameters":[],"readonly":false}"#,
        #"{"accept":false,"columns":[],"error":{"code":"unknown-column","message":"no such column: `nope`","#
          + #""offset":7},"id":"c","parameters":[],"readonly":true}"#,
        #"{"accept":true,"columns":[],"error":null,"id":"d","parameters":[],"readonly":true}"#,
      ])
  }

  @Test func `use only the first statement`() throws {
    let lines = try answers(#"{"id": "a", "query_sql": "SELECT 1; this is no SQL '"}"#)
    #expect(lines.first?.contains(#""accept":true"#) == true)
  }

  @Test func `accept a parameter as a list`() throws {
    let lines = try answers(#"{"id": "a", "query_sql": "SELECT 1 WHERE 2 IN :all"}"#)
    #expect(lines.first?.contains(#""accept":true"#) == true)
  }

  @Test func `accept a parameter as the rows of an insert`() throws {
    let lines = try answers(
      #"{"id": "a", "schema_sql": "CREATE TABLE t (x, y)", "query_sql": "INSERT INTO t VALUES :rows"}"#
    )
    #expect(lines.first?.contains(#""accept":true"#) == true)
    #expect(lines.first?.contains(#""parameters":[{"index":1,"name":":rows""#) == true)
  }

  @Test(arguments: [
    ("{\"id\": \"a\", \"query_sql\": \"\"}\n{", 2),
    ("{\"id\": \"a\"}", 1),
    ("\n\n{\"id\": \"a\", \"schema_id\": \"?\", \"query_sql\": \"\"}", 3),
  ])
  func `report the line of an invalid case`(_ cases: String, _ line: Int) {
    let error = #expect(throws: Conformance.InvalidLine.self) { try answers(cases) }
    #expect(error?.line == line)
  }

  private func answers(
    _ cases: String, schemas: String = ""
  ) throws(Conformance.InvalidLine) -> [String] {
    let conformance = Conformance()
    try conformance.addSchemas(Data(schemas.utf8))
    var lines: [String] = []
    try conformance.answer(Data(cases.utf8)) { lines.append($0) }
    return lines
  }
}
