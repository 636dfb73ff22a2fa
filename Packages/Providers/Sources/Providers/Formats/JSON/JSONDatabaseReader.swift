internal import SQLiteCore

/// Reads Holt's own layout: see ``JSONDatabaseWriter``.
struct JSONDatabaseReader {
  static let version = 1

  private let connection: Connection
  var window: ByteWindow
  var reader: JSONEventReader
  /// Tables whose rows are looked up in others, when all is there.
  private var rebuilt: [String] = []

  init(_ window: ByteWindow, _ options: JSONReadingOptions, into connection: Connection) {
    self.window = window
    self.connection = connection
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
        try rebuild()
        while let statement = try element() {
          try require(statement == .string, "expected a statement")
          try run(text())
        }
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(hasVersion, "expected the version of the layout")
    try rebuild()
    _ = try next()
    return .database
  }

  private mutating func readVersion() throws {
    var version: Int64?
    while let event = try member() {
      switch key {
      case "version":
        try require(event == .integer, "expected a number as the version")
        version = reader.integer
        if reader.integer != Self.version {
          throw failure(
            "the file has version \(reader.integer) of Holt's layout, and this release knows version \(Self.version)"
          )
        }
      case "userVersion":
        try require(event == .integer, "expected a number as the user's version")
        try connection.execute("PRAGMA user_version = \(reader.integer)")
      case "applicationID":
        try require(event == .integer, "expected a number as the application's")
        try connection.execute("PRAGMA application_id = \(reader.integer)")
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(version != nil, "expected the version of the layout")
  }

  /// Has search indexes look up their rows.
  private mutating func rebuild() throws {
    for table in rebuilt {
      let name = SQLName.quoted(table)
      try placed(table) { _ = try $0.run("INSERT INTO \(name) (\(name)) VALUES ('rebuild')") }
    }
    rebuilt = []
  }

  private mutating func run(_ statement: String) throws {
    try placed(nil) { _ = try MirrorSchema.run(statement, on: $0) }
  }

  /// Has what SQLite refuses tell where it stands.
  private func placed<Result>(
    _ table: String?, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try body(connection)
    } catch let error as SQLiteError {
      throw failure("SQLite refuses it: \(error.message)", table: table)
    } catch var error as ProviderError where error.position == nil {
      error.position = position
      throw error
    }
  }

  // MARK: Tables

  /// What is said of a table before its rows.
  private struct Declaration {
    var name = ""
    var sql: String?
    var columns: [(name: String, type: String, isNullable: Bool)]?
    var primaryKey: [String] = []
    var rowID: String?
    var isMade = false

    /// The statement that makes the table: its own, or one of what is said.
    func statement() -> String? {
      if let sql { return sql }
      guard let columns, !columns.isEmpty else { return nil }
      var parts = columns.map { column in
        [SQLName.quoted(column.name), column.type, column.isNullable ? "" : "NOT NULL"]
          .filter { !$0.isEmpty }.joined(separator: " ")
      }
      if !primaryKey.isEmpty {
        parts.append(
          "PRIMARY KEY (\(primaryKey.map { SQLName.quoted($0) }.joined(separator: ", ")))")
      }
      return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
    }
  }

  private mutating func readTable() throws {
    var table = Declaration()
    var sequence: Int64?
    while let event = try member() {
      switch key {
      case "name":
        try require(event == .string, "expected a name")
        table.name = text()
      case "sql":
        try require(event == .string, "expected a statement")
        try require(!table.isMade, "expected the statement before the rows")
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
        sequence = reader.integer
      case "rowid":
        try require(event == .string, "expected a name")
        try require(!table.isMade, "expected the row id's name before the rows")
        table.rowID = text()
      case "rebuilt":
        try require(event == .bool, "expected true or false")
        if reader.bool { rebuilt.append(table.name) }
      case "rows":
        try require(event == .beginArray, "expected an array of rows")
        try make(&table)
        try readRows(table)
      default: throw failure("a table has no member \(key)", table: table.name)
      }
    }
    if !table.isMade { try make(&table) }
    guard let sequence else { return }
    try placed(table.name) { connection in
      try connection.run("DELETE FROM sqlite_sequence WHERE name = ?", table.name)
      try connection.run(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table.name, sequence)
    }
  }

  private mutating func readColumns() throws -> [(name: String, type: String, isNullable: Bool)] {
    var columns: [(name: String, type: String, isNullable: Bool)] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a column")
      var column = (name: "", type: "", isNullable: true)
      while let event = try member() {
        switch key {
        case "name":
          try require(event == .string, "expected a name")
          column.name = text()
        case "type":
          try require(event == .string, "expected a type")
          column.type = text()
          try require(Self.isType(column.type), "expected a type")
        case "nullable":
          try require(event == .bool, "expected true or false")
          column.isNullable = reader.bool
        default: throw failure("a column has no member \(key)")
        }
      }
      columns.append(column)
    }
    return columns
  }

