import Testing

@testable import Providers

@Suite struct `The verb of a statement` {
  @Test(arguments: [
    ("INSERT INTO t VALUES (1)", StatementVerb.insert), ("replace INTO t VALUES (1)", .insert),
    (" -- a\n/* b */ ; Update t SET a = 1", .update), ("DELETE FROM t", .delete),
    ("SELECT 1", .other), ("CREATE TABLE t (a)", .other), ("", .other), ("\"INSERT\"", .other),
  ])
  func `is its first word`(sql: String, verb: StatementVerb) {
    #expect(StatementVerb(sql) == verb)
  }

  @Test(arguments: [
    ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", StatementVerb.insert),
    (
      "WITH RECURSIVE a(b) AS (VALUES (1)), c AS NOT MATERIALIZED (SELECT ')') DELETE FROM t",
      .delete
    ),
    ("WITH \"delete\" AS MATERIALIZED (SELECT 1) UPDATE t SET a = 1", .update),
    ("WITH a AS (SELECT 1) SELECT replace(b, 'c', 'd') FROM a", .other),
    ("WITH replace AS (SELECT 1) SELECT * FROM replace", .other),
    ("WITH RECURSIVE", .other), ("WITH", .other), ("WITH a AS (", .other),
  ])
  func `is the verb after the tables of WITH`(sql: String, verb: StatementVerb) {
    #expect(StatementVerb(sql) == verb)
  }

  @Test(arguments: [
    ("BEGIN", TransactionStatement.begin), ("begin immediate transaction;", .begin),
    (" ; COMMIT -- done", .commit), ("END TRANSACTION", .commit), ("ROLLBACK;;", .rollBack),
  ])
  func `begins or ends a transaction`(sql: String, statement: TransactionStatement) {
    #expect(TransactionStatement(sql) == statement)
  }

  @Test(arguments: [
    "BEGIN; COMMIT", "ROLLBACK TO a", "TRANSACTION", "BEGIN EXCLUSIVELY", "SELECT 1", "", "'BEGIN'",
  ])
  func `of a longer statement is not a transaction's`(sql: String) {
    #expect(TransactionStatement(sql) == nil)
  }
}
