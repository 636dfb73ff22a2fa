import ArgumentParser
import SQLiteCore
import Terminal

/// `holt diff`
struct Diff: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the schemas of two files, or their rows.",
    discussion: """
      Without --data, writes the SQL that migrates the first schema to the second. A comment \
      before each step describes it and any data that it loses. With --data, lists the added \
      (+), removed (-) and changed (~) rows, matched by primary key or by --key. In a table \
      without a key, a changed row is reported as removed and added. Numbers are compared by \
      value: 1 equals 1.0.

      Each source can be a PostgreSQL database: postgres://user@host/database. The SQL is that of \
      the first one. A file and a PostgreSQL database are compared by their corresponding types.

      Tables are matched by name. If each file has one table, and the name of one is only its \
      file's name, these tables are compared. NAME=PATH sets a name.

      With --json each difference is a line: for schemas {"step", "object", "explanation", \
      "sql", "loses"}, for rows {"table", "change", "key", "row"} or \
      {"table", "change", "key", "columns": {name: [old, new]}}.

      Exit codes: 0 if both are equal, 1 if they differ, 2 if an error occurred.

      Examples:

        holt diff app.sqlite new.sqlite > step.sql
        holt diff monday.csv tuesday.csv --data --key id
        holt diff old.sqlite new.sqlite --data --table user --summary
      """)

  @Argument(help: "The old file, or - for standard input.", completion: .file())
  var old: SourceArgument

  @Argument(help: "The new file.", completion: .file())
  var new: SourceArgument

  @Flag(help: "Compare rows instead of schemas.")
  var data = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to compare. By default, all tables.", valueName: "name"))
  var table: [String] = []

  @Option(
    help: ArgumentHelp(
      "A column that identifies rows, instead of the primary key.", valueName: "column"))
  var key: [String] = []

  @Flag(help: "Report only the number of differing rows.")
  var summary = false

  @Flag(help: "Write a line of JSON for each difference.")
  var json = false

  @Option(help: "The files' format. By default, it is detected.")
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Option(help: "PostgreSQL: the schema of the tables.")
  var schema = "public"

  @Option(help: "When to use colors: auto, always or never.")
  var color: ColorChoice = .auto

  @Flag(
    name: .customLong("no-pager"),
    help: "Don't start $PAGER for output that is longer than the screen.")
  var skipsPager = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if !data, !table.isEmpty || !key.isEmpty || summary {
      throw ValidationError("--table, --key and --summary require --data")
    }
  }

  func run() async throws {
    let options = input.values(format: format).forSeveralFiles(2)
    if !data, old.isServer || new.isServer { return try await compareWithServer(options) }
    let temporaryFiles = TemporaryFiles()
    let (left, right) = (
      try Workspace([try await staged(old, temporaryFiles)], options),
      try Workspace([try await staged(new, temporaryFiles)], options)
    )
    let pair = try pair(left, right)
    let out = Output(isPaged: !skipsPager && !json)
    let differs: Bool
    do {
      differs =
        data
        ? try compareRows(left.connection, right.connection, pair, out)
        : try compareSchemas(left.connection, right.connection, pair, out)
    } catch {
      try? out.finish()
      throw error
    }
    try out.finish()
    if differs { throw ExitCode.found }
  }

  /// Returns the names of the files' only tables if they differ and the name of one is only its
  /// file's name; otherwise `nil`.
  private func pair(_ left: Workspace, _ right: Workspace) throws -> TablePair? {
    guard !(left.isDatabase && right.isDatabase) else { return nil }
    let (before, after) = (
      try left.connection.databaseSchema().tables, try right.connection.databaseSchema().tables
    )
    guard before.count == 1, after.count == 1 else { return nil }
    let pair = TablePair(old: before[0].name.name, new: after[0].name.name)
    return SQLName.isSame(pair.old, pair.new) ? nil : pair
  }

  // MARK: Schemas

  private func compareSchemas(
    _ left: Connection, _ right: Connection, _ pair: TablePair?, _ out: Output
  ) throws -> Bool {
    var options = SchemaDiff.Options()
    options.configuration = .preservingSettings
    var schema = try right.databaseSchema()
    if let pair {
      let renamed = try Connection.inMemory(configuration: .preservingSettings)
      try renamed.execute(SQL(unsafe: schema.sql))
      try renamed.execute("ALTER TABLE \(identifier: pair.new) RENAME TO \(identifier: pair.old)")
      schema = try renamed.databaseSchema()
    }
    return write(try SchemaDiff(from: left.databaseSchema(), to: schema, options: options), out)
  }

  /// - Returns: Whether the schemas differ.
  func write(_ diff: SchemaDiff, _ out: Output) -> Bool {
    guard json else {
      if !diff.isEmpty { out.write("\(diff)\n") }
      return !diff.isEmpty
    }
    for step in diff.steps {
      let line = JSONText.object([
        ("step", .text("\(step.kind)")), ("object", .text(step.object)),
        ("explanation", .text(step.explanation)),
        ("sql", .array(step.statements.map(JSONText.text))),
        ("loses", .array(step.losses.map { .text($0.description) })),
      ])
      out.write("\(line)\n")
    }
    return !diff.isEmpty
  }

  // MARK: Rows

  private func compareRows(
    _ left: Connection, _ right: Connection, _ pair: TablePair?, _ out: Output
  ) throws -> Bool {
    let writer = DifferenceWriter(
      out, json: json, summary: summary,
      showsColor: !json && StandardStream.output.showsColor(color))
    let difference = DataDifference(left, right, tables: table, key: key, pair: pair)
    var differs = false
    // The transactions make each side a consistent snapshot.
    try left.transaction(.deferred) {
      try right.transaction(.deferred) {
        try difference.run {
          differs = true
          try writer.write($0)
        } end: {
          writer.end($0, $1)
        }
      }
    }
    return differs
  }
}

