/// Everything that a database is made of, as one value: its tables, indexes, views and triggers.
///
/// What SQLite keeps for itself is left out, and so are shadow tables and the list of
/// ``Migration``s that the database has gone through. The order is that of the names.
///
/// ```swift
/// let wanted = try DatabaseSchema(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
/// let present = try connection.databaseSchema()
/// let isUpToDate = present.isEquivalent(to: wanted)
/// ```
///
/// Two schemas are equal when their statements are the same byte for byte; `isEquivalent(to:)` asks
/// whether they describe the same database.
public struct DatabaseSchema: Hashable, Sendable {
  /// Tables and virtual tables.
  public let tables: [TableSchema]
  /// The indexes that `CREATE INDEX` made.
  public let indexes: [TableSchema.Index]
  public let views: [View]
  public let triggers: [Trigger]

  init(
    tables: [TableSchema], indexes: [TableSchema.Index], views: [View], triggers: [Trigger]
  ) {
    self.tables = tables
    self.indexes = indexes
    self.views = views
    self.triggers = triggers
  }

  /// The schema that a script makes, which is run in a database in memory of its own.
  ///
  /// - Parameters:
  ///   - sql: `CREATE` statements, and whatever else makes a schema. Rows are forgotten.
  ///   - configuration: How that database is opened: where the schema uses functions or collations of
  ///     your own, ``Configuration/prepare`` adds them.
  /// - Throws: ``SQLiteError`` of the script. A view that refers to something which does not exist is
  ///   not an error, as it is none to SQLite.
  public init(sql: SQL, configuration: Configuration = Configuration()) throws {
    let connection = try Connection.inMemory(configuration: configuration)
    try connection.execute(sql)
    self = try connection.databaseSchema()
  }

  /// A script that makes the schema, in an order that SQLite accepts.
  public var sql: String { statements.map { $0 + ";\n" }.joined() }

  var statements: [String] {
    let plain = tables.filter { $0.kind != .virtual }.compactMap(\.sql)
    // A virtual table may index a view.
    let virtual = tables.filter { $0.kind == .virtual }.compactMap(\.sql)
    let all =
      plain + indexes.compactMap(\.sql) + views.map(\.sql) + virtual + triggers.map(\.sql)
    return all.map { CreateStatement($0)?.sql() ?? $0 }
  }

  /// The table of a name; `nil` where there is none.
  public func table(_ name: String) -> TableSchema? {
    tables.first { $0.name.name.isEqualIgnoringASCIICase(name) }
  }
}

extension DatabaseSchema {
  public static func == (a: DatabaseSchema, b: DatabaseSchema) -> Bool {
    a.letters == b.letters && a.tables == b.tables && a.indexes == b.indexes
      && a.views == b.views && a.triggers == b.triggers
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(letters) }

  /// The statements as they were written: texts that Swift holds equal may be two to SQLite.
  private var letters: [ExactText] {
    let all =
      tables.map(\.sql) + indexes.map(\.sql) + views.map(\.sql) + triggers.map(\.sql)
    return all.map { ExactText($0 ?? "") }
  }

  /// Whether both describe the same database: space, comments, letter case, quotes around names, and
  /// whether a constraint is written at its column or at its table, make no difference.
  ///
  /// The order of a table's columns does, unless `ignoringColumnOrder`.
  ///
  /// - Complexity: Every statement is taken apart.
  public func isEquivalent(to other: DatabaseSchema, ignoringColumnOrder: Bool = false) -> Bool {
    guard canonicalObjects == other.canonicalObjects, tables.count == other.tables.count else {
      return false
    }
    return tables.allSatisfy { table in
      guard let counterpart = other.table(table.name.name) else { return false }
      return table.isEquivalent(to: counterpart, ignoringColumnOrder: ignoringColumnOrder)
    }
  }

  /// Whether anything at all has this name.
  func hasObject(_ name: String) -> Bool {
    let names = tables.map(\.name.name) + indexes.map(\.name) + views.map(\.name)
    return names.contains { $0.isEqualIgnoringASCIICase(name) }
  }

  /// The canonical statement of everything that is no table, by kind and name.
  var canonicalObjects: [ExactText: ExactText] {
    var objects: [ExactText: ExactText] = [:]
    for sql in indexes.compactMap(\.sql) + views.map(\.sql) + triggers.map(\.sql) {
      guard let create = CreateStatement(sql) else { continue }
      objects[Self.key(create.kind, create.name)] = ExactText(create.canonical)
    }
    return objects
  }

