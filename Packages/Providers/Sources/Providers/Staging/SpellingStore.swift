internal import SQLiteCore

/// Stores the spellings of numbers and Booleans that a column's form does not reproduce: `10.50`
/// among `9.5` and `20.25`.
///
/// They are in temporary tables, which are not part of the schema, and which do not exist if no
/// cell has such a spelling. A spelling is used only if it denotes the value that the cell has when
/// the file is written. A changed or rolled back cell, or a new row with the rowid of a deleted one,
/// therefore needs no bookkeeping.
final class SpellingStore {
  private let connection: Connection
  private var insert: Statement?
  private var hasTables = false
  /// The numbers of columns, by table and index.
  private var columns: [ExactText: [Int: Int64]] = [:]
  private var columnCount: Int64 = 0

  init(_ connection: Connection) { self.connection = connection }

  static func removeAll(from connection: Connection) throws {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp."holt spellings"; DROP TABLE IF EXISTS temp."holt spelled columns"
      """)
  }

  /// Stores the spellings in rows.
  func store(of rows: borrowing RowBuffer, in table: String) throws(SQLiteError) {
    for spelling in rows.spellings {
      let (column, row) = (spelling.column, spelling.row)
      let name = rows.columns[column].name
      try rows.withText(of: spelling) { text throws(SQLiteError) in
        try store(text, row: row, column: column, name, in: table)
      }
    }
  }

  /// Stores the spelling of a cell.
  func store(
    _ text: Span<UInt8>, row: Int64, column: Int, _ name: String, in table: String
  ) throws(SQLiteError) {
    let insert = try insertStatement()
    try insert.bindInteger(try number(of: column, name, in: table), at: 1)
    try insert.bindInteger(row, at: 2)
    try insert.bindText(text, at: 3)
    try insert.run()
  }

  /// Releases the statement.
  func finish() { insert = nil }

  private func insertStatement() throws(SQLiteError) -> Statement {
    if let insert { return insert }
    if !hasTables { try createTables() }
    let statement = try connection.prepare(
      "INSERT OR REPLACE INTO temp.\"holt spellings\" VALUES (?, ?, ?)")
    insert = statement
    return statement
  }

  private func createTables() throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE temp."holt spelled columns" (number INTEGER PRIMARY KEY, "table", name);
      CREATE TABLE temp."holt spellings" (
        number INTEGER, row INTEGER, text TEXT, PRIMARY KEY (number, row)) WITHOUT ROWID
      """)
    hasTables = true
  }

  private func number(
    of column: Int, _ name: String, in table: String
  ) throws(SQLiteError) -> Int64 {
    if let known = columns[ExactText(table)]?[column] { return known }
    columnCount += 1
    columns[ExactText(table), default: [:]][column] = columnCount
    try connection.run(
      "INSERT INTO temp.\"holt spelled columns\" VALUES (?, ?, ?)", columnCount, table, name)
    return columnCount
  }
}

/// Finds the spellings of the cells of a table.
struct Spellings {
  private let find: Statement?
  /// The numbers of columns that have spellings.
  private var columns: [FoldedName: Int64] = [:]

  init(of table: String, in connection: Connection) throws {
    let hasSpellings = try connection.value(
      Int.self, "SELECT 1 FROM sqlite_temp_schema WHERE name = 'holt spelled columns'")
    guard hasSpellings != nil else {
      find = nil
      return
    }
    var columns: [FoldedName: Int64] = [:]
    try connection.forEach(
      "SELECT number, name FROM temp.\"holt spelled columns\" WHERE \"table\" = ? COLLATE NOCASE",
      table
    ) { row in
      columns[FoldedName(try row.read(at: 1))] = try row.integer(at: 0)
    }
    self.columns = columns
    find =
      columns.isEmpty
      ? nil
      : try connection.prepare(
        "SELECT text FROM temp.\"holt spellings\" WHERE number = ? AND row = ?")
  }

  /// Returns the number of a column; `nil` if none of its cells has a spelling.
  func number(of column: String) -> Int64? { columns[FoldedName(column)] }

  /// Returns the spelling of a cell, if it denotes the cell's value.
  ///
  /// - Parameters:
  ///   - number: The column's number.
  ///   - rowID: The rowid; `nil` if the row has none.
  ///   - isBoolean: Whether the value is 0 or 1 in a Boolean column.
  func text(
    _ number: Int64, rowID: Int64?, of value: SQLiteValue, isBoolean: Bool = false
  ) throws(SQLiteError) -> String? {
    guard let text = try text(number, rowID: rowID) else { return nil }
    return Self.denotes(text, value, isBoolean) ? text : nil
  }

  /// Returns the spelling of a cell, whose value may have changed.
  func text(_ number: Int64, rowID: Int64?) throws(SQLiteError) -> String? {
    guard let find, let rowID else { return nil }
    try find.bindInteger(number, at: 1)
    try find.bindInteger(rowID, at: 2)
    defer { find.reset() }
    guard try find.step() else { return nil }
    return try find.row.read(at: 0)
  }

  private static func denotes(_ text: String, _ value: SQLiteValue, _ isBoolean: Bool) -> Bool {
    // A string in JSON that is converted to a number has quotes.
    let isQuoted = text.hasPrefix("\"") && text.utf8.count > 1
    let text = isQuoted ? String(text.dropFirst().dropLast()) : text
    if isBoolean, case .integer(let value) = value {
      return ["true": 1, "false": 0, "1": 1, "0": 0][text.lowercased()] == value
    }
    switch value {
    case .integer(let value): return isSameNumber(text, value.description)
    case .real(let value): return isSameNumber(text, value.description)
    case .text(let value): return text.isExactly(value) || isQuoted && isSameNumber(text, value)
    case .null, .blob: return false
    }
  }

  /// Returns whether two texts are equal numbers.
  static func isSameNumber(_ a: String, _ b: String) -> Bool {
    a.withUTF8Span { a in
      b.withUTF8Span { b in
        guard let x = NumberText(a), let y = NumberText(b) else { return false }
        return NumberText.order(x, a, y, b) == 0
      }
    }
  }
}