/// Writes row differences as text or as lines of JSON.
struct DifferenceWriter {
  private let out: Output
  private let json: Bool
  private let summary: Bool
  private let showsColor: Bool

  init(_ out: Output, json: Bool, summary: Bool, showsColor: Bool) {
    (self.out, self.json, self.summary, self.showsColor) = (out, json, summary, showsColor)
  }

  func write(_ change: DataDifference.Change) throws {
    switch change {
    case .table(let name, let isAdded, let rowCount):
      if json {
        line([
          ("table", .text(name)), ("change", .text(isAdded ? "tableAdded" : "tableRemoved")),
          ("rows", .integer(rowCount)),
        ])
      } else {
        let text = "table \(name), \(rowCount.counted("row"))"
        paint(isAdded ? "+ \(text)" : "- \(text)", isAdded ? .green : .red)
      }
    case .column(let name, let table, let isAdded):
      if json {
        line([
          ("table", .text(table)), ("change", .text(isAdded ? "columnAdded" : "columnRemoved")),
          ("column", .text(name)),
        ])
      } else {
        paint(
          "\(isAdded ? "+" : "-") column \(table).\(name) (not compared)",
          isAdded ? .green : .red)
      }
    case .row(let row):
      if !summary { json ? writeJSON(row) : writeText(row) }
    }
    try out.check()
  }

  /// Writes the counts of one table.
  func end(_ table: String, _ counts: DataDifference.Counts) {
    if json {
      guard summary else { return }
      line([
        ("table", .text(table)), ("added", .integer(counts.added)),
        ("removed", .integer(counts.removed)), ("changed", .integer(counts.changed)),
      ])
    } else {
      out.write(
        "\(table): \(counts.added) added, \(counts.removed) removed, \(counts.changed) changed\n")
    }
  }

  private func writeText(_ row: DataDifference.RowChange) {
    let key = row.key.map { "\($0.column)=\(Self.short($0.value))" }.joined(separator: " ")
    switch row.kind {
    case .added, .removed:
      let values = row.row.map { "\($0.column)=\(Self.short($0.value))" }.joined(separator: " ")
      let isAdded = row.kind == .added
      paint("\(isAdded ? "+" : "-") \(row.table) \(values)", isAdded ? .green : .red)
    case .changed:
      let values = row.columns.map {
        "\($0.column): \(Self.short($0.old)) -> \(Self.short($0.new))"
      }
      paint("~ \(row.table) \(key)  \(values.joined(separator: ", "))", .yellow)
    }
  }

  private func writeJSON(_ row: DataDifference.RowChange) {
    func object(_ pairs: [(column: String, value: SQLiteValue)]) -> JSONText {
      .object(pairs.map { ($0.column, .value($0.value)) })
    }
    var members: [(String, JSONText)] = [
      ("table", .text(row.table)), ("change", .text(row.kind.rawValue)),
      ("key", row.key.isEmpty ? .null : object(row.key)),
    ]
    if row.kind == .changed {
      members.append(
        (
          "columns",
          .object(row.columns.map { ($0.column, .array([.value($0.old), .value($0.new)])) })
        ))
    } else {
      members.append(("row", object(row.row)))
    }
    line(members)
  }

  private func line(_ members: [(String, JSONText)]) { out.write("\(JSONText.object(members))\n") }

  private func paint(_ text: String, _ color: TerminalStyle) {
    out.write(color(text, if: showsColor) + "\n")
  }

  /// Returns a value's literal, truncated to 120 characters.
  private static func short(_ value: SQLiteValue) -> String {
    let text = JSONText.oneLine(value)
    return text.count > 120 ? text.prefix(119) + "…" : text
  }
}