  /// What ``canonicalObjects`` has an object under.
  static func key(_ kind: CreateStatement.Kind, _ name: String) -> ExactText {
    ExactText("\(kind.rawValue) \(name.asciiLowercased)")
  }
}

extension TableSchema {
  func isEquivalent(to other: TableSchema, ignoringColumnOrder: Bool) -> Bool {
    guard let sql, let otherSQL = other.sql, kind == other.kind else { return false }
    if kind == .virtual {
      return CreateStatement(sql).map { ExactText($0.canonical) }
        == CreateStatement(otherSQL).map { ExactText($0.canonical) }
    }
    guard let mine = TableDefinition(sql), let its = TableDefinition(otherSQL) else {
      return false
    }
    return mine.isEquivalent(to: its, ignoringColumnOrder: ignoringColumnOrder)
  }
}

extension TableDefinition {
  func isEquivalent(to other: TableDefinition, ignoringColumnOrder: Bool) -> Bool {
    func shape(_ definition: TableDefinition) -> [ExactText] {
      let columns = definition.columns.map(\.canonical)
      return (ignoringColumnOrder ? columns.sorted() : columns).map(ExactText.init)
    }
    return shape(self) == shape(other) && options == other.options
      && canonicalConstraints.map(ExactText.init) == other.canonicalConstraints.map(ExactText.init)
  }
}

extension TableDefinition.Column {
  /// The column without its constraints, in the one form of all its spellings.
  var canonical: String {
    ([SQLName.canonical(name), type] + traits.sorted()).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

extension Connection {
  /// Reads a whole schema.
  ///
  /// - Throws: ``SQLiteError`` as reading does. A view that is broken is not an error.
  /// - Complexity: A few statements, whatever the number of tables; O(*n*) in the size of the schema.
  public func databaseSchema(in schema: String = "main") throws -> DatabaseSchema {
    let tables = try tables(in: schema).filter {
      $0.kind != .view && !$0.name.name.isEqualIgnoringASCIICase(Self.migrationTable)
    }
    return DatabaseSchema(
      tables: tables, indexes: try createdIndexes(in: schema), views: try views(in: schema),
      triggers: try triggers(in: schema))
  }

  /// The table in which ``migrate(_:upTo:refusingChanged:progress:)`` writes down what was done.
  static var migrationTable: String { "holt_migration" }

  /// Every index that `CREATE INDEX` made.
  private func createdIndexes(in schema: String) throws -> [TableSchema.Index] {
    guard try hasSchema(schema) else { return [] }
    var indexes: [TableSchema.Index] = []
    var keys: [TableSchema.Index.Key] = []
    var current: (name: String, table: String, sql: String, definition: IndexDefinition?)?
    func finish() {
      guard let index = current else { return }
      indexes.append(
        TableSchema.Index(
          name: index.name, isUnique: index.definition?.isUnique ?? false, origin: .statement,
          isPartial: index.definition?.whereSQL != nil, columns: keys.map(\.column),
          table: index.table, keys: keys, whereSQL: index.definition?.whereSQL, sql: index.sql))
      keys = []
    }
    try forEach(
      """
      SELECT m.name, m.tbl_name, m.sql, x.name, x.cid, x.coll, x."desc"
      FROM \(identifier: schema).sqlite_master AS m, pragma_index_xinfo(m.name, ?1) AS x
      WHERE m.type = 'index' AND m.sql IS NOT NULL AND x."key" ORDER BY m.name, x.seqno
      """, schema
    ) { row in
      let name = try row.read(String.self, at: 0)
      if current?.name != name {
        finish()
        let sql = try row.read(String.self, at: 2)
        current = (name, try row.read(at: 1), sql, IndexDefinition(sql))
      }
      let isExpression = try row.read(Int.self, at: 4) == -2
      let written = current?.definition?.keys.dropFirst(keys.count).first
      keys.append(
        TableSchema.Index.Key(
          column: try row.read(String?.self, at: 3), expressionSQL: isExpression ? written : nil,
          collation: try row.read(String?.self, at: 5) ?? "BINARY",
          isDescending: try row.read(at: 6)))
    }
    finish()
    return indexes
  }
}
