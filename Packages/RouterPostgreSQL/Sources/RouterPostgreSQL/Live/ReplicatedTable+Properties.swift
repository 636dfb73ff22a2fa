internal import Observe
internal import PostgreSQL
internal import SQLiteCore

extension ReplicatedTable {
  /// The properties of a table that its message in a replication stream does not contain.
  struct Properties: Sendable {
    struct Column: Sendable {
      /// The type; the innermost base type of a domain.
      let type: PostgreSQL.PostgreSQLType
      let isEnum: Bool
      /// Indicates whether strings are equal if their bytes are.
      let hasDeterministicCollation: Bool
      /// Indicates whether strings are ordered by their bytes.
      let ordersByBytes: Bool
      /// Indicates whether the column is a part of the primary key.
      let isKey: Bool
    }

    fileprivate(set) var columns: [String: Column] = [:]
    /// The generated columns.
    fileprivate(set) var generated: [String] = []
    /// The tables that the table is a part of: a partition's tables, or the tables that it inherits from.
    fileprivate(set) var ancestors: [TableName] = []

    /// Returns the rules for a column, to the extent that they are known.
    func comparison(
      of column: PostgreSQLReplicationRelation.Column
    ) -> ChangeSet.ColumnComparison {
      guard let known = columns[column.name] else { return .unknown }
      switch known.type {
      case .bool, .int2, .int4, .int8, .numeric: return .integers
      case .float8: return .reals
      case .uuid: return .caseInsensitiveText
      case .bytea: return .bytes
      case .text, .varchar:
        guard known.hasDeterministicCollation else { return .unknown }
        return .text(ordersByBytes: known.ordersByBytes)
      default: return known.isEnum ? .text(ordersByBytes: false) : .unknown
      }
    }
  }
}

extension ReplicatedTable.Properties {
  /// Reads the properties of a table.
  init(of relation: UInt32, on access: some PostgreSQLAccess) async throws {
    try await access.result(of: Self.columnQuery, values: [relation]).forEach { row in
      let name = try row.read(String.self, at: 0)
      if try row.read(Bool.self, at: 1) {
        generated.append(name)
        return
      }
      columns[name] = Column(
        type: PostgreSQL.PostgreSQLType(rawValue: try row.read(UInt32.self, at: 2)),
        isEnum: try row.read(Bool.self, at: 3),
        hasDeterministicCollation: try row.read(Bool.self, at: 4),
        ordersByBytes: try row.read(Bool.self, at: 5), isKey: try row.read(Bool.self, at: 6))
    }
    try await access.result(of: Self.ancestorQuery, values: [relation]).forEach { row in
      ancestors.append(
        TableName(
          schema: try row.read(String.self, at: 0), try row.read(String.self, at: 1)))
    }
  }

  private static let columnQuery: PostgreSQLQuery = """
    WITH RECURSIVE base (oid, type) AS (
      SELECT a.atttypid, a.atttypid FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
      UNION
      SELECT base.oid, t.typbasetype FROM base
      JOIN pg_catalog.pg_type t ON t.oid = base.type AND t.typtype = 'd'
    )
    SELECT a.attname::text, a.attgenerated <> '', t.oid, t.typtype = 'e',
      coalesce(c.collisdeterministic, true),
      CASE WHEN a.attcollation = 100
        THEN d.datcollate IN ('C', 'POSIX')
          AND coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c'
        ELSE coalesce(c.collcollate IN ('C', 'POSIX') AND c.collprovider = 'c', false)
      END,
      EXISTS (SELECT 1 FROM pg_catalog.pg_index i
        WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey))
    FROM pg_catalog.pg_attribute a
    JOIN base ON base.oid = a.atttypid
    JOIN pg_catalog.pg_type t ON t.oid = base.type AND t.typtype <> 'd'
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
    JOIN pg_catalog.pg_database d ON d.datname = current_database()
    WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
    """

  private static let ancestorQuery: PostgreSQLQuery = """
    WITH RECURSIVE ancestor (oid) AS (
      SELECT inhparent FROM pg_catalog.pg_inherits WHERE inhrelid = $1
      UNION
      SELECT i.inhparent FROM ancestor JOIN pg_catalog.pg_inherits i ON i.inhrelid = ancestor.oid
    )
    SELECT n.nspname::text, c.relname::text FROM ancestor
    JOIN pg_catalog.pg_class c ON c.oid = ancestor.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    """
}
