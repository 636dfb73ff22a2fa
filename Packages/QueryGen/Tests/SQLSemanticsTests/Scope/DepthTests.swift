import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Malicious statements` {
  @Test(arguments: [
    "SELECT " + String(repeating: "1 + ", count: 900) + "1",
    "SELECT " + String(repeating: "NOT ", count: 80) + "1",
    "SELECT " + String(repeating: "coalesce(1, ", count: 15) + "1"
      + String(repeating: ")", count: 15),
    "SELECT " + String(repeating: "(SELECT ", count: 12) + "1" + String(repeating: ")", count: 12),
    "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 400),
    "SELECT 1 FROM user WHERE " + (0..<900).map { "id = \($0)" }.joined(separator: " OR "),
  ])
  func `are resolved up to SQLite's depth limit`(_ sql: String) {
    expectAccepted(sql)
  }

  @Test func `that multiply common tables are resolved quickly`() {
    let tables = (1..<40).map { "c\($0) AS (SELECT a.x FROM c\($0 - 1) a, c\($0 - 1) b)" }
    expectAccepted(
      "WITH c0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT x FROM c39")
  }

  @Test func `that multiply views are resolved quickly`() {
    var database = Database("CREATE VIEW v0 AS SELECT 1 AS x;")
    for index in 1..<40 {
      database.apply("CREATE VIEW v\(index) AS SELECT a.x FROM v\(index - 1) a, v\(index - 1) b;")
    }
    expectAccepted("SELECT x FROM v39", in: database)
  }

  @Test func `that nest recursive tables are rejected in time`() {
    var select = "SELECT 1 AS x"
    for index in 0..<18 {
      select =
        "WITH RECURSIVE r\(index)(x) AS (\(select) UNION ALL SELECT x + 1 FROM r\(index)) "
        + "SELECT x FROM r\(index)"
      select = "SELECT x FROM (\(select))"
    }
    _ = Database().analyze(select)
  }
}
