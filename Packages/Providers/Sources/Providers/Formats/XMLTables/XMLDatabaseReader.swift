internal import Primitives
internal import SQLiteCore

/// Reads a document in Holt's document layout: see ``XMLDatabaseWriter``.
struct XMLDatabaseReader: ~Copyable {
  private var reader: XMLEventReader
  private var builder: DatabaseBuilder
  private let names: XMLDatabaseNames<XMLEventReader.Name>

  init(_ reader: consuming XMLEventReader, into connection: Connection) {
    names = XMLDatabaseNames { reader.intern($0) }
    self.reader = reader
    builder = DatabaseBuilder(connection)
  }

  mutating func read() throws {
    guard case .startElement(let root) = try reader.next(), root == names.database else {
      throw malformed("expected <database> as the root element of Holt's document layout")
    }
    guard let text = reader.attribute(names.version), let version = Int64(text), version > 0 else {
      throw malformed("the version of Holt's document layout is missing")
    }
    try DatabaseBuilder.check(version: version, at: reader.position)
    builder.userVersion = try integer(names.userVersion)
    builder.applicationID = try integer(names.applicationID)
    while let name = try nextChild() {
      switch name {
      case names.table: try readTable()
      case names.schema:
        while let child = try nextChild() {
          guard child == names.sql else { throw unknown(child) }
          let position = reader.position
          builder.add(statement: try readText(), at: position)
        }
      default: throw unknown(name)
      }
    }
    // Read to the end of the document, to report errors there.
    while try reader.next() != nil {}
    try builder.finish()
  }

  // MARK: The document

  private mutating func malformed(_ message: String, table: String? = nil) -> ProviderError {
    ProviderError(.malformed, message, position: reader.position, table: table)
  }

  private mutating func unknown(_ name: XMLEventReader.Name) -> ProviderError {
    malformed("<\(reader.qualifiedName(of: name))> is not allowed here in Holt's document layout")
  }

  /// Advances to the next child element; `nil` at the end of the current element.
  private mutating func nextChild() throws -> XMLEventReader.Name? {
    while let event = try reader.next() {
      switch event {
      case .startElement(let name): return name
      case .endElement: return nil
      case .text:
        if !reader.isWhitespace {
          throw malformed("a text is not allowed here in Holt's document layout")
        }
      case .comment, .processingInstruction: break
      }
    }
    return nil
  }

  /// Reads the text of an element that contains only text.
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

  private mutating func integer(_ name: XMLEventReader.Name) throws -> Int64? {
    guard let text = reader.attribute(name) else { return nil }
    guard let value = Int64(text) else {
      throw malformed("the attribute \(reader.localName(of: name)) is not an integer")
    }
    return value
  }

  // MARK: Tables

  private mutating func readTable() throws {
    let position = reader.position
    guard let name = reader.attribute(names.name) else { throw malformed("the table has no name") }
    let key = reader.attribute(names.primaryKey)
    var table = TableDeclaration(name: name)
    table.sequence = try integer(names.sequence)
    table.isRebuilt = reader.attribute(names.rebuilt) == "true"
    var rows: XMLRowInserter?
    while let child = try nextChild() {
      switch child {
      case names.column where rows == nil:
        guard let column = reader.attribute(names.name) else {
          throw malformed("the column has no name", table: name)
        }
        table.columns.append(
          TableSchema.Column(
            column, reader.attribute(names.type) ?? "",
            isNotNull: reader.attribute(names.nullable) == "false"))
        _ = try readText()
      case names.sql where rows == nil: table.sql = try readText()
      case names.row:
        let filled = try rows ?? createTable(&table, key: key, at: position)
        rows = filled
        try readRow(filled)
      default: throw unknown(child)
      }
    }
    if rows == nil { _ = try createTable(&table, key: key, at: position) }
    builder.add(table, at: position)
  }

  /// - Parameter key: The name of a column, or several names separated by commas.
  private func createTable(
    _ table: inout TableDeclaration, key: String?, at position: ProviderError.Position
  ) throws -> XMLRowInserter {
    if let key {
      table.primaryKey =
        table.columns.contains { $0.name.isExactly(key) }
        ? [key] : key.split(separator: ",").map(String.init)
    }
    let stored = try builder.createTable(table, at: position)
    return try XMLRowInserter(stored, builder.connection)
  }

  private mutating func readRow(_ rows: XMLRowInserter) throws {
    let rowID = try integer(names.rowID)
    let (typeName, columnName) = (names.valueType, names.valueColumn)
    while let child = try nextChild() {
      guard child == names.value else { throw unknown(child) }
      var found: Int?
      if let at = reader.attributeIndex(of: columnName) {
        reader.withAttribute(at: at) { found = rows.column($0) }
      }
      guard let column = found else {
        throw malformed("the table does not have this column", table: rows.name)
      }
      guard !rows.isSet(column) else {
        throw malformed("a row has two values for one column", table: rows.name)
      }
      let valueType = reader.attribute(typeName)
      var isRead = false
      while let event = try reader.next() {
        if event == .text {
          let isValue = try reader.withText { try rows.set(column, $0, valueType) }
          guard isValue else { throw unreadable(valueType, rows, column) }
          isRead = true
        } else if case .startElement(let name) = event {
          throw unknown(name)
        } else if case .endElement = event {
          break
        }
      }
      if !isRead {
        guard try rows.set(column, Span(), valueType) else {
          throw unreadable(valueType, rows, column)
        }
      }
    }
    do {
      try rows.endRow(rowID: rowID)
    } catch {
      throw DatabaseBuilder.located(error, at: reader.position, rows.name)
    }
  }

  private mutating func unreadable(
    _ valueType: String?, _ rows: XMLRowInserter, _ column: Int
  ) -> ProviderError {
    var error = malformed(
      valueType.map { "the text is not a value of type \($0)" } ?? "the text is not a value",
      table: rows.name)
    error.column = rows.columnName(column)
    return error
  }
}
