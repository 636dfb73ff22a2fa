internal import SPON
internal import SQLiteCore

/// Reads a database file, of the original's or of Holt's making.
struct SPONDatabaseReader {
  private(set) var source: SPONSource
  private var builder: DatabaseBuilder
  private(set) var layout = SPONDatabaseLayout()

  init(_ source: SPONSource, _ connection: Connection) {
    self.source = source
    builder = DatabaseBuilder(connection)
  }

  private var connection: Connection { builder.connection }

  /// Reads what is behind the root's head.
  mutating func read() throws {
    // Rows are taken as they are; what is put in later is checked.
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    defer { try? connection.execute("PRAGMA ignore_check_constraints = OFF") }
    while let event = try source.next(), event.depth > 0 {
      switch (event.name, event.kind) {
      case ("tables", .beginArray):
        while let table = try source.next(), table.depth > event.depth {
          guard case .beginObject = table.kind else {
            throw source.failure(.malformed, "a table is an object")
          }
          try readTable(table)
        }
      case ("schema", .beginObject):
        let values = try source.value(of: event).object?.values ?? []
        for value in values {
          guard let statement = value.string else {
            throw source.failure(.malformed, "a statement of the schema is a text")
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
    var staged = SPONStagedRows()
    var nested: Set<ExactText> = []
    var isFilled = false
    while let event = try source.next(), event.depth > start.depth {
      switch (event.name, event.kind) {
      case ("schema", .beginObject):
        table = SPONOriginalTable(try source.value(of: event))
        guard table != nil else {
          throw source.failure(.malformed, "this does not describe a table")
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
    guard let table else { throw source.failure(.malformed, "a table lacks its schema") }
    if table.sql != nil {
      if !isFilled {
        let inserter = try make(table)
        var numbers = SPONRowNumbers(table.rowIDs)
        try builder.placed(source.position, table.name) {
          try staged.forEach { row in
            try put(row, into: inserter, &nested)
            try inserter.insert(rowID: numbers.next())
          }
        }
      }
    } else {
      try insertOriginal(table, staged, &nested)
    }
    try finish(table, nested)
  }

  /// Keeps rows until it is known what they are rows of.
  private mutating func readRows(_ start: SPONEventReader.Event, into staged: inout SPONStagedRows)
    throws
  {
    while let event = try source.next(), event.depth > start.depth {
      guard case .beginObject = event.kind else {
        throw source.failure(.malformed, "a row is an object")
      }
      try staged.append(try source.value(of: event))
    }
  }

  /// Reads rows of a table whose statement is known.
  private mutating func readRows(
    _ start: SPONEventReader.Event, of table: SPONOriginalTable, _ nested: inout Set<ExactText>
  ) throws {
    let inserter = try make(table)
    var numbers = SPONRowNumbers(table.rowIDs)
    while let row = try source.next(), row.depth > start.depth {
      guard case .beginObject = row.kind else {
        throw source.failure(.malformed, "a row is an object", table: table.name)
      }
      while let event = try source.next(), event.depth > row.depth {
        let name = event.name
        if event.beginsContainer { nested.insert(name) }
        guard try inserter.set(name, try source.value(of: event)) else {
          throw source.failure(
            .malformed, "the table has no such column", table: table.name, column: name)
        }
      }
      try builder.placed(source.position, table.name) {
        try inserter.insert(rowID: numbers.next())
      }
    }
  }

  private func put(
    _ row: SPONObject, into inserter: SPONRowInserter, _ nested: inout Set<ExactText>
  ) throws {
    for (key, value) in row {
      if value.array != nil || value.object != nil { nested.insert(key) }
      guard try inserter.set(key, value) else {
        throw source.failure(
          .malformed, "the table has no such column", table: inserter.table, column: key)
      }
    }
  }

  /// Makes a table by its own statement.
  private func make(_ table: SPONOriginalTable) throws -> SPONRowInserter {
    let stored = try builder.make(table.declaration, at: source.position)
    let names = stored.columns.map(\.name)
    let columns = names.map {
      SPONRowInserter.Column(key: $0, name: $0, type: table.type(of: $0))
    }
    return try SPONRowInserter(
      table.name, columns, rowID: table.rowIDs == nil ? nil : stored.rowIDName, on: connection)
  }

  /// Makes a table of what the original says of it, and of its rows.
  private func insertOriginal(
    _ table: SPONOriginalTable, _ rows: SPONStagedRows, _ nested: inout Set<ExactText>
  ) throws {
    var profile = SPONOriginalProfile(table)
    try rows.forEach { profile.add($0) }
    do {
      try insert(rows, of: table, profile, hasKey: true, &nested)
    } catch let error as SQLiteError
      where [.constraintPrimaryKey, .constraintUnique, .constraintRowID].contains(error.code)
    {
      // The original has put rows of the same key beside each other.
      try connection.execute("DROP TABLE \(identifier: table.name)")
      try insert(rows, of: table, profile, hasKey: false, &nested)
    }
  }

  private func insert(
    _ rows: SPONStagedRows, of table: SPONOriginalTable, _ profile: SPONOriginalProfile,
    hasKey: Bool, _ nested: inout Set<ExactText>
  ) throws {
    try connection.execute(SQL(unsafe: table.statement(profile, hasKey: hasKey)))
    let columns =
      table.columns.map { SPONRowInserter.Column(key: $0.name, name: $0.name, type: $0.type) }
      + profile.unknownKeys.map { SPONRowInserter.Column(key: $0, name: $0, type: .none) }
    let inserter = try SPONRowInserter(table.name, columns, rowID: nil, on: connection)
    try rows.forEach { row in
      try put(row, into: inserter, &nested)
      try inserter.insert(rowID: nil)
    }
  }

  /// Sets what else belongs to a table, and remembers what was said of it.
  private mutating func finish(_ table: SPONOriginalTable, _ nested: Set<ExactText>) throws {
    builder.end(table.declaration, at: source.position)
    guard let sql = try connection.table(table.name)?.sql else { return }
    layout.tables[ExactText(table.name)] = SPONDatabaseLayout.Table(
      sql: sql,
      columns: Dictionary(
        table.columns.map { (ExactText($0.name), $0.object) },
        uniquingKeysWith: { first, _ in first }),
      nested: nested)
  }
}

/// The numbers of rows, one after the other.
struct SPONRowNumbers {
  private let runs: [(first: Int64, count: Int64)]?
  private var run = 0
  private var used: Int64 = 0

  init(_ runs: [(first: Int64, count: Int64)]?) { self.runs = runs }

  mutating func next() -> Int64? {
    guard let runs, run < runs.count else { return nil }
    let number = runs[run].first + used
    used += 1
    if used == runs[run].count {
      run += 1
      used = 0
    }
    return number
  }
}
