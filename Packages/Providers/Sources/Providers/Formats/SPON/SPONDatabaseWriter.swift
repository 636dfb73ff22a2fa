internal import SPON
internal import SQLiteCore

/// Writes a database as the original does, with what its files lack in pairs that it passes over:
///
/// - at the root, `userVersion!`, `applicationID!`, and `schema` with the statements of indexes, views and triggers as texts;
/// - in a table's schema, `sql$`, `sequence!` of `AUTOINCREMENT`, and `rowids`, where these do not count from 1: the
///   first number and the count of each run of them.
///
/// The file is always of version 2 of SPON, so that texts with brackets that are not balanced can be escaped: the
/// original counts brackets in texts too, and loses the tables around.
struct SPONDatabaseWriter {
  private let connection: Connection
  private let contents: MirrorContents
  private let layout: SPONDatabaseLayout
  private var writer: SPONTextOutput

  init(_ connection: Connection, _ layout: SPONDatabaseLayout, _ output: ByteOutput) throws {
    self.connection = connection
    contents = try MirrorContents(connection)
    self.layout = layout
    writer = SPONTextOutput(
      SPONStreamWriter(version: .two, formatting: .balancedBrackets), output)
  }

  mutating func write() throws {
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
      // An object, since the original does not know texts in arrays from what is around them.
      var statements = SPONObject()
      for (index, sql) in contents.statements.enumerated() {
        statements["s\(index + 1)"] = .string(sql)
      }
      try writer.pair("schema", .object(statements))
    }
    try writer.key("tables")
    try writer.beginArray()
    for table in contents.tables { try write(table) }
    try writer.end()
    try writer.end()
    try writer.finish()
  }

  private mutating func write(_ table: StoredTable) throws {
    let name = table.name
    let known = layout.tables[ExactText(name)].flatMap { $0.sql == table.sql ? $0 : nil }
    try writer.beginObject("Table")
    var schema = SPONObject(typeName: "TableSchema")
    schema["name"] = .string(name)
    var columns: [SPONValue] = []
    var forms: [(key: String, type: SPONColumnType, nests: Bool)] = []
    for (index, column) in table.columns.enumerated() {
      let description =
        known?.columns[ExactText(column.name)] ?? Self.describe(column, index, of: table)
      columns.append(.object(description))
      let type = description["type"]?.string.flatMap { SPONColumnType(rawValue: $0) } ?? .none
      forms.append((column.name, type, known?.nested.contains(column.name) ?? false))
    }
    schema["columns"] = .array(columns)
    schema["sql"] = .string(table.sql)
    if let sequence = table.sequence { schema["sequence"] = .integer(sequence) }
    if let runs = try rowIDs(of: table) { schema["rowids"] = .array(runs) }
    try writer.pair("schema", .object(schema))
    try writer.key("rows")
    try writer.beginArray()
    var number = 0
    try table.forEachRow(of: connection) { row in
      number += 1
      try writer.beginObject("")
      for (index, form) in forms.enumerated() {
        let value = try row.spon(
          at: index, form.type, nests: form.nests, table: name, form.key, number)
        if let value { try writer.pair(form.key, value) }
      }
      try writer.end()
    }
    try writer.end()
    try writer.end()
  }

  /// A column as the original describes it.
  private static func describe(
    _ column: ColumnSchema, _ index: Int, of table: StoredTable
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

  /// The runs of the rows' numbers; `nil` where they count from 1, or can't be told.
  private func rowIDs(of table: StoredTable) throws -> [SPONValue]? {
    guard table.rowIDColumn == nil, let rowID = table.rowIDName else { return nil }
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
}

extension Row {
  /// A value as it is written; `nil` for `NULL`.
  func spon(
    at index: Int, _ type: SPONColumnType, nests: Bool, table: String, _ column: String,
    _ number: Int
  ) throws -> SPONValue? {
    do {
      return type.written(try value(at: ColumnIndex(rawValue: index)), nests: nests)
    } catch {
      guard error.code == .invalidText else { throw error }
      throw ProviderError(
        .unrepresentable, "the text of row \(number) is not UTF-8", table: table, column: column)
    }
  }
}

/// A writer that hands on what it has by the piece.
struct SPONTextOutput {
  private var writer: SPONStreamWriter
  private let output: ByteOutput?

  /// - Parameter output: Where the text goes; `nil` where it is only seen whether it can be written.
  init(_ writer: SPONStreamWriter, _ output: ByteOutput?) {
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
    try spill()
  }

  mutating func end() throws {
    try writer.end()
    try spill()
  }

  mutating func finish() throws {
    try writer.finish()
    try output?.write(writer.take())
  }

  private mutating func spill() throws {
    guard writer.pendingCount > 1 << 16 else { return }
    let bytes = writer.take()
    try output?.write(bytes)
  }
}
