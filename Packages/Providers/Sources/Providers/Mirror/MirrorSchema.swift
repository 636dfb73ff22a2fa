internal import SQLiteCore

/// Statements of a schema that a file holds.
enum MirrorSchema {
  /// What a statement makes.
  enum Kind: Hashable { case table, virtualTable, index, view, trigger }

  /// Runs a statement, if it makes a part of the schema and is the only one.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/forbidden`` for anything else; `SQLiteError` where it fails.
  @discardableResult
  static func run(_ sql: String, on connection: Connection) throws -> Kind {
    guard let kind = kind(of: sql) else {
      throw ProviderError(
        .forbidden, "a schema has statements that make tables, indexes, views and triggers")
    }
    // `prepare` refuses a second statement.
    try connection.withStatement(SQL(unsafe: sql)) { try $0.run() }
    return kind
  }

  /// What a statement makes by its first words; `nil` for what else it does. Comments before them are none of ours.
  static func kind(of sql: String) -> Kind? {
    var words = sql.utf8.split(
      maxSplits: 4, whereSeparator: { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    ).map { String(decoding: $0, as: UTF8.self).uppercased() }[...]
    guard words.popFirst() == "CREATE" else { return nil }
    if let word = words.first, ["TEMP", "TEMPORARY"].contains(word) { return nil }
    switch words.first {
    case "TABLE": return .table
    case "VIRTUAL" where words.dropFirst().first == "TABLE": return .virtualTable
    case "INDEX": return .index
    case "UNIQUE" where words.dropFirst().first == "INDEX": return .index
    case "VIEW": return .view
    case "TRIGGER": return .trigger
    default: return nil
    }
  }
}

/// Inserts rows into a table that a file has declared, with values as they are.
final class DeclaredTable {
  let name: String
  private let statement: Statement
  private var values: [SQLiteValue]

  /// - Parameter columns: The columns that rows have values for, in the order of ``set(_:_:)``'s numbers.
  init(_ name: String, columns: [String], in connection: Connection) throws {
    self.name = name
    let names = columns.map(SQLName.quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    statement = try connection.prepare(
      columns.isEmpty
        ? "INSERT INTO \(identifier: name) DEFAULT VALUES"
        : "INSERT INTO \(identifier: name) (\(unsafe: names)) VALUES (\(unsafe: marks))")
    values = Array(repeating: .null, count: columns.count)
  }

  /// Sets a column of the row.
  func set(_ column: Int, _ value: SQLiteValue) { values[column] = value }

  /// Inserts the row. Columns that were not set are NULL.
  func endRow() throws(SQLiteError) {
    try statement.bindAll(of: Values(values: values))
    try statement.run()
    for index in values.indices { values[index] = .null }
  }

  private struct Values: RowEncodable {
    let values: [SQLiteValue]
    func bind(to statement: Statement) throws(SQLiteError) {
      for (index, value) in values.enumerated() {
        try statement.bind(value, at: ParameterIndex(index + 1))
      }
    }
  }
}
