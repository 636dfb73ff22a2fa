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
