internal import Primitives
internal import SQLiteCore

/// Reads a document in Holt's own layout: see ``XMLDatabaseWriter``.
struct XMLDatabaseReader: ~Copyable {
  private var reader: XMLEventReader
  private let connection: Connection
  private let names: Names
  /// Statements that are run when all rows are there.
  private var statements: [(sql: String, position: SourcePosition)] = []
  private var sequences: [(table: String, last: Int64)] = []
  private var rebuilt: [String] = []

  /// The version that is read.
  static let version = 1

  private struct Names {
    let database, table, column, row, value, sql, schema: XMLName
    let version, userVersion, applicationID, name, primaryKey, type, nullable: XMLName
    let sequence, rebuilt, rowID, of, form: XMLName

    init(_ reader: borrowing XMLEventReader) {
      database = reader.intern("database")
      table = reader.intern("table")
      column = reader.intern("column")
      row = reader.intern("row")
      value = reader.intern("v")
      sql = reader.intern("sql")
      schema = reader.intern("schema")
      version = reader.intern("version")
      userVersion = reader.intern("userVersion")
      applicationID = reader.intern("applicationID")
      name = reader.intern("name")
      primaryKey = reader.intern("primaryKey")
      type = reader.intern("type")
      nullable = reader.intern("nullable")
      sequence = reader.intern("sequence")
      rebuilt = reader.intern("rebuilt")
      rowID = reader.intern("rowid")
      of = reader.intern("c")
      form = reader.intern("t")
    }
  }

  init(_ reader: consuming XMLEventReader, into connection: Connection) {
    names = Names(reader)
    self.reader = reader
    self.connection = connection
  }

