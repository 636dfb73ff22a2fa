public import Router
public import SQLiteCore

/// The tables of one schema of a PostgreSQL database, as routes see them.
///
/// ```swift
/// let rows = try await connection.rows(PostgreSQLCatalog.query, ["public"])
/// let catalog = PostgreSQLCatalog(schema: "public", entries: try rows.map { try .init($0) })
/// ```
public struct PostgreSQLCatalog: RouteCatalog, Sendable {
  /// The name of the schema.
  public let schema: String
  public let version: SchemaVersion?
  public var cache: StatementCache
  /// The configuration of full-text search for columns of type `text`, and for queries.
  public var textSearchConfiguration = "simple"
  /// The tables by their exact names.
  private let tables: [String: TableSchema]

  /// Creates a catalog of tables.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - tables: The tables and views.
  ///   - version: The version of the schema, for which statements are cached; `nil` for no caching.
  ///   - cache: The cached statements.
  public init(
    schema: String, tables: [TableSchema], version: SchemaVersion? = nil,
    cache: StatementCache = StatementCache()
  ) {
    self.schema = schema
    self.version = version
    self.cache = cache
    self.tables = Dictionary(tables.map { ($0.name.name, $0) }) { first, _ in first }
  }

  /// Returns the table with exactly this name or, if there is none, the only one whose name is equal apart from the case
  /// of ASCII letters.
  public func table(_ name: String) throws -> TableSchema {
    if let table = tables[name] { return table }
    let similar = tables.values.filter { SQLName.isSame($0.name.name, name) }
    if similar.count == 1 { return similar[0] }
    throw RouterError.unknownTable(name, known: tables.keys.sorted())
  }

  public func tables(referringTo name: String) -> [String] {
    tables.values.filter { table in table.foreignKeys.contains { $0.parentTable == name } }
      .map(\.name.name).sorted()
  }
}

extension PostgreSQLCatalog {
  /// The query for the contents of a catalog. Its parameter `$1` is the name of the schema. Each row describes one
  /// column of a table, of a key or of a foreign key, in text columns.
  ///
  /// An index that can't be the target of `ON CONFLICT` is omitted: one that is not unique, is partial or invalid, has
  /// an expression, or belongs to a deferrable constraint. So is a foreign key to another schema.
  public static let query = """
    SELECT 'column' AS part, c.relname::text AS "table", c.relkind::text AS kind,
      a.attname::text AS name, a.attnum::int AS position,
      format_type(CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END, NULL) AS type,
      concat(
        CASE WHEN a.attnotnull THEN 'n' END, CASE WHEN a.attgenerated <> '' THEN 'g' END,
        CASE WHEN l.oid = 'pg_catalog."C"'::regcollation OR l.oid = 'pg_catalog."POSIX"'::regcollation
            OR l.collprovider = 'd' AND d.datcollate IN ('C', 'POSIX')
              AND coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c' THEN 'b'
          WHEN l.collisdeterministic THEN 'd' END)
        AS other
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_database d ON d.datname = current_database()
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
    WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION ALL
    SELECT 'index', c.relname, CASE WHEN i.indisprimary THEN 'p' ELSE 'u' END, a.attname,
      k.position::int, n.relname, ''
    FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
    JOIN pg_catalog.pg_class n ON n.oid = i.indexrelid
    CROSS JOIN unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
    WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)
      AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
      AND i.indexprs IS NULL AND k.position <= i.indnkeyatts
    UNION ALL
    SELECT 'key', c.relname, f.conname, a.attname, k.position::int, p.relname, b.attname
    FROM pg_catalog.pg_constraint f
    JOIN pg_catalog.pg_class c ON c.oid = f.conrelid
    JOIN pg_catalog.pg_class p ON p.oid = f.confrelid AND p.relnamespace = c.relnamespace
    CROSS JOIN unnest(f.conkey::int[], f.confkey::int[]) WITH ORDINALITY AS k (own, parent, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.own
    JOIN pg_catalog.pg_attribute b ON b.attrelid = p.oid AND b.attnum = k.parent
    WHERE f.contype = 'f' AND f.conparentid = 0
      AND c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)
    ORDER BY 1, 2, 3, 6, 5
    """

  /// A row of ``query``.
  public struct Entry: Hashable, Sendable {
    let part: String
    let table: String
    let kind: String
    let name: String
    let position: Int
    let type: String
    let other: String

    /// Creates an entry from the columns of a row.
    ///
    /// - Throws: `RouterError` with code `mismatch` if it is not a row of the query.
    public init(_ row: [String?]) throws(RouterError) {
      let row = row.map { $0 ?? "" }
      guard row.count == 7, let position = Int(row[4]) else {
        throw RouterError(code: .mismatch, message: "the row does not describe a part of a table")
      }
      (part, table, kind, name) = (row[0], row[1], row[2], row[3])
      self.position = position
      (type, other) = (row[5], row[6])
    }
  }

  /// Creates the catalog of a schema from the rows of ``query``.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - entries: The rows, in any order.
  ///   - version: The version of the schema, for which statements are cached; `nil` for no caching.
  ///   - cache: The cached statements.
  public init(
    schema: String, entries: [Entry], version: SchemaVersion? = nil,
    cache: StatementCache = StatementCache()
  ) {
    let tables = Dictionary(grouping: entries, by: \.table).map { name, entries in
      Self.table(TableName(schema: schema, name), entries.sorted { $0.position < $1.position })
    }
    self.init(schema: schema, tables: tables, version: version, cache: cache)
  }

  /// The name for all deterministic collations except `C`: different strings are never equal.
  static let deterministicCollation = "deterministic"

  private static func table(_ name: TableName, _ entries: [Entry]) -> TableSchema {
    let columns = entries.filter { $0.part == "column" }
    let indexes = Dictionary(grouping: entries.filter { $0.part == "index" }, by: \.type)
    let keys = Dictionary(grouping: entries.filter { $0.part == "key" }, by: \.kind)
    let primaryKey = indexes.values.first { $0.first?.kind == "p" } ?? []
    let isView = ["v", "m"].contains(columns.first?.kind)
    return TableSchema(
      name: name, kind: isView ? .view : .table,
      columns: columns.map { column in
        TableSchema.Column(
          column.name, column.type, isNotNull: column.other.contains("n"),
          primaryKeyPosition: primaryKey.firstIndex { $0.name == column.name }.map { $0 + 1 },
          kind: column.other.contains("g") ? .storedGenerated : .stored,
          collation: column.other.contains("b")
            ? "C" : column.other.contains("d") ? Self.deterministicCollation : nil)
      },
      foreignKeys: keys.sorted { $0.key < $1.key }.enumerated().map { number, key in
        TableSchema.ForeignKey(
          id: number, columns: key.value.map(\.name), parentTable: key.value[0].type,
          parentColumns: key.value.map(\.other))
      },
      indexes: indexes.sorted { $0.key < $1.key }.map { index in
        TableSchema.Index(
          name: index.key, table: name.name, keys: index.value.map { .init(column: $0.name) },
          isUnique: true, origin: index.value[0].kind == "p" ? .primaryKey : .statement)
      },
      // There are no rowids.
      isWithoutRowID: !isView)
  }
}
