extension Connection {
  /// A setting of one connection that `sqlite3_db_config` turns on and off.
  ///
  /// The SQLite constants are not public, because some of SQLite's options take other arguments.
  public enum Option: String, Hashable, Sendable, CaseIterable {
    /// Foreign keys are enforced.
    case foreignKeys
    /// Triggers fire.
    case triggers
    /// Views can be read.
    case views
    /// Statements that can deliberately corrupt the file are rejected.
    case defensive
    /// The schema table can be written like other tables; ``defensive`` prevents this.
    case writableSchema
    /// The schema may use functions and virtual tables that are not marked as innocuous.
    case trustedSchema
    /// Outside the schema, a double-quoted identifier that matches no name is a string literal.
    case doubleQuotedStringsInQueries
    /// In the schema, a double-quoted identifier that matches no name is a string literal.
    case doubleQuotedStringsInSchema
    /// `ALTER TABLE RENAME` does not change references in triggers and views.
    case legacyAlterTable
    /// New databases have a format that releases before 3.3 can read.
    case legacyFileFormat
    /// The last connection does not checkpoint and delete the write-ahead log when it closes.
    case noCheckpointOnClose
    /// Query plans do not depend on bound values.
    case stableQueryPlans
    /// `EXPLAIN QUERY PLAN` includes the plans of triggers.
    case triggerQueryPlans
    /// SQL may register an FTS3 tokenizer by its address, which is a security risk.
    case fts3Tokenizer
    /// Queries without `ORDER BY` return rows in reverse order. Since SQLite 3.42.
    case reverseScanOrder
    /// `ATTACH` may create a file. Since SQLite 3.49.
    case attachMayCreate
    /// `ATTACH` may open a file for writing. Since SQLite 3.49.
    case attachMayWrite
    /// SQL may contain comments. Since SQLite 3.49.
    case comments
  }
}
