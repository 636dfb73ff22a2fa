internal import Primitives
internal import SQLiteCore

/// Writes a whole database in Holt's document layout.
///
/// ```xml
/// <database version="1">
///   <table name="gear" primaryKey="id">
///     <sql>CREATE TABLE gear (id INTEGER PRIMARY KEY, label TEXT NOT NULL)</sql>
///     <column name="id" type="INTEGER"/>
///     <column name="label" type="TEXT" nullable="false"/>
///     <row><v c="id">1</v><v c="label">spur</v></row>
///   </table>
///   <schema><sql>CREATE INDEX gear_label ON gear (label)</sql></schema>
/// </database>
/// ```
///
/// A value has the type that fits the column's declared type, and NULL is omitted. Other values
/// have the attribute `t`: `integer`, `real`, `text`, `blob` for Base64, and `base64` for text that
/// XML can't represent. `rowid` is the rowid, if it is not the successor of the previous row's.
/// `sequence` is the last key that AUTOINCREMENT assigned. `rebuilt` marks an external content
/// full-text index.
///
/// In a file written by hand, `sql` can be omitted.
struct XMLDatabaseWriter: DatabaseDocument, ~Copyable {
  private var writer: XMLEventWriter
  private let names: XMLDatabaseNames<XMLEventWriter.Name>
  /// The columns of the current table.
  private var columns: [(name: [UInt8], type: XMLColumnType)] = []
  private var lastRowID: Int64 = 0

  init(indentation: Int?, to output: SourceSession.ByteOutput) throws {
    names = try XMLDatabaseNames { text throws(ProviderError) in try XMLEventWriter.Name(text) }
    writer = XMLEventWriter(indentation: indentation) { try output.write($0) }
  }

  mutating func begin(_ contents: DatabaseContents) throws {
    try writer.start(names.database)
    try writer.attribute(names.version, String(DatabaseBuilder.version))
    if contents.userVersion != 0 {
      try writer.attribute(names.userVersion, String(contents.userVersion))
    }
    if contents.applicationID != 0 {
      try writer.attribute(names.applicationID, String(contents.applicationID))
    }
  }

  mutating func end(_ contents: DatabaseContents) throws {
    if !contents.statements.isEmpty {
      try writer.start(names.schema)
      for statement in contents.statements {
        try writer.start(names.sql)
        try writer.text(statement)
        try writer.end()
      }
      try writer.end()
    }
    try writer.end()
  }

  /// Writes the rest of the document.
  consuming func finish() throws { _ = try writer.finish() }

  // MARK: Tables

  mutating func begin(_ table: WrittenTable) throws {
    try writer.start(names.table)
    try writer.attribute(names.name, table.name)
    let key = table.stored.schema.primaryKey.map(\.name)
    if !key.isEmpty { try writer.attribute(names.primaryKey, key.joined(separator: ",")) }
    if let sequence = table.stored.sequence {
      try writer.attribute(names.sequence, String(sequence))
    }
    if table.isRebuilt { try writer.attribute(names.rebuilt, "true") }
    try writer.start(names.sql)
    try writer.text(table.stored.sql)
    try writer.end()
    for column in table.columns {
      try writer.start(names.column)
      try writer.attribute(names.name, column.name)
      if !column.declaredType.isEmpty { try writer.attribute(names.type, column.declaredType) }
      if column.isNotNull { try writer.attribute(names.nullable, "false") }
      try writer.end()
    }
    columns = table.columns.map { (Array($0.name.utf8), XMLColumnType($0.declaredType)) }
    lastRowID = 0
  }

  mutating func endTable() throws { try writer.end() }

  // MARK: Rows

  mutating func beginRow(rowID: Int64?) throws {
    try writer.start(names.row)
    guard let rowID else { return }
    if rowID != lastRowID &+ 1 || lastRowID == .max {
      try writer.attribute(names.rowID, String(rowID))
    }
    lastRowID = rowID
  }

  mutating func endRow() throws { try writer.end() }

  mutating func write(_ row: borrowing Row, column: Int) throws {
    let index = ColumnIndex(column)
    let (name, type) = columns[column]
    switch try row.storageClass(at: index) {
    case .null: return
    case .integer:
      let value = try row.integer(at: index)
      let isPlain = type == .integer || type == .number || type == .boolean
      try write(name, isPlain ? nil : "integer", value.description)
    case .real:
      let value = try row.real(at: index)
      let isPlain = value.isFinite && type != .any && type != .text
      let text =
        value.isFinite ? value.description : value < 0 ? "-Infinity" : "Infinity"
      try write(name, isPlain ? nil : "real", text)
    case .text:
      try row.withText(at: index) { text in
        if !XMLEventReader.Text.canHold(text) {
          try write(name, "base64", Base64.encoded(text).elementSpan)
        } else {
          try write(name, type.number(text) == nil ? nil : "text", text)
        }
      }
    case .blob:
      try row.withBlob(at: index) { bytes in
        try write(name, "blob", Base64.encoded(bytes).elementSpan)
      }
    }
  }

  private mutating func write(_ name: [UInt8], _ valueType: String?, _ text: String) throws {
    try text.withUTF8Span { try write(name, valueType, $0) }
  }

  private mutating func write(_ name: [UInt8], _ valueType: String?, _ text: Span<UInt8>) throws {
    try writer.start(names.value)
    try writer.attribute(names.valueColumn, name.elementSpan)
    if let valueType { try writer.attribute(names.valueType, valueType) }
    try writer.text(text)
    try writer.end()
  }
}

/// The names of elements and attributes in Holt's document layout.
struct XMLDatabaseNames<Name> {
  let database, table, column, row, value, sql, schema: Name
  let version, userVersion, applicationID, name, primaryKey, type, nullable: Name
  let sequence, rebuilt, rowID, valueColumn, valueType: Name

  init<Failure: Error>(_ name: (String) throws(Failure) -> Name) throws(Failure) {
    database = try name("database")
    table = try name("table")
    column = try name("column")
    row = try name("row")
    value = try name("v")
    sql = try name("sql")
    schema = try name("schema")
    version = try name("version")
    userVersion = try name("userVersion")
    applicationID = try name("applicationID")
    self.name = try name("name")
    primaryKey = try name("primaryKey")
    type = try name("type")
    nullable = try name("nullable")
    sequence = try name("sequence")
    rebuilt = try name("rebuilt")
    rowID = try name("rowid")
    valueColumn = try name("c")
    valueType = try name("t")
  }
}
