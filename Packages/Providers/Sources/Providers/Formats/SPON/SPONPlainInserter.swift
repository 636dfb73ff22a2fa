internal import SPON
internal import SQLiteCore

/// Inserts the rows of an array of objects, several with one statement.
final class SPONPlainInserter {
  let name: String
  private let connection: Connection
  private let spellings: SpellingStore?
  private let columns: [SPONPlainTable.Column]
  /// The forms of the columns, by the numbers of their keys.
  private let forms: [SPONForm]
  /// A Boolean value that indicates whether columns may not determine the types of their values.
  private let hasSpellings: Bool
  /// The number of the primary key's column.
  private let key: Int?
  private var statement: (rowCount: Int, statement: Statement)?
  private var rowID: Int64 = 0

  enum Outcome {
    case inserted
    /// The rows change a column's type, add a column or have no value in the key column.
    case contradiction
    /// Two rows have the same value in the key column.
    case duplicateID
  }

  /// Creates the table.
  init(_ name: String, _ profile: SPONPlainProfile, for collector: TableCollector) throws {
    self.name = name
    connection = collector.connection
    spellings = collector.spellings
    columns = Self.columns(of: profile)
    forms = profile.keys.indices.map { profile.form(of: $0) }
    hasSpellings = forms.contains(.mixed) || forms.contains(.number)
    key = Self.key(of: profile, columns)
    let definitions = zip(columns.indices, zip(columns, forms)).map { [key] index, column in
      var words = [SQLName.quoted(column.0.name)]
      let declaration = column.1.declaration
      // The key is not an alias of the rowid, so that rows keep the order of the file.
      if !declaration.isEmpty {
        words.append(key == index && declaration == "INTEGER" ? "INT" : declaration)
      }
      if key == index { words.append("PRIMARY KEY NOT NULL") }
      return words.joined(separator: " ")
    }
    try connection.execute(
      "CREATE TABLE \(identifier: name) (\(unsafe: definitions.joined(separator: ", ")))")
  }

  /// Returns the columns of a table with these keys.
  static func columns(of profile: SPONPlainProfile) -> [SPONPlainTable.Column] {
    zip(profile.keys, TableCollector.ColumnNames.unique(profile.keys)).map {
      SPONPlainTable.Column(key: $0, name: $1)
    }
  }

  private static func key(
    of profile: SPONPlainProfile, _ columns: [SPONPlainTable.Column]
  ) -> Int? {
    guard !profile.hasDuplicateIDs else { return nil }
    return columns.indices.first {
      columns[$0].name.lowercased() == "id" && !profile.hasNull($0)
    }
  }

  /// Returns whether the rows of a buffer should be inserted.
  static func isFull(_ rows: borrowing SPONRowBuffer, isCreated: Bool) -> Bool {
    // More rows are needed to predict the types of a table that does not exist yet.
    isCreated
      ? rows.count >= rowsPerInsert(rows.keys.count) || rows.size >= 1 << 16
      : rows.count >= 1_024 || rows.size >= 1 << 20
  }

  /// The number of rows that makes the cost of a statement small compared to the cost of its values.
  private static func rowsPerInsert(_ columnCount: Int) -> Int {
    max(1, min(16, 512 / max(1, columnCount)))
  }

  /// Inserts the rows of a buffer.
  ///
  /// - Parameter profile: The profile of all rows so far, including these.
  func insert(_ rows: inout SPONRowBuffer, _ profile: SPONPlainProfile) throws -> Outcome {
    guard profile.keys.count == columns.count, key.map({ !profile.hasNull($0) }) ?? true,
      forms.indices.allSatisfy({ profile.form(of: $0) == forms[$0] })
    else { return .contradiction }
    let length = Self.rowsPerInsert(columns.count)
    for start in stride(from: 0, to: rows.count, by: length) {
      do {
        try insert(&rows, start..<min(start + length, rows.count))
      } catch let error as SQLiteError
        where [.constraintPrimaryKey, .constraintUnique].contains(error.code)
      {
        return .duplicateID
      }
    }
    return .inserted
  }

  private func insert(_ rows: inout SPONRowBuffer, _ range: Range<Int>) throws {
    let statement = try insertStatement(for: range.count)
    try rows.bind(range, as: forms, to: statement)
    try statement.run()
    for row in range {
      rowID += 1
      guard let spellings, hasSpellings else { continue }
      for cell in rows.cells(ofRow: row) {
        try store(rows.value(of: cell), cell.key, in: spellings)
      }
    }
  }

  /// Stores a value of the last row as text, if the column does not determine its type.
  private func store(
    _ value: SPONValue, _ column: Int, in spellings: SpellingStore
  ) throws {
    guard forms[column].losesType(of: value) else { return }
    try value.text().withUTF8Span { text in
      try spellings.store(text, row: rowID, column: column, columns[column].name, in: name)
    }
  }

  private func insertStatement(for rowCount: Int) throws -> Statement {
    if let statement, statement.rowCount == rowCount { return statement.statement }
    let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    let row = "(\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))"
    let rows = Array(repeating: row, count: rowCount).joined(separator: ", ")
    let new = try connection.prepare(
      "INSERT INTO \(identifier: name) (\(unsafe: names)) VALUES \(unsafe: rows)")
    statement = (rowCount, new)
    return new
  }
}
