internal import Primitives

/// The schema of a database as a value: its tables, indexes, views and triggers.
///
/// SQLite's internal objects, shadow tables and the table of applied ``Migration``s are omitted. The objects are sorted
/// by name.
///
/// ```swift
/// let wanted = try DatabaseSchema(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
/// let present = try connection.databaseSchema()
/// let isUpToDate = present.isEquivalent(to: wanted)
/// ```
///
/// Two schemas are equal if their statements are equal byte for byte; `isEquivalent(to:)` compares whether they
/// describe the same database.
public struct DatabaseSchema: Hashable, Sendable {
  /// Tables and virtual tables.
  public let tables: [TableSchema]
  /// The indexes created with `CREATE INDEX`.
  public let indexes: [TableSchema.Index]
  public let views: [View]
  public let triggers: [Trigger]

  init(tables: [TableSchema], views: [View], triggers: [Trigger]) {
    self.tables = tables
    indexes = tables.flatMap(\.indexes).filter { $0.origin == .statement }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.views = views
    self.triggers = triggers
  }

  /// Creates the schema that results from a script, which is run on an in-memory database.
  ///
  /// - Parameters:
  ///   - sql: `CREATE` statements, and other statements that change a schema. Rows are discarded.
  ///   - configuration: The configuration of the in-memory database. If the schema uses custom functions or collations,
  ///     register them in ``Configuration/prepare``.
  /// - Throws: ``SQLiteError`` if the script fails. As in SQLite, a view that refers to a missing object is not an
  ///   error.
  public init(sql: SQL, configuration: Configuration = Configuration()) throws {
    let connection = try Connection.inMemory(configuration: configuration)
    try connection.execute(sql)
    self = try connection.databaseSchema()
  }

  /// A script that creates the schema, in an order that SQLite accepts.
  public var sql: String { statements.map { $0 + ";\n" }.joined() }

  var statements: [String] {
    let plain = tables.filter { $0.kind != .virtual }.compactMap(\.sql)
    // A virtual table can index a view.
    let virtual = tables.filter { $0.kind == .virtual }.compactMap(\.sql)
    let all =
      plain + indexes.compactMap(\.sql) + views.map(\.sql) + virtual + triggers.map(\.sql)
    return all.map { CreateStatement($0)?.sql() ?? $0 }
  }

  /// Returns the table with a name, or `nil` if there is none.
  public func table(_ name: String) -> TableSchema? {
    tables.first { $0.name.name.isEqualIgnoringASCIICase(name) }
  }
}

extension DatabaseSchema {
  public static func == (a: DatabaseSchema, b: DatabaseSchema) -> Bool {
    a.exactStatements == b.exactStatements && a.tables == b.tables && a.indexes == b.indexes
      && a.views == b.views && a.triggers == b.triggers
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(exactStatements) }

  /// The statements as written. Strings that are equal in Swift can be different in SQLite.
  private var exactStatements: [ExactText] {
    let all =
      tables.map(\.sql) + indexes.map(\.sql) + views.map(\.sql) + triggers.map(\.sql)
    return all.map { ExactText($0 ?? "") }
  }

  /// Returns whether both schemas describe the same database. Differences in white space, comments, letter case, quotes
  /// around names, and between column and table constraints are ignored.
  ///
  /// The order of a table's columns is compared, unless `ignoringColumnOrder` is `true`.
  ///
  /// - Complexity: Every statement is parsed.
  public func isEquivalent(to other: DatabaseSchema, ignoringColumnOrder: Bool = false) -> Bool {
    guard canonicalObjects == other.canonicalObjects, tables.count == other.tables.count else {
      return false
    }
    return tables.allSatisfy { table in
      guard let counterpart = other.table(table.name.name) else { return false }
      return table.isEquivalent(to: counterpart, ignoringColumnOrder: ignoringColumnOrder)
    }
  }

  /// Returns whether any object has this name.
  func hasObject(_ name: String) -> Bool {
    let names = tables.map(\.name.name) + indexes.map(\.name) + views.map(\.name)
    return names.contains { $0.isEqualIgnoringASCIICase(name) }
  }

  /// The canonical statements of all objects except tables, by kind and name.
  var canonicalObjects: [ExactText: ExactText] {
    var objects: [ExactText: ExactText] = [:]
    for sql in indexes.compactMap(\.sql) + views.map(\.sql) + triggers.map(\.sql) {
      guard let create = CreateStatement(sql) else { continue }
      objects[Self.key(create.kind, create.name)] = ExactText(create.canonical)
    }
    return objects
  }

  /// Returns an object's key in ``canonicalObjects``.
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
    guard let definition = TableDefinition(sql), let otherDefinition = TableDefinition(otherSQL)
    else {
      return false
    }
    return definition.isEquivalent(to: otherDefinition, ignoringColumnOrder: ignoringColumnOrder)
  }
}

extension TableDefinition {
  func isEquivalent(to other: TableDefinition, ignoringColumnOrder: Bool) -> Bool {
    func canonicalColumns(_ definition: TableDefinition) -> [ExactText] {
      let columns = definition.columns.map(\.canonical)
      return (ignoringColumnOrder ? columns.sorted() : columns).map(ExactText.init)
    }
    return canonicalColumns(self) == canonicalColumns(other) && options == other.options
      && canonicalConstraints.map(ExactText.init) == other.canonicalConstraints.map(ExactText.init)
  }
}

extension TableDefinition.Column {
  /// The canonical form of the column, without its constraints.
  var canonical: String {
    ([SQLName.canonical(name), type] + traits.sorted()).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

extension Connection {
  /// Reads a whole schema.
  ///
  /// - Throws: The errors of reading. A broken view is not an error.
  /// - Complexity: A constant number of statements; O(*n*) in the size of the schema.
  public func databaseSchema(in schema: String = "main") throws -> DatabaseSchema {
    let tables = try tables(in: schema).filter {
      $0.kind != .view && !$0.name.name.isEqualIgnoringASCIICase(Self.migrationTable)
    }
    return DatabaseSchema(
      tables: tables, views: try views(in: schema), triggers: try triggers(in: schema))
  }

  /// The table in which ``migrate(_:upTo:refusingChanged:progress:)`` records the applied migrations.
  static var migrationTable: String { "holt_migration" }
}
