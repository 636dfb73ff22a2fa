internal import SQLSyntax

/// The keywords that the grammar allows after a text.
///
/// Each candidate is appended to the text and parsed: it is allowed if the first error, if any, is
/// after it.
struct KeywordSuggestions {
  let allowed: [String]

  /// Keywords that are also names wherever a name is allowed. They are only offered if they can be
  /// keywords.
  private static let afterOperands: [String] = [
    "LIKE", "GLOB", "MATCH", "ASC", "DESC", "OFFSET", "OVER", "FILTER", "COLLATE",
  ]
  private static let words: [String] = [
    "ADD", "ALL", "ALTER", "AND", "AS", "AUTOINCREMENT", "BEGIN", "BETWEEN", "BY", "CASCADE",
    "CASE",
    "CAST", "CHECK", "COLUMN", "COLLATE", "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE",
    "CROSS JOIN",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "DEFAULT", "DEFERRABLE", "DELETE",
    "DELETE FROM",
    "DISTINCT", "DO", "DROP", "EACH", "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "FOREIGN KEY",
    "FROM", "FULL JOIN", "GENERATED ALWAYS AS", "GROUP BY", "HAVING", "IF EXISTS", "IF NOT EXISTS",
    "IGNORE", "IN", "INDEX", "INDEXED BY", "INNER JOIN", "INSERT", "INSERT INTO", "INTERSECT",
    "INTO", "IS",
    "IS NOT NULL", "IS NULL", "JOIN", "KEY", "LEFT JOIN", "LIMIT", "MATERIALIZED", "NATURAL JOIN",
    "NOT",
    "NOTHING", "NULL", "NULLS FIRST", "NULLS LAST", "ON", "ON CONFLICT", "OR", "ORDER BY",
    "PARTITION BY", "PRAGMA", "PRIMARY KEY", "RAISE", "RECURSIVE", "REFERENCES", "REINDEX",
    "RENAME",
    "REPLACE INTO", "RESTRICT", "RETURNING", "RIGHT JOIN", "ROLLBACK", "SELECT", "SET", "STRICT",
    "TABLE",
    "TEMP", "THEN", "TO", "TRIGGER", "UNION", "UNION ALL", "UNIQUE", "UPDATE", "USING", "VACUUM",
    "VALUES", "VIEW", "VIRTUAL TABLE", "WHEN", "WHERE", "WINDOW", "WITH", "WITHOUT ROWID",
  ]
  /// Keywords that are names if an expression is expected.
  private static let names: Set<String> = [
    "ADD", "BEGIN", "CASCADE", "COLUMN", "CONFLICT", "DO", "EACH", "END", "IGNORE", "KEY",
    "RECURSIVE",
    "RENAME", "RESTRICT", "ROLLBACK", "STRICT", "TEMP", "TRIGGER", "VIEW", "PRAGMA", "REINDEX",
    "VACUUM", "MATERIALIZED", "BY", "IF EXISTS", "IF NOT EXISTS", "WITHOUT ROWID", "WITH",
    "VIRTUAL TABLE", "CAST", "RAISE", "INDEXED BY", "REPLACE INTO", "WINDOW", "NULLS FIRST",
    "NULLS LAST", "PARTITION BY", "GENERATED ALWAYS AS",
  ]

  init(_ head: [UInt8]) {
    let acceptsName = Self.accepts("qg_name", after: head)
    let acceptsOperand = Self.accepts("1", after: head)
    let isAfterOperand = !acceptsOperand
    var allowed = Self.words.filter { word in
      if Self.names.contains(word), acceptsName {
        // These begin an operand.
        guard acceptsOperand, word == "CAST" else { return false }
      }
      return Self.accepts(word, after: head)
    }
    if isAfterOperand {
      allowed += Self.afterOperands.filter {
        !allowed.contains($0) && Self.accepts($0, after: head)
      }
    }
    self.allowed = allowed
  }

  private static func accepts(_ word: String, after head: [UInt8]) -> Bool {
    let text = head + [32] + Array(word.utf8)
    let source = SourceText(bytes: text + [32])
    var diagnostics = DiagnosticList()
    let options = ParserOptions(allowsListParameters: true, target: SQLiteVersion(3, 99))
    _ = Parser.parseStatement(source, options: options, diagnostics: &diagnostics)
    guard let first = diagnostics.diagnostics.first else { return true }
    return first.span.start.value >= text.count
  }
}
