internal import PostgreSQL

/// The parts of a database's catalog that the analysis of statements needs.
struct ServerCatalog: Sendable {
  struct TypeEntry: Sendable {
    var oid: UInt32
    var name: String
    var schema: String
    /// `b` base, `c` composite, `d` domain, `e` enumeration, `m` multirange, `p` pseudo-type, `r` range.
    var kind: String
    /// The type of the elements of an array; 0 otherwise.
    var element: UInt32
    /// The base type of a domain; 0 otherwise.
    var base: UInt32
    /// The element type of a range; 0 otherwise.
    var bound: UInt32
    var isFromExtension: Bool
    /// The kind of the relation of a composite type.
    var relationKind: String
    var comment: String?
  }

  struct Function: Sendable {
    var name: String
    var isBuiltIn: Bool
    var isStrict: Bool
    var isVolatile: Bool
    var argumentTypes: [UInt32]
  }

  struct Operator: Sendable {
    var name: String
    var isBuiltIn: Bool
    var isStrict: Bool
    var left: UInt32
    var right: UInt32
  }

  struct Attribute: Sendable {
    var number: Int
    var name: String
    var type: UInt32
    var isNotNull: Bool
    var comment: String?
  }

  struct Relation: Sendable {
    var oid: UInt32
    var name: String
    var schema: String
    /// `r` table, `p` partitioned table, `v` view, `m` materialized view, `f` foreign table, `c` composite type.
    var kind: String
    /// Indicates whether triggers may ignore rows that are inserted.
    var hasRowTriggers: Bool
    var hasRules: Bool
    var isFromExtension: Bool
    var comment: String?
    var attributes: [Attribute] = []
    /// The column numbers of the unique indexes whose rows are unique at any time, the primary key first.
    var uniqueKeys: [[Int]] = []
    var primaryKey: [Int] = []
    /// The tables that inherit from this one, or are partitions of it.
    var children: [UInt32] = []
    /// The analyzed statement of a view.
    var view: String?
  }

  var server = ""
  /// The schema in which unqualified names are created.
  var schema = ""
  var types: [UInt32: TypeEntry] = [:]
  var functions: [UInt32: Function] = [:]
  var operators: [UInt32: Operator] = [:]
  var relations: [UInt32: Relation] = [:]
  /// The values of enumerations, in their order.
  var enumerations: [UInt32: [String]] = [:]

  /// Returns the attribute of a relation.
  func attribute(_ number: Int, of relation: UInt32) -> Attribute? {
    relations[relation]?.attributes.first { $0.number == number }
  }

  /// Returns whether a column contains no NULL: it is declared so in the table and in all tables that inherit from it.
  /// PostgreSQL does not check foreign tables, and materialized views have no constraints.
  ///
  /// - Parameter isWhole: Whether rows of the inheriting tables are included.
  func isNotNull(
    _ number: Int, of relation: UInt32, isWhole: Bool = true, depth: Int = 0
  ) -> Bool {
    guard depth < 100, let table = relations[relation], ["r", "p"].contains(table.kind),
      let column = table.attributes.first(where: { $0.number == number }), column.isNotNull
    else { return false }
    return !isWhole
      || table.children.allSatisfy { child in
        guard let same = relations[child]?.attributes.first(where: { $0.name == column.name })
        else {
          return false
        }
        return isNotNull(same.number, of: child, depth: depth + 1)
      }
  }

  /// Returns a name with its schema, unless that is the default schema.
  func qualified(_ name: String, in schema: String) -> String {
    schema == self.schema || schema == "pg_catalog" ? name : "\(schema).\(name)"
  }

  /// Returns a type without its domains.
  func withoutDomains(_ oid: UInt32) -> UInt32 {
    var oid = oid
    for _ in 0..<100 {
      guard let type = types[oid], type.kind == "d", type.base != 0 else { break }
      oid = type.base
    }
    return oid
  }
}

/// Reading of the catalog.
extension ServerCatalog {
  /// Reads the catalog of a connection's database.
  init(of connection: PostgreSQLConnection) async throws {
    server = try await connection.serverSetting("server_version") ?? ""
    let current = try await connection.value(String?.self, "SELECT current_schema()::text") ?? nil
    schema = current ?? "public"
    for row in try await connection.fetchAll(TypeRow.self, TypeRow.query) {
      types[row.entry.oid] = row.entry
    }
    for row in try await connection.fetchAll(FunctionRow.self, FunctionRow.query) {
      functions[row.oid] = row.function
    }
    for row in try await connection.fetchAll(OperatorRow.self, OperatorRow.query) {
      operators[row.oid] = row.value
    }
    for row in try await connection.fetchAll(RelationRow.self, RelationRow.query) {
      relations[row.relation.oid] = row.relation
    }
    for row in try await connection.fetchAll(AttributeRow.self, AttributeRow.query) {
      relations[row.relation]?.attributes.append(row.attribute)
    }
    for row in try await connection.fetchAll(IndexRow.self, IndexRow.query) {
      if row.isPrimary { relations[row.relation]?.primaryKey = row.columns }
      relations[row.relation]?.uniqueKeys.append(row.columns)
    }
    for row in try await connection.fetchAll(ChildRow.self, ChildRow.query) {
      relations[row.parent]?.children.append(row.child)
    }
    for row in try await connection.fetchAll(EnumerationRow.self, EnumerationRow.query) {
      enumerations[row.type] = row.values
    }
  }

  private struct TypeRow: PostgreSQLRowDecodable, Sendable {
    let entry: TypeEntry

