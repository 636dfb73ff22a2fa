import SQLiteCore

/// Runs a script's statements and writes the resulting rows.
struct ScriptRun {
  private let connection: Connection
  private let output: RowOutput
  private let writes: Bool
  /// The file that the statements read in place.
  private let path: String?
  private var parameters: Parameters
  /// A Boolean value that indicates whether this run began the open transaction.
  private var hasBegun = false
  /// The number of changed rows.
  private(set) var changeCount = 0

  init(_ workspace: Workspace, _ parameters: Parameters, _ output: RowOutput, writes: Bool) {
    connection = workspace.connection
    path = workspace.tableInPlace == nil ? nil : workspace.files.first?.path
    self.parameters = parameters
    self.output = output
    self.writes = writes
  }

  /// Runs the script. If it throws an error, the open transaction is rolled back.
  ///
  /// - Throws: `SQLiteError` with the position in the script if a statement fails; `ToolError` if a
  ///   value is missing.
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
      throw diagnosed(error)
    }
    changeCount = connection.totalChangeCount - before
  }

  private mutating func run(_ statement: Statement) throws {
    try updateTransaction(for: statement)
    try parameters.bind(to: statement)
    guard statement.columnCount > 0 else { return try statement.run() }
    let types = connection.resultTypes(of: statement)
    // If the first step fails, there is no output: see `InPlaceReading`.
    var hasRow = try firstStep(statement)
    try output.begin(statement.columnNames, types: types)
    while hasRow {
      try output.add(statement.row.values)
      hasRow = try statement.step()
    }
    try output.end()
  }

  private func firstStep(_ statement: Statement) throws -> Bool {
    guard let path else { return try statement.step() }
    return try ActivityIndicator.showing("reading \(path)") { try statement.step() }
  }

  /// Begins the transaction before the first write, and commits it before a statement that must run
  /// outside a transaction.
  private mutating func updateTransaction(for statement: Statement) throws {
    guard writes else { return }
    if Self.mustRunOutsideTransaction(statement.sql) {
      if hasBegun { try connection.execute("COMMIT") }
      hasBegun = false
    } else if !statement.isReadOnly, !connection.isInTransaction {
      try connection.execute("BEGIN IMMEDIATE")
      hasBegun = true
    }
  }

  private static func mustRunOutsideTransaction(_ sql: String) -> Bool {
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

  private func diagnosed(_ error: any Error) -> any Error {
    guard let failure = error as? SQLiteError else { return error }
    if failure.code.primary == .readOnly, !writes {
      return ToolError(
        "the SQL would change the data, but the files are opened read-only",
        hint: "pass --write to allow changes")
    }
    if failure.code.primary == .authorization, !writes {
      return ToolError(
        "the SQL would create an object or open another file, but the files are opened read-only",
        hint: "pass --write to allow it")
    }
    if failure.code.primary == .authorization {
      return ToolError(
        "the new object would not be part of any file",
        hint: "qualify its name with a file: CREATE TABLE file.name …")
    }
    return error
  }
}
