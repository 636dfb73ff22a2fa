extension Queries {
  /// What a query is to SQLite, for one input: for who shows it, explains it, or has it run by someone else.
  ///
  /// ```swift
  /// let statement = db.todosOf.statement(for: 3)
  /// let plan = try await db.database.read { try $0.queryPlan(for: statement.sql, values: statement.values) }
  /// ```
  public struct BoundStatement {
    /// The text.
    public let sql: SQL
    /// The values of its parameters, by their numbers.
    public let values: [any SQLiteBindable]

    public init(_ sql: SQL, _ values: any SQLiteBindable...) { self.init(sql, values: values) }

    public init(_ sql: SQL, values: [any SQLiteBindable]) {
      self.sql = sql
      self.values = values
    }
  }
}
