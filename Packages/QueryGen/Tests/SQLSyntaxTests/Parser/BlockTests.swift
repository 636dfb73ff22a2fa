import SQLSyntax
import Testing

@Suite struct `A block of a query` {
  @Test func `follows each form of header`() {
    let queries = expectQueryFile(
      """
      DEFINE QUERY a AS
      BEGIN
        DELETE FROM t WHERE id = :id;
        WITH u AS (SELECT 1) INSERT INTO t SELECT * FROM u;
      END;
      b: begin UPDATE t SET a = CASE WHEN b THEN 1 END; VALUES (1); end;
      -- name: c :many
      BEGIN REPLACE INTO t VALUES (1); SELECT END FROM t AS END; END;
      d: SELECT 1
      """)
    #expect(queries.map(\.name.text) == ["a", "b", "c", "d"])
    #expect(queries.map(\.statements.count) == [2, 2, 2, 1])
    #expect(queries.map { Printer.text(of: $0.statement) }.last == "SELECT 1")
    #expect(queries[2].header == .comment && queries[2].cardinality == .many)
  }

  @Test func `has a span from the header to its END`() throws {
    let text = "a: BEGIN SELECT 1; SELECT 2; END; b: SELECT 3"
    let queries = expectQueryFile(text)
    #expect(
      queries.map { SourceText(text)[$0.span] } == [
        "a: BEGIN SELECT 1; SELECT 2; END", "b: SELECT 3",
      ])
    #expect(queries[0].statements.map { SourceText(text)[$0.span] } == ["SELECT 1", "SELECT 2"])
  }

  @Test func `has the annotations of all statements`() throws {
    let query = try #require(
      expectQueryFile(
        """
        -- order: :by = a
        q: BEGIN
          DELETE FROM t WHERE x /* if :p */ AND y = :p;
          SELECT a FROM t WHERE /* if :q */ z = :q ORDER BY :by;
        END
        """
      ).first)
    #expect(query.annotations.orders.count == 1)
    #expect(query.annotations.clauses.map(\.kind) == [.changeWhere, .where, .orderBy])
  }

  @Test(arguments: [
    "q: BEGIN SELECT 1; ①CREATE② TABLE t (a); END", "q: BEGIN ①END②",
    "q: BEGIN ①PRAGMA② user_version; END", "q: BEGIN SELECT 1; ①COMMIT②; END",
    "q: BEGIN SELECT 1; END ①x②", "q: BEGIN SELECT 1, ①FROM② t; SELECT 2; END",
    "q: BEGIN ①ROLLBACK② TO x; END",
  ])
  func `contains only SELECT, INSERT, UPDATE and DELETE`(_ text: String) {
    let queries = expectQueryFile(text + "; r: SELECT 1", Fault(.unexpectedToken))
    #expect(queries.map(\.name.text) == ["r"])
  }

  @Test func `reports the errors of all of its statements`() {
    let queries = expectQueryFile(
      "q: BEGIN SELECT ①FROM② t; DELETE ③t④; SELECT CASE WHEN a THEN 1 END; END; r: SELECT 1",
      Fault(.unexpectedToken), Fault(.unexpectedToken))
    #expect(queries.map(\.name.text) == ["r"])
  }

  @Test func `must end before the next query`() {
    let queries = expectQueryFile(
      "q: BEGIN\nSELECT 1;\nSELECT 2;\n①DEFINE② QUERY r AS SELECT 1;\n s: BEGIN SELECT 1;③④",
      Fault(.unexpectedToken), Fault(.unexpectedEnd))
    #expect(queries.map(\.name.text) == ["r"])
  }

  @Test func `is different from the statement BEGIN`() {
    let queries = expectQueryFile("a: BEGIN; b: BEGIN IMMEDIATE; c: BEGIN TRANSACTION x; d: END")
    #expect(queries.map(\.statements.count) == [1, 1, 1, 1])
    expectParse("BEGIN ①SELECT② 1; END", Fault(.unexpectedToken))
  }
}
