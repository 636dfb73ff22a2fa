internal import Primitives
internal import SQLiteCore

/// Reads Holt's document layout: see ``JSONDatabaseWriter``.
struct JSONDatabaseReader {
  var builder: DatabaseBuilder
  var window: ByteWindow
  var reader: JSONEventReader

  init(_ window: ByteWindow, _ options: JSONReadingOptions, into connection: Connection) {
    self.window = window
    builder = DatabaseBuilder(connection)
    reader = JSONEventReader(options)
  }

  mutating func read() throws -> JSONLayout {
    try expect(.beginObject, "an object")
    var hasVersion = false
    while let event = try member() {
      switch key {
      case "holt":
        try require(event == .beginObject, "expected an object with the version of the layout")
        try readVersion()
        hasVersion = true
      case "tables":
        try require(hasVersion, "expected the version before the tables")
        try require(event == .beginArray, "expected an array of tables")
        while let table = try element() {
          try require(table == .beginObject, "expected a table")
          try readTable()
        }
      case "schema":
        try require(hasVersion, "expected the version before the schema")
        try require(event == .beginArray, "expected an array of statements")
        while let statement = try element() {
          try require(statement == .string, "expected a statement")
          builder.add(statement: text(), at: position)
        }
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(hasVersion, "expected the version of the layout")
    _ = try next()
    try builder.finish()
    return .database
  }

  private mutating func readVersion() throws {
    var version: Int64?
    while let event = try member() {
      switch key {
      case "version":
        try require(event == .integer, "expected a number as the version")
        version = reader.integer
        try DatabaseBuilder.check(version: reader.integer, at: position)
      case "userVersion":
        try require(event == .integer, "expected a number as the user version")
        builder.userVersion = reader.integer
      case "applicationID":
        try require(event == .integer, "expected a number as the application ID")
        builder.applicationID = reader.integer
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(version != nil, "expected the version of the layout")
  }

  // MARK: Events

  mutating func next() throws -> JSONEvent {
    while true {
      reader.isComplete = window.isAtEnd
      let bytes = window.bytes
      let event = try reader.event(in: bytes.elementSpan)
      guard event == .incomplete else { return event }
      let count = reader.position
      reader.discard(count, in: bytes.elementSpan)
      try window.refill(dropping: count)
    }
  }

  /// Returns the next member of an object; `nil` at its end.
  mutating func member() throws -> JSONEvent? {
    let event = try next()
    return event == .endObject && reader.key < 0 ? nil : event
  }

  /// Returns the next element of an array; `nil` at its end.
  mutating func element() throws -> JSONEvent? {
    let event = try next()
    return event == .endArray ? nil : event
  }

  var key: String { reader.key < 0 ? "" : reader.keys[reader.key] }

  func text() -> String { reader.text(in: window.bytes.elementSpan) }

  mutating func expect(_ event: JSONEvent, _ expectation: String) throws {
    try require(try next() == event, "expected \(expectation)")
  }

  func require(_ condition: Bool, _ message: String) throws {
    if !condition { throw failure(message) }
  }

  var position: ProviderError.Position {
    ProviderError.Position(
      reader.position(of: reader.range.lowerBound, in: window.bytes.elementSpan))
  }

  func failure(_ message: String, table: String? = nil) -> ProviderError {
    ProviderError(.malformed, message, position: position, table: table)
  }
}

// Rows and their values.
extension JSONDatabaseReader {
  mutating func readRows(_ table: StoredTable, rowID: String?) throws {
    var names = table.columns.map(\.name)
    if let rowID {
      try require(
        ["rowid", "_rowid_", "oid"].contains(SQLName.folded(rowID)) && !names.contains(rowID),
        "expected rowid, _rowid_ or oid")
      names.append(rowID)
    }
    let indexes = Dictionary(
      names.enumerated().map { (Array(SQLName.folded($1).utf8), $0) },
      uniquingKeysWith: { first, _ in first })
    let rows = try builder.addingPosition(position, table.name) {
      try RowInserter(table.name, columns: names, in: builder.connection)
    }
    let areDecimal =
      table.columns.map { TableCollector.ColumnType.isDecimal($0.declaredType) } + [false]
    /// The columns by key number.
    var columns: [Int] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a row")
      while let event = try member() {
        let key = reader.key
        while columns.count <= key { columns.append(-1) }
        if columns[key] < 0 {
          guard let index = indexes[Array(SQLName.folded(self.key).utf8)] else {
            throw failure("the table has no column \(self.key)", table: table.name)
          }
          columns[key] = index
        }
        try rows.set(
          columns[key], try value(event, table.name, isDecimal: areDecimal[columns[key]]))
      }
      try builder.addingPosition(position, table.name) { try rows.endRow() }
    }
  }

  private mutating func value(
    _ event: JSONEvent, _ table: String, isDecimal: Bool
  ) throws -> SQLiteValue {
    switch event {
    case .integer, .double, .number:
      guard !isDecimal else {
        let digits = window.bytes.elementSpan.extracting(reader.range)
        return .text(String(decoding: digits.array(0..<digits.count), as: UTF8.self))
      }
      return try number(event, table)
    case .null: return .null
    case .bool: return .integer(reader.bool ? 1 : 0)
    case .string: return .text(text())
    case .beginObject: return try special(table)
    case .beginArray, .endObject, .endArray, .end, .incomplete:
      throw failure("expected a value", table: table)
    }
  }

  private func number(_ event: JSONEvent, _ table: String) throws -> SQLiteValue {
    switch event {
    case .integer: return .integer(reader.integer)
    case .double: return .real(reader.double)
    default: throw failure("SQLite can't represent the number without rounding", table: table)
    }
  }

  /// Reads a blob or an infinity.
  private mutating func special(_ table: String) throws -> SQLiteValue {
    var value: SQLiteValue?
    while let event = try member() {
      try require(event == .string && value == nil, "expected a blob or an infinity")
      switch (key, key == "real" ? text() : "") {
      case ("blob", _):
        let bytes = reader.withText(in: window.bytes.elementSpan) { try? Base64.decoded($0) }
        guard let bytes else { throw failure("the blob is not Base64", table: table) }
        value = .blob(bytes)
      case ("real", "Infinity"): value = .real(.infinity)
      case ("real", "-Infinity"): value = .real(-.infinity)
      default: throw failure("expected a blob or an infinity", table: table)
      }
    }
    guard let value else { throw failure("expected a blob or an infinity", table: table) }
    return value
  }
}

// Tables, which are created before their rows are read.
extension JSONDatabaseReader {
  mutating func readTable() throws {
    let start = position
    var table = TableDeclaration()
    var rowID: String?
    var createdTable: StoredTable?
    while let event = try member() {
      switch key {
      case "name":
        try require(event == .string, "expected a name")
        table.name = text()
      case "sql":
        try require(event == .string, "expected a statement")
        try require(createdTable == nil, "expected the statement before the rows")
        table.sql = text()
      case "columns":
        try require(event == .beginArray, "expected an array of columns")
        table.columns = try readColumns()
      case "primaryKey":
        try require(event == .beginArray, "expected an array of names")
        while let name = try element() {
          try require(name == .string, "expected a name")
          table.primaryKey.append(text())
        }
      case "sequence":
        try require(event == .integer, "expected a number")
        table.sequence = reader.integer
      case "rowid":
        try require(event == .string, "expected a name")
        try require(createdTable == nil, "expected the rowid's name before the rows")
        rowID = text()
      case "rebuilt":
        try require(event == .bool, "expected true or false")
        table.isRebuilt = reader.bool
      case "rows":
        try require(event == .beginArray, "expected an array of rows")
        try require(createdTable == nil, "expected the rows of a table only once")
        let stored = try builder.createTable(table, at: position)
        createdTable = stored
        try readRows(stored, rowID: rowID)
      default: throw failure("a table has no member \(key)", table: table.name)
      }
    }
    if createdTable == nil { _ = try builder.createTable(table, at: position) }
    builder.add(table, at: start)
  }

  private mutating func readColumns() throws -> [TableSchema.Column] {
    var columns: [TableSchema.Column] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a column")
      var (name, type, isNullable) = ("", "", true)
      while let event = try member() {
        switch key {
        case "name":
          try require(event == .string, "expected a name")
          name = text()
        case "type":
          try require(event == .string, "expected a type")
          type = text()
        case "nullable":
          try require(event == .bool, "expected true or false")
          isNullable = reader.bool
        default: throw failure("a column has no member \(key)")
        }
      }
      columns.append(TableSchema.Column(name, type, isNotNull: !isNullable))
    }
    return columns
  }
}