  mutating func read() throws {
    guard case .startElement(let root) = try reader.next(), root == names.database else {
      throw malformed("Holt's own layout begins with <database>")
    }
    guard let text = reader.attribute(names.version), let version = Int(text), version > 0 else {
      throw malformed("the version of Holt's own layout is missing")
    }
    guard version == Self.version else {
      throw malformed(
        "the file is in version \(version) of Holt's own layout, and version \(Self.version) is read"
      )
    }
    let userVersion = try integer(names.userVersion)
    let applicationID = try integer(names.applicationID)
    while let name = try nextChild() {
      switch name {
      case names.table: try readTable()
      case names.schema:
        while let child = try nextChild() {
          guard child == names.sql else { throw unknown(child) }
          let place = reader.position
          statements.append((try readText(), place))
        }
      default: throw unknown(name)
      }
    }
    // To the end of the document: something might be wrong there.
    while try reader.next() != nil {}
    for (sql, position) in statements { try run(sql, at: position) }
    for table in rebuilt {
      try connection.execute(
        "INSERT INTO \(identifier: table)(\(identifier: table)) VALUES ('rebuild')")
    }
    for (table, last) in sequences {
      try connection.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
      try connection.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, last)
    }
    if let userVersion {
      try connection.execute("PRAGMA user_version = \(unsafe: "\(userVersion)")")
    }
    if let applicationID {
      try connection.execute("PRAGMA application_id = \(unsafe: "\(applicationID)")")
    }
  }

  // MARK: The document

  private mutating func malformed(_ message: String, table: String? = nil) -> ProviderError {
    ProviderError(.malformed, message, position: reader.position, table: table)
  }

  private mutating func unknown(_ name: XMLName) -> ProviderError {
    malformed("<\(reader.qualifiedName(of: name))> is no part of Holt's own layout here")
  }

  /// Goes to the next element in this one; `nil` at its end.
  private mutating func nextChild() throws -> XMLName? {
    while let event = try reader.next() {
      switch event {
      case .startElement(let name): return name
      case .endElement: return nil
      case .text:
        if !reader.isWhitespace { throw malformed("a text is no part of Holt's own layout here") }
      case .comment, .processingInstruction: break
      }
    }
    return nil
  }

  /// Goes to the end of an element that has a text alone.
  private mutating func readText() throws -> String {
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .startElement(let name): throw unknown(name)
      case .endElement: return text
      case .text: text = reader.text
      case .comment, .processingInstruction: break
      }
    }
    return text
  }

  private mutating func integer(_ name: XMLName) throws -> Int64? {
    guard let text = reader.attribute(name) else { return nil }
    guard let value = Int64(text) else {
      throw malformed("the attribute \(reader.localName(of: name)) is no integer")
    }
    return value
  }

  @discardableResult
  private mutating func run(
    _ sql: String, at position: SourcePosition, table: String? = nil
  ) throws -> MirrorSchema.Kind {
    do {
      return try MirrorSchema.run(sql, on: connection)
    } catch var error as ProviderError {
      error.position = position
      error.table = table
      throw error
    } catch let error as SQLiteError where error.code.primary == .error {
      throw ProviderError(
        .malformed, "a statement of the schema fails: \(error.message)", position: position,
        table: table)
    }
  }

  // MARK: Tables

  private mutating func readTable() throws {
    let place = reader.position
    guard let name = reader.attribute(names.name) else { throw malformed("a table has a name") }
    var declaration = XMLTableDeclaration(name: name, key: reader.attribute(names.primaryKey))
    if let last = try integer(names.sequence) { sequences.append((name, last)) }
    if reader.attribute(names.rebuilt) == "true" { rebuilt.append(name) }
    var rows: XMLDatabaseRows?
    while let child = try nextChild() {
      switch child {
      case names.column where rows == nil:
        guard let column = reader.attribute(names.name) else {
          throw malformed("a column has a name", table: name)
        }
        declaration.columns.append(
          XMLTableDeclaration.Column(
            name: column, type: reader.attribute(names.type) ?? "",
            isNotNull: reader.attribute(names.nullable) == "false"))
        _ = try readText()
      case names.sql where rows == nil: declaration.sql = try readText()
      case names.row:
        let table = try rows ?? make(declaration, at: place)
        rows = table
        try readRow(table)
      default: throw unknown(child)
      }
    }
    if rows == nil { _ = try make(declaration, at: place) }
  }

  private mutating func make(
    _ declaration: XMLTableDeclaration, at position: SourcePosition
  ) throws -> XMLDatabaseRows {
    let sql = try declaration.statement(at: position)
    let kind = try run(sql, at: position, table: declaration.name)
    let schema = try connection.table(declaration.name)
    guard kind == .table || kind == .virtualTable, let schema else {
      throw ProviderError(
        .malformed, "the statement makes another table than is named", position: position,
        table: declaration.name)
    }
    return try XMLDatabaseRows(StoredTable(schema: schema, sql: sql, sequence: nil), connection)
  }

  private mutating func readRow(_ rows: XMLDatabaseRows) throws {
    let rowID = try integer(names.rowID)
    let form = names.form, of = names.of
    while let child = try nextChild() {
      guard child == names.value else { throw unknown(child) }
      var column = -1
      if let at = reader.attributeIndex(of: of) {
        reader.withAttribute(at: at) { column = rows.column($0) }
      }
      guard column >= 0 else { throw malformed("the table has no such column", table: rows.name) }
      guard !rows.isSet(column) else {
        throw malformed("a row has two values of one column", table: rows.name)
      }
      let mark = reader.attribute(form)
      var isRead = false
      while let event = try reader.next() {
        if event == .text {
          let isValue = try reader.withText { try rows.set(column, $0, mark) }
          guard isValue else { throw unreadable(mark, rows, column) }
          isRead = true
        } else if case .startElement(let name) = event {
          throw unknown(name)
        } else if case .endElement = event {
          break
        }
      }
      if !isRead {
        guard try rows.set(column, Span(), mark) else { throw unreadable(mark, rows, column) }
      }
    }
    do {
      try rows.endRow(rowID: rowID)
    } catch let error as SQLiteError where [.constraint, .mismatch].contains(error.code.primary) {
      throw malformed("the row can't be stored: \(error.message)", table: rows.name)
    }
  }

  private mutating func unreadable(
    _ mark: String?, _ rows: XMLDatabaseRows, _ column: Int
  ) -> ProviderError {
    var error = malformed(
      mark.map { "the text is no value of type \($0)" } ?? "the text is no value", table: rows.name)
    error.column = rows.columnName(column)
    return error
  }
}

/// What a document in Holt's own layout says of a table.
struct XMLTableDeclaration {
  struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
  }

  let name: String
  let key: String?
  var columns: [Column] = []
  var sql: String?

  /// The statement that makes the table: that of the document, or one by its columns.
  func statement(at position: SourcePosition) throws(ProviderError) -> String {
    if let sql { return sql }
    guard !columns.isEmpty else {
      throw ProviderError(.malformed, "a table has columns", position: position, table: name)
    }
    var keys: [String] = []
    if let key {
      keys =
        columns.contains { $0.name.isExactly(key) }
        ? [key] : key.split(separator: ",").map(String.init)
    }
    let parts = try columns.map { column throws(ProviderError) in
      guard column.type.utf8.allSatisfy(Self.isTypePart) else {
        throw ProviderError(
          .malformed, "this can't be the type of a column", position: position, table: name,
          column: column.name)
      }
      var part = SQLName.quoted(column.name)
      if !column.type.isEmpty { part += " \(column.type)" }
      if keys.count == 1, keys[0].isExactly(column.name) { part += " PRIMARY KEY" }
      return column.isNotNull ? part + " NOT NULL" : part
    }
    let composite =
      keys.count > 1
      ? ", PRIMARY KEY (\(keys.map { SQLName.quoted($0) }.joined(separator: ", ")))" : ""
    return
      "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", "))\(composite))"
  }

  private static func isTypePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x20: true
    // `DECIMAL(10, 2)`.
    case 0x28, 0x29, 0x2C: true
    default: false
    }
  }
}
