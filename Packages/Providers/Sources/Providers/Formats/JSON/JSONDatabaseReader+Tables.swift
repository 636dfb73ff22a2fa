internal import SQLiteCore

// Tables, as they are made before their rows.
extension JSONDatabaseReader {
  /// What is said of a table before its rows.
  struct Declaration {
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

  mutating func readTable() throws {
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
}