    static let query: PostgreSQLQuery = """
      SELECT t.oid, t.typname, n.nspname, t.typtype::text,
        CASE WHEN t.typcategory = 'A' AND t.typlen = -1 THEN t.typelem ELSE 0 END, t.typbasetype,
        coalesce(r.rngsubtype, 0),
        EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_type'::regclass
          AND d.objid = t.oid AND d.deptype = 'e'),
        coalesce((SELECT c.relkind::text FROM pg_catalog.pg_class c WHERE c.oid = t.typrelid), ''),
        coalesce(pg_catalog.obj_description(t.oid, 'pg_type'),
          pg_catalog.obj_description(t.typrelid, 'pg_class'))
      FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
      LEFT JOIN pg_catalog.pg_range r ON r.rngtypid = t.oid
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      entry = TypeEntry(
        oid: try row.read(at: 0), name: try row.read(at: 1), schema: try row.read(at: 2),
        kind: try row.read(at: 3), element: try row.read(at: 4), base: try row.read(at: 5),
        bound: try row.read(at: 6), isFromExtension: try row.read(at: 7),
        relationKind: try row.read(at: 8), comment: try row.read(at: 9))
    }
  }

  private struct FunctionRow: PostgreSQLRowDecodable, Sendable {
    let oid: UInt32
    let function: Function

    static let query: PostgreSQLQuery = """
      SELECT p.oid, p.proname, n.nspname = 'pg_catalog', p.proisstrict, p.provolatile = 'v',
        p.proargtypes::oid[]
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      oid = try row.read(at: 0)
      function = Function(
        name: try row.read(at: 1), isBuiltIn: try row.read(at: 2), isStrict: try row.read(at: 3),
        isVolatile: try row.read(at: 4), argumentTypes: try row.read(at: 5))
    }
  }

  private struct OperatorRow: PostgreSQLRowDecodable, Sendable {
    let oid: UInt32
    let value: Operator

    static let query: PostgreSQLQuery = """
      SELECT o.oid, o.oprname, n.nspname = 'pg_catalog', p.proisstrict, o.oprleft, o.oprright
      FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
      JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      oid = try row.read(at: 0)
      value = Operator(
        name: try row.read(at: 1), isBuiltIn: try row.read(at: 2), isStrict: try row.read(at: 3),
        left: try row.read(at: 4), right: try row.read(at: 5))
    }
  }

  private struct RelationRow: PostgreSQLRowDecodable, Sendable {
    let relation: Relation

    static let query: PostgreSQLQuery = """
      SELECT c.oid, c.relname, n.nspname, c.relkind::text,
        EXISTS (SELECT FROM pg_catalog.pg_trigger t
          WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
          AND t.tgtype & 5 = 5 AND t.tgtype & 66 <> 0),
        EXISTS (SELECT FROM pg_catalog.pg_rewrite w
          WHERE w.ev_class = c.oid AND NOT (c.relkind IN ('v', 'm') AND w.ev_type = '1')),
        EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::regclass
          AND d.objid = c.oid AND d.deptype = 'e'),
        pg_catalog.obj_description(c.oid, 'pg_class'),
        (SELECT w.ev_action::text FROM pg_catalog.pg_rewrite w
          WHERE c.relkind = 'v' AND w.ev_class = c.oid AND w.ev_type = '1')
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND n.nspname NOT LIKE 'pg\\_%'
        AND n.nspname <> 'information_schema'
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      relation = Relation(
        oid: try row.read(at: 0), name: try row.read(at: 1), schema: try row.read(at: 2),
        kind: try row.read(at: 3), hasRowTriggers: try row.read(at: 4),
        hasRules: try row.read(at: 5), isFromExtension: try row.read(at: 6),
        comment: try row.read(at: 7), view: try row.read(at: 8))
    }
  }

  private struct AttributeRow: PostgreSQLRowDecodable, Sendable {
    let relation: UInt32
    let attribute: Attribute

    // From PostgreSQL 18 on, a NOT NULL constraint may be one that existing rows violate.
    static let query: PostgreSQLQuery = """
      SELECT a.attrelid, a.attnum::int4, a.attname, a.atttypid,
        a.attnotnull AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k
          WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated
          AND k.conkey = ARRAY[a.attnum]),
        pg_catalog.col_description(a.attrelid, a.attnum)
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c')
        AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
      ORDER BY a.attrelid, a.attnum
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      relation = try row.read(at: 0)
      attribute = Attribute(
        number: try row.read(at: 1), name: try row.read(at: 2), type: try row.read(at: 3),
        isNotNull: try row.read(at: 4), comment: try row.read(at: 5))
    }
  }

  private struct IndexRow: PostgreSQLRowDecodable, Sendable {
    let relation: UInt32
    let isPrimary: Bool
    let columns: [Int]

    static let query: PostgreSQLQuery = """
      SELECT i.indrelid, i.indisprimary, (i.indkey::int2[])[0:i.indnkeyatts - 1]
      FROM pg_catalog.pg_index i
      WHERE i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
        AND i.indexprs IS NULL AND i.indrelid >= 16384
      ORDER BY i.indrelid, NOT i.indisprimary, i.indexrelid
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      relation = try row.read(at: 0)
      isPrimary = try row.read(at: 1)
      columns = try row.read(at: 2)
    }
  }

  private struct ChildRow: PostgreSQLRowDecodable, Sendable {
    let parent: UInt32
    let child: UInt32

    static let query: PostgreSQLQuery =
      "SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits ORDER BY inhparent, inhseqno"

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      parent = try row.read(at: 0)
      child = try row.read(at: 1)
    }
  }

  private struct EnumerationRow: PostgreSQLRowDecodable, Sendable {
    let type: UInt32
    let values: [String]

    static let query: PostgreSQLQuery = """
      SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder)
      FROM pg_catalog.pg_enum GROUP BY enumtypid
      """

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      type = try row.read(at: 0)
      values = try row.read(at: 1)
    }
  }
}
