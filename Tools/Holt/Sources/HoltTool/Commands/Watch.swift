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

      Other programs are never blocked. A database without a write-ahead log is read as soon as \
      it has not been written for a moment.

      Examples:

        holt watch "SELECT state, count(*) FROM job GROUP BY state" app.sqlite
        holt watch "SELECT max(id) AS last FROM log" app.sqlite --count 2 | tail -1
      """)

  @Argument(help: ArgumentHelp("The query.", valueName: "SQL"))
  var sql: String

  @Argument(help: "The database.", completion: .file())
  var database: SourceArgument

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
    let path = database.path
    guard OpenedFile.exists(path) else { throw ToolError("no such file", file: path) }
    guard try OpenedFile.format(of: path).isDatabase else {
      throw ToolError("not an SQLite database", file: path)
    }
    let screen = WatchScreen(isTable: !wantsJSON, color: color, title: sql)
    if try UnlockedReader.isUnnecessary(for: path) {
      try await watchLog(of: path, screen)
    } else {
      try await watchFile(path, screen)
    }
    screen.end()
  }

  /// Observes a database with a write-ahead log.
  private func watchLog(of path: String, _ screen: WatchScreen) async throws {
    try DatabaseFile.check(path, writes: false)
    let source = try Database(path: path, configuration: configuration(attaching: .file(path)))
    let query = WatchedQuery(sql: sql, parameters.values())
    let values = source.observe { try query.value($0) }.removeDuplicates()
    try await source.startObserving(.watched)
    let limit = count
    try await InterruptHandlers.shared.cancelling {
      var number = 0
      for try await value in values {
        number += 1
        try screen.show(number, value.names, value.rows)
        if number == limit { return }
      }
    }
    source.close()
  }

  /// Observes a database without a write-ahead log.
  private func watchFile(_ path: String, _ screen: WatchScreen) async throws {
    let query = WatchedQuery(sql: sql, parameters.values())
    let limit = count
    let configuration = configuration(
      attaching: .uri(path: path, Database.URIParameters(isImmutable: true)))
    try await InterruptHandlers.shared.cancelling {
      var reader = UnlockedReader(path, configuration)
      var last: WatchedQuery.Value?
      var number = 0
      while true {
        let value = try await reader.next { try query.value($0) }
        guard value != last else { continue }
        last = value
        number += 1
        try screen.show(number, value.names, value.rows)
        if number == limit { return }
      }
    }
  }

  /// Returns the configuration of a connection in which the database also has the given name.
  private func configuration(attaching location: Database.Location) -> Configuration {
    var configuration = Configuration.reading
    if let name = database.name {
      configuration.prepare = { try $0.attach(location, as: name, isReadOnly: true) }
    }
    return configuration
  }
}

/// The query of `watch`.
private struct WatchedQuery: Sendable {
  let sql: String
  let named: [String: SQLiteValue]
  let ordered: [SQLiteValue]

  init(sql: String, _ parameters: Parameters) {
    self.sql = sql
    (named, ordered) = (parameters.named, parameters.ordered)
  }

  /// A query result.
  struct Value: Hashable, Sendable {
    var names: [String]
    var rows: [[SQLiteValue]]
  }

  func value(_ connection: Connection) throws -> Value {
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
