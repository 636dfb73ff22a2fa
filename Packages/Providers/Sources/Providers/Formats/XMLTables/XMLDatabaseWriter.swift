internal import Primitives
internal import SQLiteCore

/// Writes all of a database in Holt's own layout.
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
/// A value is what suits the column's declared type, and NULL is not there. Others are marked with what they are, by `t`:
/// `integer`, `real`, `text`, `blob`, which is in Base64, and `base64` for texts that XML can't hold. `rowid` is SQLite's
/// number of a row, where it is not that of the row before and one. `sequence` is the last key that AUTOINCREMENT gave.
/// `rebuilt` says that a search index looks its rows up in another table.
///
/// Who writes such a file by hand can leave `sql` out.
struct XMLDatabaseWriter: ~Copyable {
  private var writer: XMLEventWriter
  private let connection: Connection
  private let contents: MirrorContents
  private let names: Names

  private struct Names {
    let database, table, column, row, value, sql, schema: XMLWrittenName
    let version, userVersion, applicationID, name, primaryKey, type, nullable: XMLWrittenName
    let sequence, rebuilt, rowID, of, form: XMLWrittenName

    init() throws {
      database = try XMLWrittenName("database")
      table = try XMLWrittenName("table")
      column = try XMLWrittenName("column")
      row = try XMLWrittenName("row")
      value = try XMLWrittenName("v")
      sql = try XMLWrittenName("sql")
      schema = try XMLWrittenName("schema")
      version = try XMLWrittenName("version")
      userVersion = try XMLWrittenName("userVersion")
      applicationID = try XMLWrittenName("applicationID")
      name = try XMLWrittenName("name")
      primaryKey = try XMLWrittenName("primaryKey")
      type = try XMLWrittenName("type")
      nullable = try XMLWrittenName("nullable")
      sequence = try XMLWrittenName("sequence")
      rebuilt = try XMLWrittenName("rebuilt")
      rowID = try XMLWrittenName("rowid")
      of = try XMLWrittenName("c")
      form = try XMLWrittenName("t")
    }
  }

  init(_ connection: Connection, indentation: Int?, to output: ByteOutput) throws {
    // What throws comes first: a part of what can't be copied can't be given up.
    let names = try Names(), contents = try MirrorContents(connection)
    self.names = names
    self.contents = contents
    self.connection = connection
    writer = XMLEventWriter(indentation: indentation) { try output.write($0) }
  }

  consuming func write() throws {
    try writer.start(names.database)
    try writer.attribute(names.version, String(XMLDatabaseReader.version))
    if contents.userVersion != 0 {
      try writer.attribute(names.userVersion, String(contents.userVersion))
    }
    if contents.applicationID != 0 {
      try writer.attribute(names.applicationID, String(contents.applicationID))
    }
    for table in contents.tables {
      do {
        try write(table)
      } catch var error as ProviderError where error.table == nil {
        error.table = table.name
        throw error
      }
    }
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
    _ = try finish()
  }

  private consuming func finish() throws -> [UInt8] { try writer.finish() }

  // MARK: Tables

  private mutating func write(_ table: StoredTable) throws {
    let isRebuilt = try isRebuilt(table)
    try writer.start(names.table)
    try writer.attribute(names.name, table.name)
    let key = table.schema.primaryKey.map(\.name)
    if !key.isEmpty { try writer.attribute(names.primaryKey, key.joined(separator: ",")) }
    if let sequence = table.sequence { try writer.attribute(names.sequence, String(sequence)) }
    if isRebuilt { try writer.attribute(names.rebuilt, "true") }
    try writer.start(names.sql)
    try writer.text(table.sql)
    try writer.end()
    for column in table.columns {
      try writer.start(names.column)
      try writer.attribute(names.name, column.name)
      if !column.declaredType.isEmpty { try writer.attribute(names.type, column.declaredType) }
      if column.isNotNull { try writer.attribute(names.nullable, "false") }
      try writer.end()
    }
    if !isRebuilt { try writeRows(of: table) }
    try writer.end()
  }

  /// Whether a table has no rows of its own.
  private func isRebuilt(_ table: StoredTable) throws -> Bool {
    guard let module = table.schema.module else { return false }
    guard ["fts3", "fts4", "fts5", "rtree", "rtree_i32"].contains(module.name.lowercased()) else {
      throw ProviderError(
        .unrepresentable, "the rows of a virtual table of \(module.name) are its own")
    }
    let content = module.option("content")
    guard content != "" else {
      throw ProviderError(
        .unrepresentable, "a search index without its texts can't be made again")
    }
    return content != nil
  }

  private mutating func writeRows(of table: StoredTable) throws {
    let columns = table.columns
    let types = columns.map { XMLColumnType($0.declaredType) }
    let written = columns.map { Array($0.name.utf8) }
    let hasRowID = table.rowIDColumn == nil && table.rowIDName != nil
    var lastRowID: Int64 = 0
    var number = 0
    try table.forEachRow(of: connection, withRowID: hasRowID) { row in
      number += 1
      try writer.start(names.row)
      if hasRowID {
        let rowID = try row.integer(at: ColumnIndex(columns.count))
        if rowID != lastRowID &+ 1 || lastRowID == .max {
          try writer.attribute(names.rowID, String(rowID))
        }
        lastRowID = rowID
      }
      for index in columns.indices {
        do {
          try write(row, ColumnIndex(index), written[index], types[index])
        } catch let error as ProviderError where error.code == .unrepresentable {
          throw ProviderError(
            .unrepresentable, "\(error.message), in row \(number)", table: table.name,
            column: columns[index].name)
        }
      }
      try writer.end()
    }
  }

  private mutating func write(
    _ row: borrowing Row, _ index: ColumnIndex, _ name: [UInt8], _ type: XMLColumnType
  ) throws {
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
        if !XMLText.canHold(text) {
          try write(name, "base64", Base64.encoded(text).span)
        } else {
          try write(name, type.value(text) == .text ? nil : "text", text)
        }
      }
    case .blob:
      try row.withBlob(at: index) { bytes in
        try write(name, "blob", Base64.encoded(bytes).span)
      }
    }
  }

  private mutating func write(_ name: [UInt8], _ mark: String?, _ text: String) throws {
    try text.withUTF8Span { try write(name, mark, $0) }
  }

  private mutating func write(_ name: [UInt8], _ mark: String?, _ text: Span<UInt8>) throws {
    try writer.start(names.value)
    try writer.attribute(names.of, name.span)
    if let mark { try writer.attribute(names.form, mark) }
    try writer.text(text)
    try writer.end()
  }
}
