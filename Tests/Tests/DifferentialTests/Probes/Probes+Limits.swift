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
      "SELECT 1 FROM t2, (\(tables))",
    ]
  }
}
