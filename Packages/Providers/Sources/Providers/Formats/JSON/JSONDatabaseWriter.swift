internal import Primitives
internal import SQLiteCore

/// Writes a whole database in Holt's document layout.
///
/// ```json
/// {"holt":{"version":1},"tables":[{"name":"gear","primaryKey":["id"],
///   "columns":[{"name":"id","type":"INTEGER"},{"name":"label","type":"TEXT","nullable":false}],
///   "sql":"CREATE TABLE gear (id INTEGER PRIMARY KEY, label TEXT NOT NULL)",
///   "rows":[{"id":1,"label":"spur"}]}],
///  "schema":["CREATE INDEX gear_label ON gear (label)"]}
/// ```
///
/// Values are JSON values, except that a blob is `{"blob":"…"}` in Base64, and an infinity is
/// `{"real":"Infinity"}`. Texts in decimal columns are numbers if possible. If rowids are not simply numbered from 1 and no column is an alias of the
/// rowid, `rowid` names the member that contains the rowid. `sequence` is the last key that
/// AUTOINCREMENT assigned.
struct JSONDatabaseWriter: DatabaseDocument {
  private var writer: JSONProvider.EventWriter
  /// The keys of the current table's columns.
  private var keys: [[UInt8]] = []
  private var types: [ValueType] = []
  private var rowIDKey: String?
  private var hasRows = false
  private var rowID: Int64?

  init(to output: SourceSession.ByteOutput) {
    writer = JSONProvider.EventWriter(.database, write: output.write)
  }

  mutating func begin(_ contents: DatabaseContents) throws {
    try writer.beginObject()
    try writer.key("holt")
    try writer.beginObject()
    try write("version", DatabaseBuilder.version)
    if contents.userVersion != 0 { try write("userVersion", Int64(contents.userVersion)) }
    if contents.applicationID != 0 { try write("applicationID", Int64(contents.applicationID)) }
    try writer.endObject()
    try writer.key("tables")
    try writer.beginArray()
  }

  mutating func end(_ contents: DatabaseContents) throws {
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

  mutating func begin(_ table: WrittenTable) throws {
    try writer.beginObject()
    try write("name", table.name)
    let primaryKey = table.stored.schema.primaryKey
    if !primaryKey.isEmpty {
      try writer.key("primaryKey")
      try writer.beginArray()
      for column in primaryKey { try writer.string(column.name) }
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
    try write("sql", table.stored.sql)
    if let sequence = table.stored.sequence { try write("sequence", sequence) }
    hasRows = !table.isRebuilt
    guard hasRows else {
      try writer.key("rebuilt")
      return try writer.bool(true)
    }
    rowIDKey = table.rowIDName
    if let rowIDKey { try write("rowid", rowIDKey) }
    keys = table.columns.map { Array($0.name.utf8) }
    types = table.columns.map {
      TableCollector.ColumnType.isDecimal($0.declaredType) ? .decimal : .stored
    }
    try writer.key("rows")
    try writer.beginArray()
  }

  mutating func endTable() throws {
    if hasRows { try writer.endArray() }
    try writer.endObject()
  }

  // MARK: Rows

  mutating func beginRow(rowID: Int64?) throws {
    self.rowID = rowID
    try writer.beginObject()
  }

  mutating func endRow() throws {
    if let rowID, let rowIDKey { try write(rowIDKey, rowID) }
    try writer.endObject()
  }

  /// Writes a value so that it is read back with the same storage class.
  mutating func write(_ row: borrowing Row, column: Int) throws {
    let key = keys[column]
    try writer.key(utf8: key.elementSpan)
    let index = ColumnIndex(column)
    switch try row.storageClass(at: index) {
    case .real where !(try row.real(at: index).isFinite):
      try writer.beginObject()
      try write("real", try row.real(at: index) < 0 ? "-Infinity" : "Infinity")
      try writer.endObject()
    case .blob:
      try writer.beginObject()
      try writer.key("blob")
      try row.withBlob(at: index) { (bytes: Span<UInt8>) in
        let text = Base64.encoded(bytes)
        try writer.string(utf8: text.elementSpan)
      }
      try writer.endObject()
    case .null, .integer, .real, .text:
      try writer.write(row, at: index, as: types[column], .standard)
    }
  }
}
