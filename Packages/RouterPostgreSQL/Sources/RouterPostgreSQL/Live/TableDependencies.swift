internal import PostgreSQL
internal import Router
internal import SQLiteCore

/// The tables that the tables of a route depend on, and whether their changes are reported.
struct TableDependencies: Sendable {
  /// The tables that views and row-level security policies read.
  private(set) var tables: Set<TableName> = []
  /// The tables with row-level security. A policy can read any column of their rows.
  private(set) var securedTables: Set<TableName> = []
  /// Indicates whether a view or a policy calls a function that can read any table.
  private(set) var callsFunctions = false
  private let readAt = ContinuousClock.now

  var age: Duration { readAt.duration(to: .now) }

  /// Reads the dependencies.
  ///
  /// - Throws: `RouterError` with code `unsupported` if the changes of a table are not reported; errors of the server.
  init(
    of tables: [TableName], reportedBy channel: ChangeChannel, on access: some PostgreSQLAccess
  ) async throws {
    let result = try await access.result(
      of: Self.query,
      values: [
        tables.map(\.schema), tables.map(\.name), channel.publication ?? "",
        channel.publication == nil,
      ])
    var missing: [TableName] = []
    try result.forEach { row in
      let isFunction = try row.read(Bool.self, at: 0)
      if isFunction {
        callsFunctions = true
        return
      }
      let name = TableName(
        schema: try row.read(String.self, at: 1), try row.read(String.self, at: 2))
      let kind = try row.read(String.self, at: 3)
      if try row.read(Bool.self, at: 5) { securedTables.insert(name) }
      // A part of a table is reported under the table's name.
      if try !row.read(Bool.self, at: 8) { self.tables.insert(name) }
      switch kind {
      case "v", "S": return
      case "r": break
      case "p":
        // The partitions are checked. A trigger must also be on the table itself.
        if case .replication = channel { return }
      case "m": throw Self.unsupported(name, "it is a materialized view")
      case "f": throw Self.unsupported(name, "it is a foreign table")
      default: throw Self.unsupported(name, "it is no table")
      }
      switch channel {
      case .replication(let publication):
        guard try row.read(String.self, at: 4) == "p" else {
          throw Self.unsupported(name, "it is not logged")
        }
        if try row.read(Bool.self, at: 6) { return }
        if try row.read(Bool.self, at: 9) {
          throw Self.unsupported(
            name,
            """
            truncating a partition is not reported: run ALTER PUBLICATION \(publication) \
            SET (publish_via_partition_root = false)
            """)
        }
        missing.append(name)
      case .notifications: if try !row.read(Bool.self, at: 7) { missing.append(name) }
      }
    }
    guard missing.isEmpty else { throw Self.missing(missing, channel) }
  }

  private static func unsupported(_ table: TableName, _ reason: String) -> RouterError {
    RouterError(
      code: .unsupported, message: "changes of \(table) can't be observed, because \(reason)",
      table: table.name)
  }

  private static func missing(_ tables: [TableName], _ channel: ChangeChannel) -> RouterError {
    let names = Set(tables.map(\.description)).sorted().joined(separator: ", ")
    let message: String =
      switch channel {
      case .replication(let publication):
        """
        the publication \(publication) does not contain all rows and columns of \(names): run \
        ALTER PUBLICATION \(publication) ADD TABLE \(names)
        """
      case .notifications:
        "\(names) has no trigger that reports changes: call `PostgreSQLChangeSource.installTriggers(on:)`"
      }
    return RouterError(code: .unsupported, message: message, table: tables.first?.name)
  }

  /// Reads the tables with the given names, and the tables and functions that their views and policies depend on.
  ///
  /// The kind of a table is 1 for a part of another one, and 2 for a table that contains one. A statement on the latter fires
  /// none of a part's triggers, so that these tables are included if `$4` is true.
  ///
  /// PostgreSQL's own functions have no dependencies. A function that is not immutable can read any table.
  private static let query: PostgreSQLQuery = """
    WITH RECURSIVE needed (oid, is_function, kind) AS (
      SELECT c.oid, false, 0
      FROM unnest($1::text[], $2::text[]) AS named (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = named.schema
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = named.name
      UNION
      SELECT next.oid, next.is_function, next.kind
      FROM needed
      JOIN pg_catalog.pg_class c ON c.oid = needed.oid AND NOT needed.is_function
      CROSS JOIN LATERAL (
        SELECT d.refobjid AS oid, d.refclassid = 'pg_catalog.pg_proc'::regclass AS is_function,
          0 AS kind
        FROM pg_catalog.pg_depend d
        WHERE d.refclassid IN ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_proc'::regclass)
          AND NOT (d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = c.oid)
          AND (
            (c.relkind = 'v' AND d.classid = 'pg_catalog.pg_rewrite'::regclass
              AND d.objid IN (SELECT r.oid FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid))
            OR (c.relrowsecurity AND d.classid = 'pg_catalog.pg_policy'::regclass
              AND d.objid IN (SELECT p.oid FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid)))
        UNION ALL
        SELECT i.inhrelid, false, 1 FROM pg_catalog.pg_inherits i
        WHERE i.inhparent = c.oid AND needed.kind <> 2
        UNION ALL
        SELECT i.inhparent, false, 2 FROM pg_catalog.pg_inherits i
        WHERE i.inhrelid = c.oid AND needed.kind <> 1 AND $4::boolean
      ) next
    )
    SELECT DISTINCT needed.is_function, n.nspname::text, c.relname::text, c.relkind::text,
      c.relpersistence::text, c.relrowsecurity,
      EXISTS (
        SELECT 1 FROM pg_catalog.pg_publication_tables t
        WHERE t.pubname = $3 AND t.schemaname = n.nspname AND t.tablename = c.relname
          AND to_jsonb(t) ->> 'rowfilter' IS NULL
          AND NOT EXISTS (
            SELECT 1 FROM pg_catalog.pg_publication_rel pr
            JOIN pg_catalog.pg_publication pub ON pub.oid = pr.prpubid
            WHERE pub.pubname = $3 AND pr.prrelid = c.oid
              AND to_jsonb(pr) ->> 'prattrs' IS NOT NULL)),
      EXISTS (
        SELECT 1 FROM pg_catalog.pg_trigger t
        WHERE t.tgrelid = c.oid AND t.tgname = 'holt_changes' AND t.tgenabled <> 'D'),
      needed.kind = 1,
      EXISTS (
        SELECT 1 FROM pg_catalog.pg_partition_ancestors(c.oid) a
        JOIN pg_catalog.pg_class pc ON pc.oid = a.relid
        JOIN pg_catalog.pg_namespace pn ON pn.oid = pc.relnamespace
        JOIN pg_catalog.pg_publication_tables t
          ON t.pubname = $3 AND t.schemaname = pn.nspname AND t.tablename = pc.relname
        WHERE a.relid <> c.oid)
    FROM needed
    LEFT JOIN pg_catalog.pg_class c ON c.oid = needed.oid AND NOT needed.is_function
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_proc f ON f.oid = needed.oid AND needed.is_function
    WHERE (c.oid IS NOT NULL AND n.nspname NOT IN ('pg_catalog', 'information_schema'))
      OR f.provolatile <> 'i'
    """
}
