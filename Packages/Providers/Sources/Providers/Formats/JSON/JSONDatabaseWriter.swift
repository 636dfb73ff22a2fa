internal import Primitives
internal import SQLiteCore

/// Writes all of a database in Holt's own layout.
///
/// ```json
/// {"holt":{"version":1},"tables":[{"name":"gear","primaryKey":["id"],
///   "columns":[{"name":"id","type":"INTEGER"},{"name":"label","type":"TEXT","nullable":false}],
///   "sql":"CREATE TABLE gear (id INTEGER PRIMARY KEY, label TEXT NOT NULL)",
///   "rows":[{"id":1,"label":"spur"}]}],
///  "schema":["CREATE INDEX gear_label ON gear (label)"]}
/// ```
///
/// Values are what JSON says; beside those, a blob is `{"blob":"…"}` in Base64, and an infinity
/// `{"real":"Infinity"}`. Where the numbers of rows are not simply those from 1 on, and no column has them, `rowid` is the
/// name of the member that does. `sequence` is the last key that AUTOINCREMENT gave.
struct JSONDatabaseWriter {
  private let connection: Connection
  private let contents: MirrorContents
  private var writer: JSONEventWriter

  init(_ connection: Connection, to output: ByteOutput) throws {
    self.connection = connection
    contents = try MirrorContents(connection)
    writer = JSONEventWriter(.database, isSequence: false, write: output.write)
  }

  mutating func write() throws {
    try writer.beginObject()
    try writer.key("holt")
    try writer.beginObject()
    try write("version", 1)
    if contents.userVersion != 0 { try write("userVersion", Int64(contents.userVersion)) }
    if contents.applicationID != 0 { try write("applicationID", Int64(contents.applicationID)) }
    try writer.endObject()
    try writer.key("tables")
    try writer.beginArray()
    for table in contents.tables { try write(table) }
    try writer.endArray()
    if !contents.statements.isEmpty {
      try writer.key("schema")
      try writer.beginArray()
      for statement in contents.statements { try writer.string(statement) }
      try writer.endArray()
    }
    try writer.endObject()
    try writer.finish()
  }

  private mutating func write(_ key: String, _ value: Int64) throws {
    try writer.key(key)
    try writer.integer(value)
  }

  private mutating func write(_ key: String, _ value: String) throws {
    try writer.key(key)
    try writer.string(value)
  }

  // MARK: Tables

  private mutating func write(_ table: StoredTable) throws {
    try writer.beginObject()
    try write("name", table.name)
    if !table.schema.primaryKey.isEmpty {
      try writer.key("primaryKey")
      try writer.beginArray()
      for column in table.schema.primaryKey { try writer.string(column.name) }
      try writer.endArray()
    }
    try writer.key("columns")
    try writer.beginArray()
    for column in table.columns {
      try writer.beginObject()
      try write("name", column.name)
      if !column.declaredType.isEmpty { try write("type", column.declaredType) }
      if column.isNotNull {
        try writer.key("nullable")
        try writer.bool(false)
      }
      try writer.endObject()
    }
    try writer.endArray()
    try write("sql", table.sql)
    if let sequence = table.sequence { try write("sequence", sequence) }
    let rows = try TableRows(table, connection)
    if rows.isRebuilt {
      try writer.key("rebuilt")
      try writer.bool(true)
    } else {
      if let rowID = rows.rowIDName { try write("rowid", rowID) }
      try write(rows, of: table)
    }
    try writer.endObject()
  }

  private mutating func write(_ rows: TableRows, of table: StoredTable) throws {
    var keys = table.columns.map { Array($0.name.utf8) }
    if let rowID = rows.rowIDName { keys.append(Array(rowID.utf8)) }
    try writer.key("rows")
    try writer.beginArray()
    var number = 0
    try table.forEachRow(of: connection, withRowID: rows.rowIDName != nil) { row in
      number += 1
      try writer.beginObject()
      for (index, key) in keys.enumerated() {
        try writer.key(utf8: key.span)
        do {
          try writer.exactCell(row, at: ColumnIndex(index))
        } catch let error as JSONCellError {
          throw ProviderError(
            .unrepresentable, "\(error.message), in the row at place \(number)",
            table: table.name, column: row.columnNames[index])
        }
      }
      try writer.endObject()
    }
    try writer.endArray()
  }
}

/// How the rows of a table are written beside its columns.
private struct TableRows {
  /// What has the number of a row, where that must be written.
  let rowIDName: String?
  /// Whether there are no rows, since those of another table are looked up.
  let isRebuilt: Bool

  init(_ table: StoredTable, _ connection: Connection) throws {
    guard let module = table.schema.module else {
      isRebuilt = false
      rowIDName = try table.rowIDName.flatMap { try Self.needs($0, table, connection) ? $0 : nil }
      return
    }
    let name = SQLName.folded(module.name)
    guard ["fts3", "fts4", "fts5", "rtree", "rtree_i32"].contains(name) else {
      throw ProviderError(
        .unrepresentable, "the rows of a virtual table of \(module.name) are its own",
        table: table.name)
    }
    let content = module.option("content")
    guard content != "" else {
      throw ProviderError(
        .unrepresentable, "a search index without its texts can't be made again", table: table.name)
    }
    isRebuilt = content != nil
    rowIDName = name.hasPrefix("fts") ? table.rowIDName : nil
  }

  private static func needs(
    _ rowID: String, _ table: StoredTable, _ connection: Connection
  ) throws -> Bool {
    if table.rowIDColumn != nil { return false }
    var isPlain = true
    let name = SQLName.quoted(table.name)
    try connection.forEach(
      "SELECT count(*), min(\(unsafe: rowID)), max(\(unsafe: rowID)) FROM \(unsafe: name)"
    ) { row in
      let count = try row.integer(at: 0)
      guard count > 0 else { return }
      isPlain = try row.integer(at: 1) == 1 && row.integer(at: 2) == count
    }
    return !isPlain
  }
}

extension JSONEventWriter {
  /// Writes a value so that it is read as the same one, of the same class.
  fileprivate mutating func exactCell(_ row: borrowing Row, at column: ColumnIndex) throws {
    switch try row.storageClass(at: column) {
    case .real where !(try row.real(at: column).isFinite):
      try beginObject()
      try key("real")
      try string(try row.real(at: column) < 0 ? "-Infinity" : "Infinity")
      try endObject()
    case .blob:
      try beginObject()
      try key("blob")
      try row.withBlob(at: column) { (bytes: Span<UInt8>) in
        let text = Base64.encoded(bytes)
        try string(utf8: text.span)
      }
      try endObject()
    case .null, .integer, .real, .text: try cell(row, at: column, as: .plain)
    }
  }
}
