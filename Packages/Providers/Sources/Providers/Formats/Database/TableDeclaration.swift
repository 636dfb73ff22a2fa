internal import SQLiteCore

/// A table as a file that holds a whole database declares it.
struct TableDeclaration {
  struct Column {
    var name = ""
    var type = ""
    var isNotNull = false
  }

  var name = ""
  /// The statement that makes the table; without one, ``columns`` and ``primaryKey`` describe it.
  var sql: String?
  var columns: [Column] = []
  var primaryKey: [String] = []
  /// The last key that AUTOINCREMENT gave.
  var sequence: Int64?
  /// Whether a search index looks its rows up in another table.
  var isRebuilt = false

  /// The statement that makes the table.
  ///
  /// - Throws: ``ProviderError`` if there is neither a statement nor a column, or something else than a type stands for one.
  func statement() throws(ProviderError) -> String {
    if let sql { return sql }
    guard !columns.isEmpty else {
      throw ProviderError(
        .malformed, "expected the table's statement, or its columns, before its rows", table: name)
    }
    var parts = try columns.map { column throws(ProviderError) in
      guard Self.isType(column.type) else {
        throw ProviderError(
          .malformed, "expected a type of a column", table: name, column: column.name)
      }
      return [SQLName.quoted(column.name), column.type, column.isNotNull ? "NOT NULL" : ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    if !primaryKey.isEmpty {
      parts.append("PRIMARY KEY (\(primaryKey.map { SQLName.quoted($0) }.joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  /// Whether a text is words, perhaps with a size after them: `DECIMAL(10, 2)`.
  private static func isType(_ type: String) -> Bool {
    var depth = 0
    var isFirst = true
    for scalar in type.unicodeScalars {
      switch scalar {
      case "(" where isFirst || depth > 0: return false
      case "(": depth += 1
      case ")" where depth == 0: return false
      case ")": depth -= 1
      case "," where depth == 0: return false
      case "0"..."9", "_", " ", ",", "+", "-", ".": break
      default: if !scalar.properties.isAlphabetic { return false }
      }
      isFirst = false
    }
    return depth == 0
  }
}
