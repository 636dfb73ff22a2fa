extension Connection {
  /// What `sqlite3_db_config` turns on and off for one connection.
  ///
  /// The numbers that SQLite knows them by stay inside: some of its options take other arguments.
  public enum Option: String, Hashable, Sendable, CaseIterable {
    /// References between tables are enforced.
    case foreignKeys
    /// Triggers fire.
    case triggers
    /// Views can be read.
    case views
    /// Statements that can corrupt the file on purpose are refused.
    case defensive
    /// The schema table can be written as others; ``defensive`` forbids it.
    case writableSchema
    /// The schema may use functions and virtual tables that are not marked harmless.
    case trustedSchema
    /// `"name"` that names nothing is a text, outside of the schema.
    case doubleQuotedStringsInQueries
    /// `"name"` that names nothing is a text, in the schema.
    case doubleQuotedStringsInSchema
    /// `ALTER TABLE RENAME` leaves references in triggers and views as they are.
    case legacyAlterTable
    /// New databases have a format that releases before 3.3 can read.
    case legacyFileFormat
    /// The last connection leaves the write-ahead log behind as it closes.
    case noCheckpointOnClose
    /// Query plans do not depend on bound values.
    case stableQueryPlans
    /// `EXPLAIN QUERY PLAN` shows what triggers do.
    case triggerQueryPlans
    /// SQL may name the address of a tokenizer for FTS3: dangerous.
    case fts3Tokenizer
    /// Queries without `ORDER BY` give their rows in the reverse order. Since SQLite 3.42.
    case reverseScanOrder
    /// `ATTACH` may make a file. Since SQLite 3.49.
    case attachMayCreate
    /// `ATTACH` may open a file for writing. Since SQLite 3.49.
    case attachMayWrite
    /// SQL may hold comments. Since SQLite 3.49.
    case comments
  }
}
