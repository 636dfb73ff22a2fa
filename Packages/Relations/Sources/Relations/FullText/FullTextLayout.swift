internal import SQLiteCore

/// The database objects of a full-text index, determined from the schema of its tables.
struct FullTextLayout {
  /// A table or trigger.
  struct Object {
    let name: String
    /// The beginning of the statement, such as `CREATE TRIGGER`.
    let head: String
    /// The text after the name, which identifies the object: SQLite may store the text before it
    /// differently.
    let tail: String

    func sql(in schema: String) -> String {
      "\(head) \(SQLName.quoted(schema)).\(SQLName.quoted(name)) \(tail)"
    }
  }

  let index: FullTextIndex
  /// The column that holds the row identifier.
  let key: String
  private(set) var tables: [Object] = []
  private(set) var triggers: [Object] = []

  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` or
  ///   ``RelationError/Code/unstableRowID``.
  init(_ index: FullTextIndex, on connection: Connection) throws {
    self.index = index
    let table = try Self.table(index.table.name, of: index, on: connection)
    key = try Self.rowIDColumn(of: table)
    guard !index.indexedColumns.isEmpty else {
      throw RelationError(.schemaMismatch, "a full-text index needs a column", table: index.name)
    }
    switch index.content {
    case .columns:
      for column in index.columns {
        try Self.require(column.name, in: table)
      }
      addIndex(of: index.table.name, key: key)
      addHelper(index.replacedTable, columns: index.indexedColumns.count)
      triggers = FullTextTriggers(index, table: table, key: key).all
    case .computed(let columns, let sources):
      addHelper(index.textTable, names: index.columns.map(\.name))
      addHelper(index.staleTable, columns: 0)
      addIndex(of: index.textTable, key: FullTextIndex.helperKey)
      triggers = FullTextTriggers(index, textTable: index.textTable).all
      let own = FullTextIndex.Source(table.name.name, columns: columns, rowID: key)
      for (number, source) in ([own] + sources).enumerated() {
        let table = try Self.table(source.table, of: index, on: connection)
        for column in source.columns + [source.rowID] { try Self.require(column, in: table) }
        triggers += index.staleTriggers(number: number, source, table)
      }
    }
  }

  private mutating func addIndex(of content: String, key: String) {
    var arguments = index.columns.map { column in
      SQLName.quoted(column.name) + (column.isIndexed ? "" : " UNINDEXED")
    }
    arguments.append(index.tokenizer.sql)
    if !index.prefixLengths.isEmpty {
      let lengths = index.prefixLengths.map { "\($0)" }.joined(separator: " ")
      arguments.append("prefix = '\(lengths)'")
    }
    if index.detail != .full { arguments.append("detail = \(index.detail.rawValue)") }
    arguments.append("content = \(content.quotedAsText)")
    arguments.append("content_rowid = \(key.quotedAsText)")
    tables.append(
      Object(
        name: index.name, head: "CREATE VIRTUAL TABLE",
        tail: "USING fts5(\(arguments.joined(separator: ", ")))"))
  }

  private mutating func addHelper(_ name: String, columns count: Int) {
    addHelper(name, names: (0..<count).map { "c\($0)" })
  }

  private mutating func addHelper(_ name: String, names: [String]) {
    let columns = ["\(FullTextIndex.helperKey) INTEGER PRIMARY KEY"] + names.map(SQLName.quoted)
    tables.append(
      Object(name: name, head: "CREATE TABLE", tail: "(\(columns.joined(separator: ", ")))"))
  }

  private static func table(
    _ name: String, of index: FullTextIndex, on connection: Connection
  ) throws -> TableSchema {
    guard let table = try connection.table(name, in: index.table.schema), table.kind == .table
    else {
      throw RelationError(
        .schemaMismatch, "the table of full-text index \(index.name) does not exist", table: name)
    }
    return table
  }

  private static func require(_ column: String, in table: TableSchema) throws(RelationError) {
    if table.columns.contains(where: { SQLName.isSame($0.name, column) }) { return }
    throw RelationError(
      .schemaMismatch, "there is no such column", table: table.name.name, column: column)
  }

  /// Returns the column that holds the row identifier.
  private static func rowIDColumn(of table: TableSchema) throws(RelationError) -> String {
    let name = table.name.name
    if table.isWithoutRowID {
      throw RelationError(
        .unstableRowID, "a table WITHOUT ROWID can't have a full-text index", table: name)
    }
    guard let column = table.rowIDColumn else {
      throw RelationError(
        .unstableRowID,
        "a full-text index needs an INTEGER PRIMARY KEY: VACUUM may change other row identifiers",
        table: name)
    }
    return column
  }
}
