internal import SQLiteCore

/// All that a private database holds, for layouts that write all of it.
struct MirrorContents {
  /// The tables, in an order in which they can be made again: that in which they were made.
  let tables: [StoredTable]
  /// The indexes, views and triggers, in the order in which they were made.
  let others: [Made]
  /// The statements that make these.
  var statements: [String] { others.map(\.sql) }
  /// `PRAGMA user_version` and `PRAGMA application_id`.
  let userVersion: Int
  let applicationID: Int

  init(_ connection: Connection) throws {
    let schemas = try connection.allTables()
    let shadows = Set(schemas.filter { $0.kind == .shadow }.map(\.name))
    let isSequenced = try connection.value(
      Int.self, "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    let sequences =
      isSequenced == 0
      ? [:]
      : Dictionary(
        try connection.fetchAll(Sequence.self, "SELECT name, seq FROM sqlite_sequence").map {
          (TableName($0.name), $0.last)
        }, uniquingKeysWith: { $1 })
    let made = try connection.fetchAll(
      Made.self,
      """
      SELECT type, name, sql, tbl_name FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """)
    var tables: [StoredTable] = []
    var others: [Made] = []
    for object in made where !shadows.contains(TableName(object.name)) {
      guard object.type == "table" else {
        others.append(object)
        continue
      }
      guard let schema = schemas.first(where: { $0.name == TableName(object.name) }) else {
        continue
      }
      tables.append(
        StoredTable(schema: schema, sql: object.sql, sequence: sequences[schema.name]))
    }
    self.tables = tables
    self.others = others
    userVersion = try connection.pragma("user_version", as: Int.self) ?? 0
    applicationID = try connection.pragma("application_id", as: Int.self) ?? 0
  }

  /// The first of the two numbers that is not 0, for layouts that have no place for it.
  var setNumber: (name: String, value: Int)? {
    [("user_version", userVersion), ("application_id", applicationID)].first { $0.1 != 0 }
  }

  /// A part of the schema.
  struct Made: RowDecodable {
    let type: String
    let name: String
    let sql: String
    /// The table that it belongs to; of a view itself.
    let table: String

    init(row: borrowing Row) throws(SQLiteError) {
      type = try row.read(at: 0)
      name = try row.read(at: 1)
      sql = try row.read(at: 2)
      table = try row.read(at: 3)
    }
  }

  private struct Sequence: RowDecodable {
    let name: String
    let last: Int64
    init(row: borrowing Row) throws(SQLiteError) {
      name = try row.read(at: 0)
      last = try row.read(at: 1)
    }
  }
}

/// A table of a private database.
struct StoredTable {
  let schema: TableSchema
  /// The statement that makes it.
  let sql: String
  /// The last key that AUTOINCREMENT gave; `nil` where it gave none.
  let sequence: Int64?

  var name: String { schema.name.name }

  /// The columns that values are stored in: all but those that are generated, and hidden ones.
  var columns: [TableSchema.Column] { schema.columns.filter { $0.kind == .stored } }

  /// The first column that is computed, for layouts that have no place for what it is computed from.
  var computedColumn: TableSchema.Column? {
    schema.columns.first { $0.kind == .virtualGenerated || $0.kind == .storedGenerated }
  }

  /// As those of its schema.
  var rowIDColumn: String? { schema.rowIDColumn }
  var rowIDName: String? { schema.rowIDName }

  /// Hands each row to `body`, in the order of SQLite's numbers: the stored columns, and that number behind them
  /// where it is asked for.
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
  /// What it demands of rows beside what a file says by itself: which rows belong to which, and what tells them apart.
  ///
  /// - Parameters:
  ///   - key: The column that is the key of the file's rows; `nil` where there is none.
  ///   - parent: The column that says to which row of another table a row belongs; `nil` where there is none.
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

  /// A name of SQLite's number of a row that no column has; `nil` where all are taken, or the table has none.
  var rowIDName: String? {
    guard !isWithoutRowID, kind == .table || kind == .virtual else { return nil }
    return columns.freeRowIDName
  }
}

extension String {
  fileprivate func isName(_ name: String?) -> Bool {
    name.map { SQLName.isSame(self, $0) } ?? false
  }
}

extension [TableSchema.Column] {
  /// A name of SQLite's number of a row that none of these has.
  var freeRowIDName: String? {
    let taken = Set(map { FoldedName($0.name) })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains(FoldedName($0)) }
  }
}

/// Statements of a schema that a file holds.
enum MirrorSchema {
  /// What a statement makes.
  enum Kind: Hashable { case table, virtualTable, index, view, trigger }

  /// Runs a statement, if it makes a part of the schema and is the only one.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/forbidden`` for anything else; `SQLiteError` where it fails.
  @discardableResult
  static func run(_ sql: String, on connection: Connection) throws -> Kind {
    guard let kind = kind(of: sql) else {
      throw ProviderError(
        .forbidden, "a schema has statements that make tables, indexes, views and triggers")
    }
    // `prepare` refuses a second statement.
    try connection.withStatement(SQL(unsafe: sql)) { try $0.run() }
    return kind
  }

  /// What a statement makes by its first words; `nil` for what else it does. Comments before them are none of ours.
  static func kind(of sql: String) -> Kind? {
    var words = sql.utf8.split(
      maxSplits: 4, whereSeparator: { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    ).map { String(decoding: $0, as: UTF8.self).uppercased() }[...]
    guard words.popFirst() == "CREATE" else { return nil }
    if let word = words.first, ["TEMP", "TEMPORARY"].contains(word) { return nil }
    switch words.first {
    case "TABLE": return .table
    case "VIRTUAL" where words.dropFirst().first == "TABLE": return .virtualTable
    case "INDEX": return .index
    case "UNIQUE" where words.dropFirst().first == "INDEX": return .index
    case "VIEW": return .view
    case "TRIGGER": return .trigger
    default: return nil
    }
  }
}
