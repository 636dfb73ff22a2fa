internal import SQLiteCore

/// The content of a whole database, for layouts that represent all of it.
struct DatabaseContents {
  /// The tables, in the order of their creation, in which they can be created again.
  let tables: [StoredTable]
  /// The indexes, views and triggers, in the order of their creation.
  let otherObjects: [SchemaObject]
  /// The statements that create these objects.
  var statements: [String] { otherObjects.map(\.sql) }
  /// `PRAGMA user_version` and `PRAGMA application_id`.
  let userVersion: Int
  let applicationID: Int

  init(_ connection: Connection) throws {
    let schemas = try connection.allTables()
    let shadows = Set(schemas.filter { $0.kind == .shadow }.map(\.name))
    let isSequenced = try connection.value(
      Int.self, "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    var sequences: [TableName: Int64] = [:]
    if isSequenced != 0 {
      try connection.forEach("SELECT name, seq FROM sqlite_sequence") { row in
        sequences[TableName(try row.read(String.self, at: 0))] = try row.read(Int64.self, at: 1)
      }
    }
    let schemaObjects = try connection.fetchAll(
      SchemaObject.self,
      """
      SELECT type, name, sql, tbl_name FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """)
    var tables: [StoredTable] = []
    var otherObjects: [SchemaObject] = []
    for object in schemaObjects where !shadows.contains(TableName(object.name)) {
      guard object.type == "table" else {
        otherObjects.append(object)
        continue
      }
      guard let schema = schemas.first(where: { $0.name == TableName(object.name) }) else {
        continue
      }
      tables.append(
        StoredTable(schema: schema, sql: object.sql, sequence: sequences[schema.name]))
    }
    self.tables = tables
    self.otherObjects = otherObjects
    userVersion = try connection.pragma("user_version", as: Int.self) ?? 0
    applicationID = try connection.pragma("application_id", as: Int.self) ?? 0
  }

  /// The first of the two pragmas that is not 0, for layouts that can't represent it.
  var nonzeroPragma: (name: String, value: Int)? {
    [("user_version", userVersion), ("application_id", applicationID)].first { $0.1 != 0 }
  }

  /// A schema object.
  struct SchemaObject: RowDecodable {
    let type: String
    let name: String
    let sql: String
    /// The object's table; for a view, its own name.
    let table: String

    init(row: borrowing Row) throws(SQLiteError) {
      type = try row.read(at: 0)
      name = try row.read(at: 1)
      sql = try row.read(at: 2)
      table = try row.read(at: 3)
    }
  }
}

/// A table of a database.
struct StoredTable {
  let schema: TableSchema
  /// The statement that creates the table.
  let sql: String
  /// The last key that AUTOINCREMENT assigned; `nil` if there is none.
  let sequence: Int64?

  var name: String { schema.name.name }

  /// The stored columns, excluding generated and hidden ones.
  var columns: [TableSchema.Column] { schema.columns.filter { $0.kind == .stored } }

  /// The first generated column, for layouts that can't represent its expression.
  var generatedColumn: TableSchema.Column? {
    schema.columns.first { $0.kind == .virtualGenerated || $0.kind == .storedGenerated }
  }

  /// The rowid's column and name in the table's schema.
  var rowIDColumn: String? { schema.rowIDColumn }
  var rowIDName: String? { schema.rowIDName }

  /// Calls `body` with each row in rowid order: the stored columns, followed by the rowid if
  /// requested.
  func forEachRow(
    of connection: Connection, withRowID: Bool = false, _ body: (borrowing Row) throws -> Void
  ) throws {
    var columns = columns.map { SQLName.quoted($0.name) }
    if withRowID, let name = rowIDName { columns.append(name) }
    if columns.isEmpty { columns = ["NULL"] }
    let order = rowIDName.map { " ORDER BY \($0)" } ?? ""
    try connection.forEach(
      "SELECT \(unsafe: columns.joined(separator: ", ")) FROM \(identifier: name)\(unsafe: order)",
      body: body)
  }
}

extension TableSchema {
  /// Returns the constraints that a file can't express: all except its key and its parent
  /// reference.
  ///
  /// - Parameters:
  ///   - key: The key column of the file's rows; `nil` if there is none.
  ///   - parent: The column that refers to the parent row; `nil` if there is none.
  func constraints(besideKey key: String?, parent: String?) -> [Constraint] {
    constraints.filter { constraint in
      let column = constraint.columns.count == 1 ? constraint.columns[0] : nil
      switch constraint.kind {
      case .primaryKey: return false
      case .unique: return !(column.map { $0.isName(key) } ?? false)
      case .foreignKey: return !(column.map { $0.isName(parent) } ?? false)
      case .check: return true
      }
    }
  }
}

extension String {
  fileprivate func isName(_ name: String?) -> Bool {
    name.map { SQLName.isSame(self, $0) } ?? false
  }
}

extension [TableSchema.Column] {
  /// A name of the rowid that no column hides.
  var unusedRowIDName: String? {
    let taken = Set(map { FoldedName($0.name) })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains(FoldedName($0)) }
  }
}

/// A statement of a schema in a file, by the kind of object that it creates.
enum DDLStatement: Hashable {
  case table, virtualTable, index, view, trigger

  /// Returns `nil` for any other statement than `CREATE`. Only the first words are examined:
  /// leading comments do not occur in statements written by Holt.
  init?(_ sql: String) {
    var words = sql.utf8.split(
      maxSplits: 4, whereSeparator: { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    ).map { String(decoding: $0, as: UTF8.self).uppercased() }[...]
    guard words.popFirst() == "CREATE" else { return nil }
    if let word = words.first, ["TEMP", "TEMPORARY"].contains(word) { return nil }
    switch words.first {
    case "TABLE": self = .table
    case "VIRTUAL" where words.dropFirst().first == "TABLE": self = .virtualTable
    case "INDEX": self = .index
    case "UNIQUE" where words.dropFirst().first == "INDEX": self = .index
    case "VIEW": self = .view
    case "TRIGGER": self = .trigger
    default: return nil
    }
  }
}

extension Connection {
  /// Runs a single `CREATE` statement.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/forbidden`` for any other statement;
  ///   `SQLiteError` if the statement fails.
  @discardableResult
  func runDDL(_ sql: String) throws -> DDLStatement {
    guard let statement = DDLStatement(sql) else {
      throw ProviderError(
        .forbidden, "expected a statement that creates a table, an index, a view or a trigger")
    }
    // `prepare` refuses a second statement.
    try withStatement(SQL(unsafe: sql)) { try $0.run() }
    return statement
  }
}
