extension Probes {
  /// Joins of the maximum number of tables, and of one more.
  static let limits = [64, 65, 200, 201].flatMap { count in
    let tables = (0..<count).map { "t2 AS x\($0)" }.joined(separator: ", ")
    let joins = (1..<count).map { "LEFT JOIN t2 AS x\($0)" }.joined(separator: " ")
    return [
      "SELECT 1 FROM \(tables)", "SELECT 1 FROM t2 \(joins)", "EXPLAIN SELECT 1 FROM \(tables)",
      "SELECT 1 FROM (\(tables))", "SELECT 1 FROM (SELECT 1 FROM \(tables))",
      "CREATE VIEW n1 AS SELECT 1 FROM \(tables)", "UPDATE t1 SET a = 1 FROM \(tables)",
      "WITH x AS (SELECT 1 FROM \(tables)) SELECT 2",
      "SELECT 1 FROM t2, (\(tables))", "SELECT 1 FROM t2, (SELECT 1 FROM \(tables))",
      "SELECT 1 FROM t2, (SELECT DISTINCT 1 FROM \(tables))",
      "SELECT 1 FROM t2, (SELECT count(*) FROM \(tables))",
      "SELECT 1 FROM t2, (SELECT 1 FROM \(tables) LIMIT 1)",
      "SELECT 1 FROM t2, (SELECT * FROM (SELECT 1 FROM \(tables) ORDER BY 1))",
      "SELECT 1 FROM t2 LEFT JOIN (SELECT 1 FROM \(tables))",
      "SELECT 1 FROM (SELECT 1 FROM \(tables)) LEFT JOIN t2",
      "SELECT 1 FROM (SELECT 1 FROM \(tables)), t1 RIGHT JOIN t2",
      "SELECT 1 FROM t2, (SELECT 1 FROM \(tables) UNION ALL SELECT 2)",
      "WITH x AS MATERIALIZED (SELECT 1 FROM \(tables)) SELECT 2 FROM x, t2",
      "WITH x AS NOT MATERIALIZED (SELECT 1 FROM \(tables)) SELECT 2 FROM x, t2",
      "WITH x AS (SELECT 1 FROM \(tables)) SELECT 2 FROM x, x AS y, t2",
    ]
  }
}