  /// Whether a text is words, perhaps with a size behind them.
  private static func isType(_ type: String) -> Bool {
    type.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789_ (),+-.".unicodeScalars.contains($0)
    } && type.first != "(" && type.filter { $0 == "(" }.count == type.filter { $0 == ")" }.count
      && (type.contains("(") || !type.contains(","))
  }

  private mutating func make(_ table: inout Declaration) throws {
    try require(!table.isMade, "expected the rows of a table once")
    guard let statement = table.statement() else {
      throw failure(
        "expected the table's statement, or its columns, before its rows", table: table.name)
    }
    let name = table.name
    table.isMade = true
    try placed(name) { connection in
      let kind = try MirrorSchema.run(statement, on: connection)
      guard kind == .table || kind == .virtualTable, try connection.table(name) != nil else {
        throw ProviderError(.malformed, "the statement makes no table of this name", table: name)
      }
    }
  }

  // MARK: Rows

  private mutating func readRows(_ table: Declaration) throws {
    var names = try connection.columns(of: table.name).filter { $0.kind == .stored }.map(\.name)
    if let rowID = table.rowID {
      try require(
        ["rowid", "_rowid_", "oid"].contains(SQLName.folded(rowID)) && !names.contains(rowID),
        "expected rowid, _rowid_ or oid")
      names.append(rowID)
    }
    let places = Dictionary(
      names.enumerated().map { (Array(SQLName.folded($1).utf8), $0) },
      uniquingKeysWith: { first, _ in first })
    let rows = try placed(table.name) { try DeclaredTable(table.name, columns: names, in: $0) }
    /// The columns of keys.
    var columns: [Int] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a row")
      while let event = try member() {
        let key = reader.key
        while columns.count <= key { columns.append(-1) }
        if columns[key] < 0 {
          guard let place = places[Array(SQLName.folded(self.key).utf8)] else {
            throw failure("the table has no column \(self.key)", table: table.name)
          }
          columns[key] = place
        }
        rows.set(columns[key], try value(event, table.name))
      }
      try placed(table.name) { _ in try rows.endRow() }
    }
  }

  private mutating func value(_ event: JSONEvent, _ table: String) throws -> SQLiteValue {
    switch event {
    case .null: return .null
    case .integer: return .integer(reader.integer)
    case .double: return .real(reader.double)
    case .bool: return .integer(reader.bool ? 1 : 0)
    case .string: return .text(text())
    case .number:
      throw failure("no type of SQLite holds the number without rounding it", table: table)
    case .beginObject: return try special(table)
    case .beginArray, .endObject, .endArray, .end, .incomplete:
      throw failure("expected a value", table: table)
    }
  }

  /// A blob, or an infinity.
  private mutating func special(_ table: String) throws -> SQLiteValue {
    var value: SQLiteValue?
    while let event = try member() {
      try require(event == .string && value == nil, "expected a blob or an infinity")
      switch (key, key == "real" ? text() : "") {
      case ("blob", _):
        let bytes = reader.withText(in: window.bytes.span) { Base64.decoded($0) }
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

  // MARK: Events

  private mutating func next() throws -> JSONEvent {
    while true {
      reader.isComplete = window.isAtEnd
      let bytes = window.bytes
      let event = try reader.next(in: bytes.span)
      guard event == .incomplete else { return event }
      let count = reader.position
      reader.forget(count, in: bytes.span)
      try window.refill(dropping: count)
    }
  }

  /// The next member of an object; `nil` at its end.
  private mutating func member() throws -> JSONEvent? {
    let event = try next()
    return event == .endObject && reader.key < 0 ? nil : event
  }

  /// The next element of an array; `nil` at its end.
  private mutating func element() throws -> JSONEvent? {
    let event = try next()
    return event == .endArray ? nil : event
  }

  private var key: String { reader.key < 0 ? "" : reader.keys[reader.key] }

  private func text() -> String { reader.text(in: window.bytes.span) }

  private mutating func expect(_ event: JSONEvent, _ what: String) throws {
    try require(try next() == event, "expected \(what)")
  }

  private func require(_ condition: Bool, _ message: String) throws {
    if !condition { throw failure(message) }
  }

  private var position: SourcePosition {
    reader.sourcePosition(of: reader.range.lowerBound, in: window.bytes.span)
  }

  private func failure(_ message: String, table: String? = nil) -> ProviderError {
    ProviderError(.malformed, message, position: position, table: table)
  }
}
