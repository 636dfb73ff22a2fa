import Foundation
import Primitives
import SQLiteCore
import Terminal

/// The state of `holt shell`: the loaded files, and the settings of the output.
final class ShellSession {
  private let workspace: Workspace
  private let writes: Bool
  private let color: ColorChoice
  private(set) var mode: OutputFormat?
  private var showsTime = false
  private(set) var isEnded = false
  /// A Boolean value that indicates whether a statement has failed.
  private(set) var hasFailed = false

  private var connection: Connection { workspace.connection }

  init(_ workspace: Workspace, mode: OutputFormat?, color: ColorChoice, writes: Bool) {
    (self.workspace, self.mode, self.color, self.writes) = (workspace, mode, color, writes)
  }

  // MARK: Statements

  /// Runs statements and shows their rows or their error. Ctrl-C cancels them.
  func run(_ sql: String) throws {
    let start = ContinuousClock.now
    let handle = connection.interruptHandle
    let interrupt = InterruptHandlers.shared.handle {
      handle.interrupt()
      return true
    }
    defer { InterruptHandlers.shared.remove(interrupt) }
    let out = Output(isPaged: mode == nil || mode == .table)
    let rows = RowOutput(mode ?? .table, to: out, color: color, fitsTerminal: mode == nil)
    var script = ScriptRun(workspace, Parameters(), rows, writes: writes)
    do {
      try script.run(sql)
      try out.finish()
      rows.finish()
      if script.changeCount > 0 {
        StandardStream.error.write("\(script.changeCount.counted("row")) changed\n")
      }
    } catch let error as BrokenPipe {
      guard StandardStream.output.isTerminal else { throw error }
      // The pager was closed.
    } catch {
      try? out.finish()
      show(error)
    }
    if showsTime {
      let time = ContinuousClock.now - start
      StandardStream.error.write(
        "time: \(StatementMeasurement.formatted(time / .seconds(1)))\n")
    }
  }

  private func show(_ error: any Error) {
    hasFailed = true
    if let error = error as? SQLiteError, error.code == .interrupt {
      StandardStream.error.write("interrupted\n")
    } else {
      let showsColor = StandardStream.error.showsColor(color)
      StandardStream.error.write(Failure(error).text(showingColor: showsColor))
    }
  }

  // MARK: Commands

  static let commands: [(name: String, argument: String, help: String)] = [
    (".help", "", "Show this list."),
    (".mode", "FORMAT", "Set the format of rows: auto, \(OutputFormat.names)."),
    (".quit", "", "End the shell. Ctrl-D does the same."),
    (".read", "FILE", "Run the SQL in a file."),
    (".save", "", "Write the changes to the files; requires --write."),
    (".schema", "[TABLE]", "Show the statements that create the tables."),
    (".tables", "", "List the tables with their row counts."),
    (".timer", "on|off", "Show the time that statements take."),
  ]

  /// Runs a command, which begins with a period.
  func command(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : nil
    do {
      switch words[0] {
      case ".help": write(Self.help)
      case ".quit", ".exit": isEnded = true
      case ".mode": try setMode(argument)
      case ".timer":
        guard let argument, ["on", "off"].contains(argument) else {
          throw ToolError(".timer expects on or off")
        }
        showsTime = argument == "on"
      case ".tables": try showTables()
      case ".schema": try showSchema(argument)
      case ".read": try read(argument)
      case ".save": try save()
      default:
        throw ToolError("there is no command \(words[0])", hint: ".help lists the commands")
      }
    } catch let error as BrokenPipe {
      throw error
    } catch {
      show(error)
    }
  }

  private static var help: String {
    let rows = commands.map { "\($0.name) \($0.argument)" }
    let width = rows.map(\.count).max() ?? 0
    return zip(rows, commands).map {
      $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1.help + "\n"
    }.joined() + "Any other text is SQL, which ends with a semicolon.\n"
  }

  private func setMode(_ argument: String?) throws {
    guard let argument else {
      return write((mode?.rawValue ?? "auto") + "\n")
    }
    guard argument == "auto" || OutputFormat(rawValue: argument) != nil else {
      throw ToolError("there is no mode \(argument)", hint: "modes: auto, \(OutputFormat.names)")
    }
    mode = OutputFormat(rawValue: argument)
  }

  private func showTables() throws {
    let out = Output()
    let rows = RowOutput(mode ?? .table, to: out, color: color)
    try rows.begin(["table", "rows"])
    for (schema, table) in try tables() {
      let name = schema == "main" ? table.name.name : "\(schema).\(table.name.name)"
      let count = try connection.value(
        Int64.self, "SELECT count(*) FROM \(identifier: schema).\(identifier: table.name.name)")
      try rows.add([.text(name), .integer(count ?? 0)])
    }
    try rows.end()
    try out.finish()
  }

  private func showSchema(_ name: String?) throws {
    var text = ""
    for schema in schemas {
      let objects = try connection.databaseSchema(in: schema)
      guard let name else {
        text += objects.sql
        continue
      }
      guard let table = objects.table(name) else { continue }
      text += (table.sql ?? "") + ";\n"
      for index in table.indexes { text += index.sql.map { $0 + ";\n" } ?? "" }
    }
    if let name, text.isEmpty { throw ToolError("no such table: \(name)") }
    write(text)
  }

  private func read(_ path: String?) throws {
    guard let path else { throw ToolError(".read expects a file") }
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(wellFormed: [UInt8](data))
    else { throw ToolError("the file can't be read, or is not valid UTF-8", file: path) }
    try run(text)
  }

  /// Writes the changes to the files.
  func save() throws {
    guard writes else {
      throw ToolError("the files are opened read-only", hint: "start the shell with --write")
    }
    let files = try workspace.persist()
    if !files.isEmpty { StandardStream.error.write("wrote \(files.joined(separator: ", "))\n") }
  }

  private func write(_ text: String) { StandardStream.output.write(text) }

  // MARK: Names

  /// The schemas of the files.
  private var schemas: [String] {
    workspace.files.count == 1 ? ["main"] : workspace.files.map(\.name)
  }

  private func tables() throws -> [(schema: String, table: TableSchema)] {
    try schemas.flatMap { schema in
      try connection.tables(in: schema).map { (schema, $0) }
    }
  }

  /// The words that the tab key completes: commands, keywords, and the names in the files.
  func words() -> [String] {
    var words = Self.commands.map(\.name) + Self.keywords
    for (schema, table) in (try? tables()) ?? [] {
      let name = table.name.name
      words += [name, "\(schema).\(name)"]
      for column in table.columns { words += [column.name, "\(name).\(column.name)"] }
    }
    return words
  }

  private static let keywords = """
    SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT OFFSET JOIN LEFT INNER CROSS ON USING AS AND OR NOT IN IS
    NULL LIKE GLOB REGEXP BETWEEN EXISTS CASE WHEN THEN ELSE END DISTINCT UNION ALL EXCEPT INTERSECT WITH
    RECURSIVE VALUES INSERT INTO UPDATE SET DELETE CREATE TABLE VIEW INDEX TRIGGER DROP ALTER EXPLAIN QUERY
    PLAN PRAGMA DESC ASC COLLATE CAST count sum avg min max coalesce substr length lower upper round
    """.split(whereSeparator: \.isWhitespace).map(String.init)
}
