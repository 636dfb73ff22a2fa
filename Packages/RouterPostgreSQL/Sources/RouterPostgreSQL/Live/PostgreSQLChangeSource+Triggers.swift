internal import Observe
internal import PostgreSQL
internal import Primitives
public import SQLiteCore

/// Triggers that report changes by `NOTIFY`.
extension PostgreSQLChangeSource {
  /// Creates triggers that report the changes of tables, for a server whose log can't be decoded.
  ///
  /// Each table, and each of its partitions, gets a trigger `holt_changes`, and its schema a function
  /// `holt_notify_changes`. The triggers run once for each statement and send the name of the table, and of the tables that
  /// it is a partition of, and not the rows: a change of any row is a reason to fetch. Commits with notifications are serialized by the server.
  ///
  /// - Parameter tables: The tables, with their schemas.
  /// - Throws: `PostgreSQLError` if a table does not exist, or belongs to another role.
  public func installTriggers(on tables: [TableName]) async throws {
    let argument = "'\(channel.replacing("'", with: "''"))'"
    try await database.transaction { connection in
      for table in try await Self.withPartitions(tables, on: connection) {
        let name = Self.quoted(table)
        let function = "\(SQLName.quoted(table.schema)).holt_notify_changes()"
        try await connection.run(
          PostgreSQLQuery(
            unsafe: """
              CREATE OR REPLACE FUNCTION \(function) RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN
                PERFORM pg_catalog.pg_notify(TG_ARGV[0], pg_catalog.json_build_array(
                  pg_catalog.left(TG_OP, 1), n.nspname, c.relname)::text)
                FROM (
                  WITH RECURSIVE whole (oid) AS (
                    SELECT TG_RELID
                    UNION
                    SELECT i.inhparent FROM whole
                    JOIN pg_catalog.pg_inherits i ON i.inhrelid = whole.oid
                  )
                  SELECT oid FROM whole
                ) AS whole
                JOIN pg_catalog.pg_class c ON c.oid = whole.oid
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace;
                RETURN NULL;
              END $$
              """))
        try await connection.run(
          PostgreSQLQuery(unsafe: "DROP TRIGGER IF EXISTS holt_changes ON \(name)"))
        try await connection.run(
          PostgreSQLQuery(
            unsafe: """
              CREATE TRIGGER holt_changes AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(name)
              FOR EACH STATEMENT EXECUTE FUNCTION \(function.dropLast(2))(\(argument))
              """))
      }
    }
    schemaDidChange()
  }

  /// Removes the triggers from tables. The functions remain.
  ///
  /// - Throws: `PostgreSQLError` if a table does not exist, or belongs to another role.
  public func removeTriggers(from tables: [TableName]) async throws {
    try await database.transaction { connection in
      for table in try await Self.withPartitions(tables, on: connection) {
        try await connection.run(
          PostgreSQLQuery(
            unsafe: "DROP TRIGGER IF EXISTS holt_changes ON \(Self.quoted(table))"))
      }
    }
    schemaDidChange()
  }

  private static func quoted(_ table: TableName) -> String {
    "\(SQLName.quoted(table.schema)).\(SQLName.quoted(table.name))"
  }

  /// Returns tables with their partitions, and the tables that inherit from them.
  private static func withPartitions(
    _ tables: [TableName], on connection: PostgreSQLConnection
  ) async throws -> [TableName] {
    var all = tables
    let query: PostgreSQLQuery = """
      WITH RECURSIVE part (oid) AS (
        SELECT c.oid FROM unnest($1::text[], $2::text[]) AS named (schema, name)
        JOIN pg_catalog.pg_namespace n ON n.nspname = named.schema
        JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = named.name
        UNION
        SELECT i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid
      )
      SELECT n.nspname::text, c.relname::text FROM part
      JOIN pg_catalog.pg_class c ON c.oid = part.oid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      """
    try await connection.result(of: query, values: [tables.map(\.schema), tables.map(\.name)])
      .forEach { row in
        let (schema, name) = (try row.read(String.self, at: 0), try row.read(String.self, at: 1))
        if !all.contains(where: { $0.schema == schema && $0.name == name }) {
          all.append(TableName(schema: schema, name))
        }
      }
    return all
  }
}

extension ChangeSet {
  /// Creates the change that a trigger reports: `["U","public","todos"]`. Any other text may be any change.
  init(notification payload: String) {
    let bytes = Array(payload.utf8)
    var events = JSONEventReader(JSONReadingOptions())
    var texts: [String] = []
    if (try? events.next(in: bytes.elementSpan)) == .beginArray {
      while (try? events.next(in: bytes.elementSpan)) == .string {
        texts.append(events.text(in: bytes.elementSpan))
      }
    }
    let kinds: [String: TableChange] = [
      "I": TableChange(kinds: .insert), "U": .unknown, "D": TableChange(kinds: .delete),
      "T": TableChange(kinds: .delete),
    ]
    if texts.count == 3, let change = kinds[texts[0]] {
      self.init(tables: [TableName(schema: texts[1], texts[2]): change])
    } else {
      self.init(isUnbounded: true)
    }
  }
}
