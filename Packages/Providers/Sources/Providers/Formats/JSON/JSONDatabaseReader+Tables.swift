// Tables, as they are made before their rows.
extension JSONDatabaseReader {
  mutating func readTable() throws {
    let start = position
    var table = TableDeclaration()
    var rowID: String?
    var made: StoredTable?
    while let event = try member() {
      switch key {
      case "name":
        try require(event == .string, "expected a name")
        table.name = text()
      case "sql":
        try require(event == .string, "expected a statement")
        try require(made == nil, "expected the statement before the rows")
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
        try require(made == nil, "expected the row id's name before the rows")
        rowID = text()
      case "rebuilt":
        try require(event == .bool, "expected true or false")
        table.isRebuilt = reader.bool
      case "rows":
        try require(event == .beginArray, "expected an array of rows")
        try require(made == nil, "expected the rows of a table once")
        let stored = try builder.make(table, at: position)
        made = stored
        try readRows(stored, rowID: rowID)
      default: throw failure("a table has no member \(key)", table: table.name)
      }
    }
    if made == nil { _ = try builder.make(table, at: position) }
    builder.end(table, at: start)
  }

  private mutating func readColumns() throws -> [TableDeclaration.Column] {
    var columns: [TableDeclaration.Column] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a column")
      var column = TableDeclaration.Column()
      while let event = try member() {
        switch key {
        case "name":
          try require(event == .string, "expected a name")
          column.name = text()
        case "type":
          try require(event == .string, "expected a type")
          column.type = text()
        case "nullable":
          try require(event == .bool, "expected true or false")
          column.isNotNull = !reader.bool
        default: throw failure("a column has no member \(key)")
        }
      }
      columns.append(column)
    }
    return columns
  }
}
