import PostgreSQL
import Primitives

/// The tables of a schema of a PostgreSQL database, as its catalog describes them.
struct ServerCatalog {
  var schema: String
  var tables: [Table] = []
  /// The objects other than tables: their kind, name and the statement that creates them, in an order in which they
  /// can be created.
  var objects: [Object] = []

  struct Table {
    var id: Int64
    var name: String
    var columns: [Column] = []
    var constraints: [Constraint] = []
    var indexes: [Index] = []
    var comment: String?
    /// The partition key of a partitioned table.
    var partitionKey: String?
    var hasRowSecurity = false
    var hasParents = false
  }

  struct Column {
    var name: String
    var type: String
    /// The base type of a domain.
    var baseType: String?
    var isNotNull: Bool
    /// The default value, or the expression of a generated column.
    var expression: String?
    /// `a` for `ALWAYS`, `d` for `BY DEFAULT`, empty for none.
    var identity: String
    var isGenerated: Bool
    /// The collation, if it is not the type's.
    var collation: String?
    /// Indicates whether the effective collation compares bytes.
    var comparesBytes: Bool
    /// Indicates whether a sequence belongs to the column.
    var ownsSequence: Bool
    var comment: String?
  }

  struct Constraint {
    var name: String
    /// `p`, `u`, `c`, `f`, `x` or `t`, as in `pg_constraint`.
    var kind: String
    var definition: String
    var columns: [String]
    /// The expression of a `CHECK`.
    var expression: String?
    var parentSchema: String?
    var parent: String?
    var parentColumns: [String]
    var onUpdate: String
    var onDelete: String
    var matchesFully: Bool
    var isDeferrable: Bool
    var isDeferred: Bool
  }

  struct Index {
    var name: String
    var definition: String
    var isUnique: Bool
    var method: String
    /// The columns or expressions, each with whether it is an expression and whether it is descending.
    var keys: [(sql: String, isExpression: Bool, isDescending: Bool)]
    var condition: String?
    var hasOtherParts: Bool
  }

  struct Object {
    enum Kind: String { case type, function, sequence, ownership, view, trigger, policy }

    var kind: Kind
    var name: String
    var sql: String
    /// The table of a trigger or policy.
    var table: String?
  }

  func table(_ name: String) -> Table? { tables.first { $0.name == name } }
}

/// A row of a catalog query.
struct CatalogRow: PostgreSQLRowDecodable, Sendable {
  private let values: [DataValue]

  init(row: borrowing PostgreSQLRow) throws {
    var values: [DataValue] = []
    for index in 0..<row.columnCount { values.append(try row.read(at: index)) }
    self.values = values
  }

  func optionalText(_ index: Int) -> String? {
    if case .text(let text) = values[index] { text } else { nil }
  }

  func text(_ index: Int) -> String { optionalText(index) ?? "" }

  func bool(_ index: Int) -> Bool { values[index] == .bool(true) }

  func integer(_ index: Int) -> Int64 {
    if case .integer(let number) = values[index] { number } else { 0 }
  }

