internal import SQLSyntax

/// The keywords that the grammar allows after a text.
///
/// Each candidate is appended to the text and parsed: it is allowed if the first error, if any, is
/// after it.
struct KeywordSuggestions {
  let allowed: [String]
  /// Indicates whether an expression can begin at the cursor.
  let acceptsOperand: Bool

  /// Operators, offered after an operand.
  private static let operators = ["LIKE", "GLOB", "MATCH"]
  /// Words after an operand that would otherwise be an alias.
  private static let endings = ["ASC", "DESC", "OFFSET", "NULLS FIRST", "NULLS LAST"]
  /// Words after a call.
  private static let afterCalls = ["OVER", "FILTER"]
  /// Joins, whose first words are also names.
  private static let joins = [
    "CROSS JOIN", "FULL JOIN", "INNER JOIN", "LEFT JOIN", "NATURAL JOIN", "RIGHT JOIN",
  ]
  /// Words that begin an operand and are also names.
  private static let operands = [
    "CAST", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP",
  ]
  private static let words: [String] = [
    "ADD", "ALL", "ALTER", "AND", "AS", "AUTOINCREMENT", "BEGIN", "BETWEEN", "BY", "CASCADE",
    "CASE", "CHECK", "COLUMN", "COLLATE", "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE", "DEFAULT",
    "DEFERRABLE", "DELETE FROM", "DISTINCT", "DO", "DROP", "EACH", "ELSE", "END", "ESCAPE",
    "EXCEPT", "EXISTS", "FOREIGN KEY", "FROM", "GENERATED ALWAYS AS", "GROUP BY", "HAVING",
    "IF EXISTS", "IF NOT EXISTS", "IGNORE", "IN", "INDEX", "INDEXED BY", "INSERT", "INSERT INTO",
    "INTERSECT", "INTO", "IS", "IS NOT NULL", "IS NULL", "JOIN", "KEY", "LIMIT", "MATERIALIZED",
    "NOT", "NOTHING", "NULL", "ON", "ON CONFLICT", "OR", "ORDER BY", "PARTITION BY", "PRAGMA",
    "PRIMARY KEY", "RAISE", "RECURSIVE", "REFERENCES", "REINDEX", "RENAME", "REPLACE INTO",
    "RESTRICT", "RETURNING", "ROLLBACK", "SELECT", "SET", "STRICT", "TABLE", "TEMP", "THEN", "TO",
    "TRIGGER", "UNION", "UNION ALL", "UNIQUE", "UPDATE", "USING", "VACUUM", "VALUES", "VIEW",
    "VIRTUAL TABLE", "WHEN", "WHERE", "WINDOW", "WITH", "WITHOUT ROWID",
  ]
  /// Keywords that are names if an expression is expected.
  private static let names: Set<String> = [
    "ADD", "BEGIN", "CASCADE", "COLUMN", "CONFLICT", "DO", "EACH", "END", "IGNORE", "KEY",
    "RECURSIVE", "RENAME", "RESTRICT", "ROLLBACK", "STRICT", "TEMP", "TRIGGER", "VIEW", "PRAGMA",
    "REINDEX", "VACUUM", "MATERIALIZED", "BY", "IF EXISTS", "IF NOT EXISTS", "WITHOUT ROWID",
    "WITH", "VIRTUAL TABLE", "CAST", "RAISE", "INDEXED BY", "REPLACE INTO", "WINDOW", "NULLS FIRST",
    "NULLS LAST", "PARTITION BY", "GENERATED ALWAYS AS",
  ]

  init(_ head: [UInt8]) {
    let last = Lexer.tokenize(SourceText(bytes: head)).tokens.dropLast().last?.kind
    let acceptsName = Self.accepts("qg_name", after: head)
    let acceptsOperand = Self.accepts("1", after: head)
    var candidates = Self.words.filter { !acceptsName || !Self.names.contains($0) }
    if acceptsOperand { candidates += Self.operands }
    if Self.accepts("+ 1", after: head), !acceptsOperand { candidates += Self.operators }
    if !acceptsName { candidates += Self.endings }
    if last == .rightParenthesis { candidates += Self.afterCalls }
    let isBeforeSource = [.from, .join, .comma, .into, .update].contains(last)
    if !acceptsOperand, !isBeforeSource { candidates += Self.joins }
    allowed = candidates.filter { Self.accepts($0, after: head) }
    self.acceptsOperand = acceptsOperand
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
