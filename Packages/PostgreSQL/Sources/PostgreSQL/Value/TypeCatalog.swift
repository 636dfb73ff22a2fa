internal import Primitives

/// The types of one database that are not PostgreSQL's own, shared by the connections to it.
final class TypeCatalog: Sendable {
  private struct State {
    var kinds: [PostgreSQLType: TypeKind] = [:]
    var attributes: [PostgreSQLType: [PostgreSQLType]] = [:]
    /// Indicates whether enumerations, domains and ranges were loaded, which anonymous rows can contain.
    var hasLoadedAll = false
  }

  private let state = Mutex(State())

  /// The format of a type; ``TypeKind/other`` for a type that is not loaded.
  func kind(of type: PostgreSQLType) -> TypeKind {
    if type.isBuiltIn { return TypeKind(builtIn: type) }
    return state.withLock { $0.kinds[type] ?? .other }
  }

  /// The types of a composite type's attributes; `nil` for another type.
  func attributes(of type: PostgreSQLType) -> [PostgreSQLType]? {
    state.withLock { $0.attributes[type] }
  }

  /// Returns the types among `types` that must be loaded before their values can be read or bound.
  func missing(from types: [PostgreSQLType]) -> [PostgreSQLType] {
    // The check without the lock is the common case.
    guard types.contains(where: { !$0.isBuiltIn || $0.rawValue == 2249 || $0.rawValue == 2287 })
    else { return [] }
    return state.withLock { state in
      types.filter { type in
        type.isBuiltIn
          ? (type.rawValue == 2249 || type.rawValue == 2287) && !state.hasLoadedAll
          : state.kinds[type] == nil
      }
    }
  }

  /// Adds the rows of ``query``.
  func add(_ rows: [Loaded], requested: [PostgreSQLType]) {
    state.withLock { state in
      for row in rows {
        state.kinds[row.type] = row.kind
        if row.kind == .record { state.attributes[row.type] = row.attributes }
      }
      // A domain over a type that is not built in.
      for row in rows { if let base = row.base { state.kinds[row.type] = state.kinds[base] } }
      // A type that has been dropped is not requested again.
      for type in requested where !type.isBuiltIn && state.kinds[type] == nil {
        state.kinds[type] = .other
      }
      state.hasLoadedAll = true
    }
  }

  /// A row of ``query``.
  struct Loaded: PostgreSQLRowDecodable, Sendable {
    let type: PostgreSQLType
    let kind: TypeKind
    /// The base type of a domain, unless it is built in.
    let base: PostgreSQLType?
    let attributes: [PostgreSQLType]

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      type = PostgreSQLType(try row.read(at: 0))
      let category = try row.read(String.self, at: 1)
      let related = PostgreSQLType(try row.read(at: 2))
      let base = PostgreSQLType(try row.read(at: 3))
      self.base = category == "d" && !base.isBuiltIn ? base : nil
      attributes = try row.read([UInt32].self, at: 4).map { PostgreSQLType($0) }
      kind =
        switch category {
        case "e", "t": .text
        case "c": .record
        case "r": .range(of: related)
        case "m": .multirange(of: related)
        case "a": .array(element: related)
        case "d": base.isBuiltIn ? TypeKind(builtIn: base) : .other
        default: .other
        }
    }
  }

  /// Reads the enumerations, domains and ranges of the database, the types with the given identifiers, the types of
  /// their attributes, and the arrays of all of these.
  ///
  /// A domain has the format of its innermost base type. Of the types of extensions, `citext` has the format of text.
  static let query: PostgreSQLQuery = """
    WITH RECURSIVE needed(oid) AS (
      SELECT oid FROM pg_catalog.pg_type WHERE oid = ANY ($1::pg_catalog.oid[])
      UNION
      SELECT related.oid FROM needed JOIN pg_catalog.pg_type t ON t.oid = needed.oid
      CROSS JOIN LATERAL (
        SELECT t.typelem AS oid WHERE t.typelem <> 0
        UNION ALL SELECT t.typarray WHERE t.typarray <> 0
        UNION ALL SELECT t.typbasetype WHERE t.typbasetype <> 0
        UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a
          WHERE a.attrelid = t.typrelid AND t.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped
      ) related
    ), bases(oid, base) AS (
      SELECT oid, typbasetype FROM pg_catalog.pg_type WHERE typtype = 'd'
      UNION
      SELECT bases.oid, t.typbasetype FROM bases JOIN pg_catalog.pg_type t ON t.oid = bases.base
      WHERE t.typtype = 'd'
    )
    SELECT t.oid,
      CASE WHEN t.typtype = 'b' AND t.typelem <> 0 AND t.typlen = -1 THEN 'a'
        WHEN t.typtype = 'b' AND t.typname = 'citext' THEN 't'
        ELSE t.typtype::text END,
      coalesce(CASE t.typtype WHEN 'r' THEN r.rngsubtype WHEN 'm' THEN m.rngtypid ELSE t.typelem END, 0),
      coalesce((SELECT b.base FROM bases b JOIN pg_catalog.pg_type i ON i.oid = b.base
        WHERE b.oid = t.oid AND i.typtype <> 'd' LIMIT 1), 0),
      ARRAY(SELECT a.atttypid FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = t.typrelid AND t.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum)
    FROM pg_catalog.pg_type t
    LEFT JOIN pg_catalog.pg_range r ON r.rngtypid = t.oid
    LEFT JOIN pg_catalog.pg_range m ON m.rngmultitypid = t.oid
    LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
    WHERE t.oid >= 16384 AND (
      t.oid IN (SELECT oid FROM needed) OR t.typtype IN ('e', 'd', 'r', 'm')
      OR (t.typtype = 'b' AND e.typtype IN ('e', 'd', 'r', 'm')))
    """
}
