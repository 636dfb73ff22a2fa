import ArgumentParser
import Foundation
import Primitives
import SQLiteCore
import Terminal

/// `holt query`
struct Query: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs SQL on one or more files of any supported format.",
    discussion: """
      Table names:

        One file: TABLE, main.TABLE or FILE.TABLE.
        Several files: FILE.TABLE, or just TABLE if only one of the files contains it.

      FILE is the file's name without its folder and extensions: towns for data/towns.json. A \
      second file with that name is towns_2. NAME=PATH sets another name for the file, and for \
      its table if the file contains only rows: old=2025/towns.json is old, or old.old. \
      - is standard input, whose table is named stdin; it is also read if data is piped in and \
      no file is given. In SQL, quote names that are not identifiers: "2026-01".

      A CSV file is one table, named after the file, and so is a JSON file with an array of \
      objects or with one object per line. In a JSON object, each array is a table. In XML, \
      repeated elements are the rows of a table with their name. Nested values are in columns \
      such as "address.city" (JSON), "address/city" and "@id" (XML). `holt schema FILE` shows \
      the tables and their columns.

      Files are only changed with --write. All statements then run in one transaction, unless \
      the SQL contains a statement that commits it, such as BEGIN or VACUUM. Other files than \
      databases are replaced atomically. REGEXP takes Swift's regular expression syntax.

      The URL of a PostgreSQL database, postgres://user@host/database, can be passed instead of \
      files. The SQL is then PostgreSQL's, with parameters such as $1, ? or :name.

      Examples:

        holt query "SELECT * FROM towns WHERE country = :c" towns.csv --param c=NO
        holt query "SELECT id FROM old EXCEPT SELECT id FROM new" old=1.csv new=2.csv
        curl -s https://example.com/towns.json | holt query "SELECT count(*) FROM stdin"
        holt query "SELECT * FROM towns" towns.json --output csv > towns.csv
        holt query "DELETE FROM towns WHERE name IS NULL" towns.json --write
        holt query --file report.sql app.sqlite --json | jq .

      Each statement writes its own result. Exit codes: 0, or 2 if an error occurred.
      """)

  @Argument(
    help: ArgumentHelp("The SQL, unless --file is given, and the files.", valueName: "SQL> <file"),
    completion: .file())
  var arguments: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file that contains the SQL.", valueName: "file"),
    completion: .file(extensions: ["sql"]))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "The files' format: sqlite, spon, json, jsonl, xml or csv. By default, it is detected."))
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @OptionGroup var parameters: ParameterOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Allow the SQL to change the files.")
  var write = false

  var wantsJSON: Bool { output.format == .json }
  var sqlFile: String? { file }

  func validate() throws {
    guard !arguments.isEmpty || file != nil else {
      throw ValidationError("Missing expected argument '<SQL>'")
    }
    if write, let option = input.partialOption {
      throw ValidationError("--write can't be combined with \(option), since rows would be lost")
    }
  }

  func run() async throws {
    let sql = try sqlText()
    let sources = try sources()
    if sources.contains(where: \.isServer) { return try await run(sql, onServer: sources) }
    let parameters = parameters.values()
    let options = input.values(format: format)
    var workspace = try workspace(for: sql, sources, options, defersChecks: true)
    let out = Output(isPaged: !output.skipsPager && output.format == .table)
    let rows = RowOutput(
      output.format, to: out, color: output.color, fitsTerminal: output.fitsTerminal)
    var run = ScriptRun(workspace, parameters, rows, writes: write)
    do {
      do {
        try run.run(sql)
      } catch {
        guard workspace.isContradicted else { throw error }
        workspace = try self.workspace(for: sql, sources, options, defersChecks: false)
        run = ScriptRun(workspace, parameters, rows, writes: write)
        try run.run(sql)
      }
    } catch {
      try? out.finish()
      throw error
    }
    try out.finish()
    rows.finish()
    guard write else { return }
    let files = try workspace.persist()
    let changes = run.changeCount.counted("row") + " changed"
    let written = files.isEmpty ? "" : "; wrote \(files.joined(separator: ", "))"
    StandardStream.error.write("\(changes)\(written)\n")
  }

  /// Runs the SQL on a PostgreSQL database.
  private func run(_ sql: String, onServer sources: [SourceArgument]) async throws {
    guard sources.count == 1 else {
      throw ToolError(
        "a PostgreSQL database can't be queried together with other sources",
        hint: "copy its tables into a file with `holt copy`")
    }
    let address = try ServerAddress(url: sources[0].path)
    let out = Output(isPaged: !output.skipsPager && output.format == .table)
    let rows = RowOutput(
      output.format, to: out, color: output.color, fitsTerminal: output.fitsTerminal)
    do {
      let changeCount = try await address.withConnection { connection in
        var script = ServerScript(
          connection, database: address.description, ServerParameters(parameters), rows,
          writes: write)
        try await script.run(sql)
        return script.changeCount
      }
      try out.finish()
      rows.finish()
      if write { StandardStream.error.write(changeCount.counted("row") + " changed\n") }
    } catch {
      try? out.finish()
      throw error
    }
  }

  private func workspace(
    for sql: String, _ sources: [SourceArgument], _ options: ReadingOptions, defersChecks: Bool
  ) throws -> Workspace {
    if !write,
      let workspace = InPlaceReading.workspace(
        for: sql, sources, options, defersChecks: defersChecks)
    {
      return workspace
    }
    try SQLCheck.run(sql, sources, options)
    return try Workspace(sources, options, writes: write)
  }

  private func sqlText() throws -> String {
    guard let file else { return arguments[0] }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw ToolError("the file can't be read", file: file)
    }
    guard let text = String(wellFormed: [UInt8](data)) else {
      throw ToolError("the file is not valid UTF-8", file: file)
    }
    return text
  }

  /// The given files, or standard input if no file is given and data is piped in.
  private func sources() throws -> [SourceArgument] {
    let paths = file == nil ? arguments.dropFirst() : arguments[...]
    let sources = paths.compactMap(SourceArgument.init(argument:))
    if !sources.isEmpty { return sources }
    if StandardStream.input.isPipeOrFile { return [SourceArgument(path: "-")] }
    return []
  }
}
