import ArgumentParser
import Observe
import SQLiteCore
import Terminal

/// `holt watch`
struct Watch: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a query's rows, and updates them when they change.",
    discussion: """
      Commits of other processes are detected, too. In a terminal, the table is redrawn in \
      place; otherwise each value is a line of JSON: {"number", "rows": [{column: value}]}. A \
      value that equals the previous one is omitted. Ctrl-C ends the command with exit code 0.

      Examples:

        holt watch "SELECT state, count(*) FROM job GROUP BY state" app.sqlite
        holt watch "SELECT max(id) AS last FROM log" app.sqlite --count 2 | tail -1
      """)

  @Argument(help: ArgumentHelp("The query.", valueName: "SQL"))
  var sql: String

  @Argument(help: "The database.", completion: .file())
  var database: String

  @OptionGroup var parameters: ParameterOptions

  @Option(help: ArgumentHelp("The number of values after which to stop.", valueName: "n"))
  var count: Int?

  @Flag(help: "Write lines of JSON even in a terminal.")
  var json = false

  @Option(help: "When to use colors: auto, always or never.")
  var color: ColorChoice = .auto

  var wantsJSON: Bool { json || !StandardStream.output.isTerminal }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  /// A query result.
  private struct Value: Hashable, Sendable {
    var names: [String]
    var rows: [[SQLiteValue]]
  }

  func run() async throws {
    let path = try OpenedFile.database(database)
    let source = try Database(path: path, configuration: .reading)
    let sql = sql
    let (named, ordered) = (parameters.values().named, parameters.values().ordered)
    let values = source.observe { connection in
      try connection.withStatement(SQL(unsafe: sql)) { statement in
        guard statement.isReadOnly else {
          throw ToolError("the SQL would change the data: only queries can be watched")
        }
        var parameters = Parameters(named: named, ordered: ordered)
        try parameters.bind(to: statement)
        try parameters.throwIfUnused()
        var value = Value(names: statement.columnNames, rows: [])
        while try statement.step() { try value.rows.append(statement.row.values) }
        return value
      }
    }.removeDuplicates()
    try await source.startObserving(.watched)
    let screen = WatchScreen(isTable: !wantsJSON, color: color, title: sql)
    let limit = count
    try await InterruptHandlers.shared.cancelling {
      var number = 0
      for try await value in values {
        number += 1
        try screen.show(number, value.names, value.rows)
        if number == limit { return }
      }
    }
    screen.end()
    source.close()
  }
}

/// The display of a query's values, in a terminal or as lines of JSON.
private struct WatchScreen: Sendable {
  let isTable: Bool
  let color: ColorChoice
  let title: String

  func show(_ number: Int, _ names: [String], _ rows: [[SQLiteValue]]) throws {
    guard isTable else {
      let keys = RowOutput.distinct(names)
      let elements = rows.map { row in
        JSONText.object(zip(keys, row).map { ($0, .value($1)) })
      }
      let out = Output()
      out.write(
        "\(JSONText.object([("number", .integer(number)), ("rows", .array(elements))]))\n")
      return try out.finish()
    }
    let room = max(1, StandardStream.output.rows - 5)
    let painted = StandardStream.output.showsColor(color)
    var table = ResultFormat.ColumnTable(names: names)
    table.alignsNumbers = true
    table.maximumWidth = max(20, StandardStream.output.columns * 2 / 3)
    if painted { table.paint = RowOutput.painted }
    for row in rows.prefix(room) { table.add(row) }
    var text = ""
    table.flush(to: &text)
    let rest = rows.count > room ? "… and \((rows.count - room).counted("more row"))\n" : ""
    let count = rows.count.counted("row")
    text += rest + TerminalStyle.dim("\(count), value \(number); Ctrl-C ends", if: painted) + "\n"
    try LiveScreen.draw(text, isFirst: number == 1)
  }

  func end() { if isTable { LiveScreen.end() } }
}
