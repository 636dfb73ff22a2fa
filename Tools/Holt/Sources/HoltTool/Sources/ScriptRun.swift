import SQLiteCore

/// Runs the statements of a script, and writes the rows that they give.
struct ScriptRun {
  private let connection: Connection
  private let output: RowOutput
  private let writes: Bool
  private var parameters: Parameters
  /// Whether the transaction that is open is one of this run's own.
  private var hasBegun = false
  /// How many rows were changed.
  private(set) var changeCount = 0

  init(_ workspace: Workspace, _ parameters: Parameters, _ output: RowOutput, writes: Bool) {
    connection = workspace.connection
    self.parameters = parameters
    self.output = output
    self.writes = writes
  }

  /// - Throws: `SQLiteError` of the statement that fails, and where in the script; `ToolError` where a value is missing. What was
  ///   written is undone then.
  mutating func run(_ script: String) throws {
    let before = connection.totalChangeCount
    do {
      var run = self
      try connection.forEachStatement(in: SQL(unsafe: script)) { try run.run($0) }
      self = run
      try parameters.throwIfUnused()
      if hasBegun { try connection.execute("COMMIT") }
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw explained(error)
    }
    changeCount = connection.totalChangeCount - before
  }

  private mutating func run(_ statement: Statement) throws {
    try keepTransaction(for: statement)
    try parameters.bind(to: statement)
    guard statement.columnCount > 0 else { return try statement.run() }
    try output.begin(statement.columnNames)
    while try statement.step() { try output.add(statement.row.values) }
    try output.end()
  }

  /// Begins a transaction for all that is written, and ends it where a statement must stand outside of one.
  private mutating func keepTransaction(for statement: Statement) throws {
    guard writes else { return }
    if Self.standsAlone(statement.sql) {
      if hasBegun { try connection.execute("COMMIT") }
      hasBegun = false
    } else if !statement.isReadOnly, !connection.isInTransaction {
      try connection.execute("BEGIN IMMEDIATE")
      hasBegun = true
    }
  }

  private static func standsAlone(_ sql: String) -> Bool {
    var text = sql[...]
    while true {
      text = text.drop { $0.isWhitespace || $0 == ";" }
      if text.hasPrefix("--") {
        text = text.drop { $0 != "\n" }
      } else if text.hasPrefix("/*"), let end = text.firstRange(of: "*/") {
        text = text[end.upperBound...]
      } else {
        break
      }
    }
    let word = text.prefix { $0.isLetter }.uppercased()
    return [
      "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "VACUUM", "PRAGMA", "ATTACH",
      "DETACH",
    ].contains(word)
  }

  private func explained(_ error: any Error) -> any Error {
    guard let failure = error as? SQLiteError else { return error }
    if failure.code.primary == .readOnly, !writes {
      return ToolError(
        "the SQL would change the data, which is only read", hint: "--write lets it")
    }
    if failure.code.primary == .authorization, !writes {
      return ToolError(
        "the SQL would make something, or open another file, and files are only read",
        hint: "--write lets it")
    }
    if failure.code.primary == .authorization {
      return ToolError(
        "what is made here would be in no file",
        hint: "name one of the files: CREATE TABLE file.name …")
    }
    return error
  }
}
