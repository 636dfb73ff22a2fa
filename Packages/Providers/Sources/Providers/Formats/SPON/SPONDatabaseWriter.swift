internal import SPON
internal import SQLiteCore

/// Writes a database in the original's format. Additional information is in pairs that the original
/// ignores:
///
/// - in the root object, `userVersion!`, `applicationID!`, and `schema` with the statements of
///   indexes, views and triggers as strings;
/// - in a table's schema, `sql$`, `sequence!` for `AUTOINCREMENT`, `rebuilt?` for an external
///   content full-text index, and `rowids` if rowids are not numbered from 1: the first number and
///   the count of each run of consecutive rowids.
///
/// The file always uses version 2 of SPON, in which unbalanced brackets in strings can be escaped:
/// the original also counts brackets in strings, and would lose the enclosing tables.
struct SPONDatabaseWriter: DatabaseDocument {
  private let connection: Connection
  private let layout: SPONDatabaseLayout
  private var writer: SPONTextOutput
  /// The columns of the current table.
  private var columns: [(key: String, type: SPONColumnType, nests: Bool, isDecimal: Bool)] = []

  init(_ connection: Connection, _ layout: SPONDatabaseLayout, _ output: SourceSession.ByteOutput) {
    self.connection = connection
    self.layout = layout
    writer = SPONTextOutput(
      SPONStreamWriter(version: .two, formatting: .balancedBrackets), output)
  }

  mutating func begin(_ contents: DatabaseContents) throws {
    let names = contents.tables.map(\.name)
    try writer.beginObject("DataStore")
    try writer.pair(
      "tableLastInsertedInto",
      .string(names.contains(layout.lastInsertedInto) ? layout.lastInsertedInto : ""))
    try writer.pair("tableRowsLastModified", .integer(0))
    if contents.userVersion != 0 {
      try writer.pair("userVersion", .integer(Int64(contents.userVersion)))
    }
    if contents.applicationID != 0 {
      try writer.pair("applicationID", .integer(Int64(contents.applicationID)))
    }
    if !contents.statements.isEmpty {
      // An object, because the original can't parse strings in arrays.
      var statements = SPONObject()
      for (index, sql) in contents.statements.enumerated() {
        statements["s\(index + 1)"] = .string(sql)
      }
      try writer.pair("schema", .object(statements))
    }
    try writer.key("tables")
    try writer.beginArray()
  }

  mutating func end(_ contents: DatabaseContents) throws {
    try writer.end()
    try writer.end()
    try writer.finish()
  }

  // MARK: Tables

  mutating func begin(_ table: WrittenTable) throws {
    let known = layout.tables[ExactText(table.name)]
      .flatMap { $0.sql == table.stored.sql ? $0 : nil }
    try writer.beginObject("Table")
    var schema = SPONObject(typeName: "TableSchema")
    schema["name"] = .string(table.name)
    var descriptions: [SPONValue] = []
    columns = []
    for (index, column) in table.columns.enumerated() {
      let description = known?.columns[ExactText(column.name)] ?? Self.describe(column, index)
      descriptions.append(.object(description))
      let type = description["type"]?.string.flatMap { SPONColumnType(rawValue: $0) } ?? .none
      columns.append(
        (
          column.name, type, known?.nested.contains(column.name) ?? false,
          TableCollector.ColumnType.isDecimal(column.declaredType)
        ))
    }
    schema["columns"] = .array(descriptions)
    schema["sql"] = .string(table.stored.sql)
    if let sequence = table.stored.sequence { schema["sequence"] = .integer(sequence) }
    if table.isRebuilt { schema["rebuilt"] = .bool(true) }
    if let runs = try rowIDs(of: table) { schema["rowids"] = .array(runs) }
    try writer.pair("schema", .object(schema))
    try writer.key("rows")
    try writer.beginArray()
  }

  mutating func endTable() throws {
    try writer.end()
    try writer.end()
  }

  /// Returns the original's description of a column.
  private static func describe(
    _ column: TableSchema.Column, _ index: Int
  ) -> SPONObject {
    let isKey = column.primaryKeyPosition != nil
    return SPONObject(
      typeName: "ColumnSchema",
      [
        "id": .integer(Int64(index)), "name": .string(column.name),
        "type": .string(SPONColumnType(declared: column.declaredType).rawValue),
        "allowsNull": .bool(!column.isNotNull && !isKey), "isPrimaryKey": .bool(isKey),
        "isKeyUnique": .bool(true), "autoIncrement": .bool(column.isAutoincrement),
      ])
  }

  /// Returns the runs of consecutive rowids; `nil` if they are numbered from 1, or not accessible.
  private func rowIDs(of table: WrittenTable) throws -> [SPONValue]? {
    guard let rowID = table.rowIDName, !table.isRebuilt else { return nil }
    var runs: [(first: Int64, count: Int64)] = []
    let name = SQLName.quoted(table.name)
    try connection.forEach(
      "SELECT \(unsafe: rowID) FROM main.\(unsafe: name) ORDER BY \(unsafe: rowID)"
    ) { row in
      let number = try row.integer(at: 0)
      if let last = runs.last, last.first &+ last.count == number {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((number, 1))
      }
    }
    if runs.isEmpty || runs.count == 1 && runs[0].first == 1 { return nil }
    return runs.flatMap { [.integer($0.first), .integer($0.count)] }
  }

  // MARK: Rows

  /// The rowids are in the table's schema.
  mutating func beginRow(rowID: Int64?) throws { try writer.beginObject("") }

  mutating func write(_ row: borrowing Row, column: Int) throws {
    let (key, type, nests, isDecimal) = columns[column]
    var value = type.written(try row.value(at: ColumnIndex(column)), nests: nests)
    if isDecimal, case .string(let text)? = value, let number = SPONDecimal(number: text) {
      value = .decimal(number)
    }
    if let value { try writer.pair(key, value) }
  }

  mutating func endRow() throws { try writer.end() }
}

/// A writer that outputs its text in pieces.
struct SPONTextOutput {
  private var writer: SPONStreamWriter
  private let output: SourceSession.ByteOutput?

  /// - Parameter output: The destination of the text; `nil` to only check that it can be written.
  init(_ writer: SPONStreamWriter, _ output: SourceSession.ByteOutput?) {
    self.writer = writer
    self.output = output
  }

  mutating func beginObject(_ typeName: String) throws {
    try writer.beginObject(typeName: typeName)
  }

  mutating func beginArray() throws { try writer.beginArray() }

  mutating func key(_ key: String) throws { try writer.key(key) }

  mutating func pair(_ key: String, _ value: SPONValue) throws {
    try writer.key(key)
    try writer.write(value)
  }

  mutating func write(_ value: SPONValue) throws {
    try writer.write(value)
    try flushIfFull()
  }

  mutating func end() throws {
    try writer.end()
    try flushIfFull()
  }

  mutating func finish() throws {
    try writer.finish()
    try output?.write(writer.take())
  }

  private mutating func flushIfFull() throws {
    guard writer.pendingCount > 1 << 16 else { return }
    let bytes = writer.take()
    try output?.write(bytes)
  }
}