  func texts(_ index: Int) -> [String] {
    guard case .array(let elements) = values[index] else { return [] }
    return elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  func bools(_ index: Int) -> [Bool] {
    guard case .array(let elements) = values[index] else { return [] }
    return elements.map { $0 == .bool(true) }
  }
}

extension ServerCatalog {
  /// Reads the catalog.
  ///
  /// - Throws: `PostgreSQLError`.
  init(_ connection: PostgreSQLConnection, schema: String) async throws {
    self.schema = schema
    let rows = try await connection.fetchAll(CatalogRow.self, Self.tableQuery, schema)
    tables = rows.map { row in
      Table(
        id: row.integer(0), name: row.text(1), comment: row.optionalText(2),
        partitionKey: row.optionalText(3), hasRowSecurity: row.bool(4), hasParents: row.bool(5))
    }
    let places = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.id, $0) })
    for row in try await connection.fetchAll(CatalogRow.self, Self.columnQuery, schema) {
      guard let place = places[row.integer(0)] else { continue }
      tables[place].columns.append(
        Column(
          name: row.text(1), type: row.text(2), baseType: row.optionalText(3),
          isNotNull: row.bool(4), expression: row.optionalText(5), identity: row.text(6),
          isGenerated: row.bool(7), collation: row.optionalText(8), comparesBytes: row.bool(9),
          ownsSequence: row.bool(10), comment: row.optionalText(11)))
    }
    for row in try await connection.fetchAll(CatalogRow.self, Self.constraintQuery, schema) {
      guard let place = places[row.integer(0)] else { continue }
      tables[place].constraints.append(
        Constraint(
          name: row.text(1), kind: row.text(2), definition: row.text(3), columns: row.texts(4),
          expression: row.optionalText(5), parentSchema: row.optionalText(6),
          parent: row.optionalText(7), parentColumns: row.texts(8), onUpdate: row.text(9),
          onDelete: row.text(10), matchesFully: row.bool(11), isDeferrable: row.bool(12),
          isDeferred: row.bool(13)))
    }
    for row in try await connection.fetchAll(CatalogRow.self, Self.indexQuery, schema) {
      guard let place = places[row.integer(0)] else { continue }
      let keys = zip(row.texts(5), zip(row.bools(6), row.bools(7)))
      tables[place].indexes.append(
        Index(
          name: row.text(1), definition: row.text(2), isUnique: row.bool(3), method: row.text(4),
          keys: keys.map { ($0, $1.0, $1.1) }, condition: row.optionalText(8),
          hasOtherParts: row.bool(9)))
    }
    for query in Self.objectQueries {
      for row in try await connection.fetchAll(CatalogRow.self, query, schema) {
        guard let kind = Object.Kind(rawValue: row.text(0)) else { continue }
        objects.append(
          Object(kind: kind, name: row.text(1), sql: row.text(2), table: row.optionalText(3)))
      }
    }
  }

  /// The tables of the schema, without partitions and the record of a copy.
  private static let tableQuery: PostgreSQLQuery = """
    SELECT c.oid::int8, c.relname::text, obj_description(c.oid, 'pg_class'),
      pg_get_partkeydef(c.oid), c.relrowsecurity,
      EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'holt_copy'
      AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
    ORDER BY c.oid
    """

  private static let columnQuery: PostgreSQLQuery = """
    SELECT c.oid::int8, a.attname::text, format_type(a.atttypid, a.atttypmod),
      CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) END,
      a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, a.attgenerated <> '',
      CASE WHEN a.attcollation <> t.typcollation
        THEN quote_ident(cn.nspname) || '.' || quote_ident(co.collname) END,
      CASE co.collname WHEN 'default' THEN
        (SELECT datcollate IN ('C', 'POSIX') FROM pg_database WHERE datname = current_database())
        ELSE coalesce(co.collname IN ('C', 'POSIX', 'ucs_basic'), true) END,
      EXISTS (
        SELECT FROM pg_depend s WHERE s.classid = 'pg_class'::regclass
          AND s.refclassid = 'pg_class'::regclass AND s.refobjid = c.oid
          AND s.refobjsubid = a.attnum AND s.deptype = 'a'
          AND (SELECT relkind FROM pg_class WHERE oid = s.objid) = 'S'),
      col_description(c.oid, a.attnum)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_collation co ON co.oid = a.attcollation
    LEFT JOIN pg_namespace cn ON cn.oid = co.collnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.oid, a.attnum
    """

  private static let constraintQuery: PostgreSQLQuery = """
    SELECT k.conrelid::int8, k.conname::text, k.contype::text, pg_get_constraintdef(k.oid),
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u (num, place)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY u.place),
      pg_get_expr(k.conbin, k.conrelid), pn.nspname::text, p.relname::text,
      ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u (num, place)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY u.place),
      k.confupdtype::text, k.confdeltype::text, k.confmatchtype = 'f', k.condeferrable, k.condeferred
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_class p ON p.oid = k.confrelid LEFT JOIN pg_namespace pn ON pn.oid = p.relnamespace
    WHERE n.nspname = $1 AND k.contype IN ('p', 'u', 'c', 'f', 'x') AND k.conparentid = 0
    ORDER BY k.conrelid, k.contype = 'f', k.contype = 'c', k.contype <> 'p', k.oid
    """

  private static let indexQuery: PostgreSQLQuery = """
    SELECT i.indrelid::int8, x.relname::text, pg_get_indexdef(i.indexrelid), i.indisunique,
      m.amname::text,
      ARRAY(SELECT pg_get_indexdef(i.indexrelid, g, true) FROM generate_series(1, i.indnkeyatts) g
        ORDER BY g),
      ARRAY(SELECT i.indkey[g - 1] = 0 FROM generate_series(1, i.indnkeyatts) g ORDER BY g),
      ARRAY(SELECT i.indoption[g - 1]::int & 1 = 1 FROM generate_series(1, i.indnkeyatts) g
        ORDER BY g),
      pg_get_expr(i.indpred, i.indrelid),
      i.indnatts <> i.indnkeyatts
        OR to_jsonb(i) ->> 'indnullsnotdistinct' = 'true'
        OR EXISTS (SELECT FROM generate_series(0, i.indnkeyatts - 1) g
          JOIN pg_opclass o ON o.oid = i.indclass[g] WHERE NOT o.opcdefault)
    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_am m ON m.oid = x.relam
    WHERE n.nspname = $1 AND NOT x.relispartition
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid
        AND k.contype IN ('p', 'u', 'x'))
    ORDER BY i.indrelid, x.relname
    """

  private static let objectQueries: [PostgreSQLQuery] = [
    """
    SELECT 'type', t.typname::text, 'CREATE TYPE ' || t.oid::regtype || ' AS ENUM ('
      || (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
        FROM pg_enum e WHERE e.enumtypid = t.oid) || ')', NULL::text
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = $1 AND t.typtype = 'e' ORDER BY t.oid
    """,
    """
    SELECT 'type', t.typname::text, 'CREATE TYPE ' || t.oid::regtype || ' AS ('
      || (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod),
        ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0
        AND NOT a.attisdropped) || ')', NULL::text
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    JOIN pg_class c ON c.oid = t.typrelid
    WHERE n.nspname = $1 AND c.relkind = 'c' ORDER BY t.oid
    """,
    """
    SELECT 'type', t.typname::text, 'CREATE DOMAIN ' || t.oid::regtype || ' AS '
      || format_type(t.typbasetype, t.typtypmod)
      || coalesce(' DEFAULT ' || t.typdefault, '')
      || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
      || coalesce((SELECT string_agg(' CONSTRAINT ' || quote_ident(k.conname) || ' '
        || pg_get_constraintdef(k.oid), '' ORDER BY k.oid)
        FROM pg_constraint k WHERE k.contypid = t.oid), ''), NULL::text
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = $1 AND t.typtype = 'd' ORDER BY t.oid
    """,
    """
    SELECT 'sequence', c.relname::text, 'CREATE SEQUENCE ' || c.oid::regclass || ' AS '
      || format_type(s.seqtypid, NULL) || ' INCREMENT BY ' || s.seqincrement || ' MINVALUE '
      || s.seqmin || ' MAXVALUE ' || s.seqmax || ' START WITH ' || s.seqstart
      || CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END, NULL::text
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('i', 'e'))
    ORDER BY c.oid
    """,
    """
    SELECT 'ownership', c.relname::text, 'ALTER SEQUENCE ' || c.oid::regclass || ' OWNED BY '
      || d.refobjid::regclass || '.' || quote_ident(a.attname), NULL::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'a'
      AND d.refclassid = 'pg_class'::regclass
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE n.nspname = $1 AND c.relkind = 'S' ORDER BY c.oid
    """,
    """
    SELECT 'function', p.proname::text, rtrim(pg_get_functiondef(p.oid), E'\\n'), NULL::text
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = $1 AND p.prokind IN ('f', 'p', 'w') AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        AND d.deptype = 'e')
    ORDER BY p.oid
    """,
    """
    SELECT 'view', c.relname::text, 'CREATE ' || CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE ''
      END || 'VIEW ' || c.oid::regclass || E' AS\\n' || rtrim(pg_get_viewdef(c.oid), ';'), NULL::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('v', 'm') ORDER BY c.oid
    """,
    """
    SELECT 'trigger', t.tgname::text, pg_get_triggerdef(t.oid), c.relname::text
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND NOT t.tgisinternal ORDER BY t.oid
    """,
    """
    SELECT 'policy', p.polname::text, 'CREATE POLICY ' || quote_ident(p.polname) || ' ON '
      || c.oid::regclass || CASE WHEN p.polpermissive THEN '' ELSE ' AS RESTRICTIVE' END
      || ' FOR ' || CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
        WHEN 'd' THEN 'DELETE' ELSE 'ALL' END
      || coalesce(' TO ' || (SELECT string_agg(quote_ident(r.rolname), ', ' ORDER BY r.rolname)
        FROM pg_roles r WHERE r.oid = ANY (p.polroles)), '')
      || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
      || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', ''),
      c.relname::text
    FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 ORDER BY p.oid
    """,
  ]
}
