import SQLSyntax
import Testing

@Suite struct `Triggers` {
  @Test(arguments: [
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER IF NOT EXISTS main.r BEFORE UPDATE OF a, b ON t FOR EACH ROW WHEN new.a > 1 "
      + "BEGIN UPDATE t SET a = 1 WHERE b; DELETE FROM t WHERE c; END",
    "CREATE TRIGGER r INSTEAD OF DELETE ON v BEGIN INSERT INTO t SELECT old.a; SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER r UPDATE ON main.t BEGIN REPLACE INTO t (a) VALUES (1); END",
    "CREATE TRIGGER after AFTER INSERT ON t BEGIN VALUES (1); WITH x AS (SELECT 1) SELECT * FROM x; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t VALUES (1) ON CONFLICT (a) DO NOTHING; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = u.a FROM u; END",
  ])
  func `are accepted in every form`(_ text: String) {
    expectParse(text)
  }

  @Test(arguments: [
    "CREATE TRIGGER r AFTER ①SELECT② ON t BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ①t② BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ON t ①SELECT② 1; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN ①END②",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN ①;② END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN ①DROP② TABLE t; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN WITH x AS (SELECT 1) ①DELETE② FROM t; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t ①AS② u SET a = 1; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t ①DEFAULT② VALUES; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t ①LIMIT② 1; END",
    "CREATE TRIGGER r INSTEAD ①INSERT② ON t BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ①STATEMENT② BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ①OF② a ON t BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END ①x②",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test(
    arguments: [
      ("UPDATE ①main.t② SET a = 1", .qualifiedNameInTrigger),
      ("DELETE FROM ①main.t②", .qualifiedNameInTrigger),
      ("INSERT INTO ①main.t② VALUES (1)", .qualifiedNameInTrigger),
      ("UPDATE t ①INDEXED BY i② SET a = 1", .indexingInTrigger),
      ("DELETE FROM t ①NOT INDEXED②", .indexingInTrigger),
      ("DELETE FROM t ①RETURNING a②", .returningInTrigger),
      ("INSERT INTO t VALUES (1) ①RETURNING *②", .returningInTrigger),
    ] as [(String, Diagnostic.Identity)])
  func `reject in their bodies what SQLite rejects there`(
    _ statement: String, _ identity: Diagnostic.Identity
  ) {
    expectParse(
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN \(statement); END", Fault(identity))
  }

  @Test func `are skipped as a whole after an error`() {
    let statements = expectParse(
      """
      CREATE TRIGGER r AFTER INSERT ON t BEGIN
        SELECT ①)②; SELECT CASE WHEN 1 THEN 2 END;
      END;
      CREATE TRIGGER r AFTER INSERT ③t④ BEGIN SELECT 1; SELECT 2; END;
      CREATE TRIGGER ⑤;⑥
      SELECT 1;
      """,
      Fault(.unexpectedToken), Fault(.unexpectedToken), Fault(.unexpectedToken))
    #expect(statements.map { Printer.text(of: $0) } == ["SELECT 1"])
  }
}
