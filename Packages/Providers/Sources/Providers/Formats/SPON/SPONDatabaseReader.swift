internal import SPON
internal import SQLiteCore

/// Reads a database file written by the original or by Holt.
struct SPONDatabaseReader {
  private(set) var source: SPONSource
  private var builder: DatabaseBuilder
  private(set) var layout = SPONDatabaseLayout()

  init(_ source: SPONSource, _ connection: Connection) {
    self.source = source
    builder = DatabaseBuilder(connection)
  }

  private var connection: Connection { builder.connection }

  /// Reads the content of the root object.
  mutating func read() throws {
    // Existing rows are not checked; later changes are.
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    defer { try? connection.execute("PRAGMA ignore_check_constraints = OFF") }
    while let event = try source.next(), event.depth > 0 {
      switch (event.name, event.kind) {
      case ("tables", .beginArray):
        while let table = try source.next(), table.depth > event.depth {
          guard case .beginObject = table.kind else {
            throw source.failure(.malformed, "expected an object as a table")
          }
          try readTable(table)
        }
      case ("schema", .beginObject):
        let values = try source.value(of: event).object?.values ?? []
        for value in values {
          guard let statement = value.string else {
            throw source.failure(.malformed, "expected a text as a statement of the schema")
          }
          builder.add(statement: statement, at: source.position)
        }
      case ("userVersion", .scalar(let value)): builder.userVersion = value.integer()
      case ("applicationID", .scalar(let value)): builder.applicationID = value.integer()
      case ("tableLastInsertedInto", .scalar(let value)):
        layout.lastInsertedInto = value.string ?? ""
      default: try source.skip(event)
      }
    }
    while try source.next() != nil {}
    try builder.finish()
  }

  // MARK: Tables

  private mutating func readTable(_ start: SPONEventReader.Event) throws {
    var table: SPONOriginalTable?
    var staged = SPONRowBuffer()
    var nested: Set<ExactText> = []
    var isFilled = false
    while let event = try source.next(), event.depth > start.depth {
      switch (event.name, event.kind) {
      case ("schema", .beginObject):
        table = SPONOriginalTable(try source.value(of: event))
        guard table != nil else {
          throw source.failure(.malformed, "expected the schema of a table")
        }
      case ("rows", .beginArray):
        if let table, table.sql != nil {
          try readRows(event, of: table, &nested)
          isFilled = true
        } else {
          try readRows(event, into: &staged)
        }
      default: try source.skip(event)
      }
    }
    guard let table else { throw source.failure(.malformed, "a table has no schema") }
    if table.sql != nil {
      if !isFilled {
        let inserter = try createTable(table)
        var rowIDs = (table.rowIDs ?? []).joined().makeIterator()
        try builder.addingPosition(source.position, table.name) {
          for row in 0..<staged.count {
            try put(row, of: staged, into: inserter, &nested)
            try inserter.insert(rowID: rowIDs.next())
          }
        }
      }
    } else {
      try insertOriginal(table, staged, &nested)
    }
    try finish(table, nested)
  }

  /// Buffers rows until their table's schema has been read.
  private mutating func readRows(_ start: SPONEventReader.Event, into staged: inout SPONRowBuffer)
    throws
  {
    while let type = try source.advance(), source.reader.depth > start.depth {
      guard type == .beginObject else {
        throw source.failure(.malformed, "expected an object as a row")
      }
      try staged.readRow(from: &source)
    }
  }

  /// Reads rows of a table whose statement is known.
  private mutating func readRows(
    _ start: SPONEventReader.Event, of table: SPONOriginalTable, _ nested: inout Set<ExactText>
  ) throws {
    let inserter = try createTable(table)
    var rowIDs = (table.rowIDs ?? []).joined().makeIterator()
    while let row = try source.advance(), source.reader.depth > start.depth {
      guard row == .beginObject else {
        throw source.failure(.malformed, "expected an object as a row", table: table.name)
      }
      while let type = try source.advance(), type != .endObject {
        if type == .beginObject || type == .beginArray { nested.insert(source.key) }
        guard let column = inserter.column(of: source) else {
          let key = source.key
          _ = try source.value()
          throw source.failure(
            .malformed, "the table does not have this column", table: table.name, column: key)
        }
        try inserter.set(column, type, from: &source)
      }
      try builder.addingPosition(source.position, table.name) {
        try inserter.insert(rowID: rowIDs.next())
      }
    }
  }

  private func put(
    _ row: Int, of rows: borrowing SPONRowBuffer, into inserter: SPONRowInserter,
    _ nested: inout Set<ExactText>
  ) throws {
    for cell in rows.cells(ofRow: row) {
      let (key, value) = (rows.keys[cell.key], rows.value(of: cell))
      if value.array != nil || value.object != nil { nested.insert(key) }
      guard try inserter.set(key, value) else {
        throw source.failure(
          .malformed, "the table does not have this column", table: inserter.table, column: key)
      }
    }
  }

  /// Creates a table with its own statement.
  private func createTable(_ table: SPONOriginalTable) throws -> SPONRowInserter {
    let stored = try builder.createTable(table.declaration, at: source.position)
    let columns = stored.columns.map { (name: $0.name, type: table.type(of: $0.name)) }
    return try SPONRowInserter(
      table.name, columns, rowID: table.rowIDs == nil ? nil : stored.rowIDName, on: connection)
  }

  /// Creates a table from the original's description and from its rows.
  private func insertOriginal(
    _ table: SPONOriginalTable, _ rows: borrowing SPONRowBuffer, _ nested: inout Set<ExactText>
  ) throws {
    let profile = SPONOriginalProfile(table, rows)
    do {
      try insert(rows, of: table, profile, hasKey: true, &nested)
    } catch let error as SQLiteError
      where [.constraintPrimaryKey, .constraintUnique, .constraintRowID].contains(error.code)
    {
      // The original permits rows with duplicate keys.
      try connection.execute("DROP TABLE \(identifier: table.name)")
      try insert(rows, of: table, profile, hasKey: false, &nested)
    }
  }

  private func insert(
    _ rows: borrowing SPONRowBuffer, of table: SPONOriginalTable, _ profile: SPONOriginalProfile,
    hasKey: Bool, _ nested: inout Set<ExactText>
  ) throws {
    try connection.execute(SQL(unsafe: table.statement(profile, hasKey: hasKey)))
    let columns =
      table.columns.map { (name: $0.name, type: $0.type) }
      + profile.unknownKeys.map { (name: $0, type: SPONColumnType.none) }
    let inserter = try SPONRowInserter(table.name, columns, rowID: nil, on: connection)
    for row in 0..<rows.count {
      try put(row, of: rows, into: inserter, &nested)
      try inserter.insert(rowID: nil)
    }
  }

  /// Completes a table, and records its description.
  private mutating func finish(_ table: SPONOriginalTable, _ nested: Set<ExactText>) throws {
    builder.add(table.declaration, at: source.position)
    guard let sql = try connection.table(table.name)?.sql else { return }
    layout.tables[ExactText(table.name)] = SPONDatabaseLayout.Table(
      sql: sql,
      columns: Dictionary(
        table.columns.map { (ExactText($0.name), $0.object) },
        uniquingKeysWith: { first, _ in first }),
      nested: nested)
  }
}
