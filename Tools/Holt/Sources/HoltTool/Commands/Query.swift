import ArgumentParser
import Foundation
import Primitives
import SQLiteCore
import Terminal

/// `holt query`
struct Query: ParsableCommand, JSONCommand, SQLCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs SQL on files of any kind, together.",
    discussion: """
      What tables are called:

        One file: its tables have their own names; main.TABLE and FILE.TABLE are the same.
        Several files: FILE.TABLE, or TABLE alone where only one of the files has it.

      FILE is the file's name without its folder and extensions: towns for data/towns.json. A \
      second file of that name is towns_2. \
      NAME=PATH gives another: old=2025/towns.json. - is the standard input, whose table is \
      called stdin; data that is piped in without a \
      file is the same. What stands in quotes in SQL may be any name: "2026-01".

      A CSV file is one table, named like the file. So is a JSON file that is an array of \
      objects, or has objects in lines; an object's \
      arrays are a table each. In XML, elements that repeat are rows of a table with their \
      name. What objects and elements hold inside is \
      in columns "address.city", "address/city" and "@id". `holt schema FILE` shows all of it.

      Nothing is changed without --write. With it, all statements are done, or none, and files \
      are replaced as a whole; BEGIN and \
      VACUUM in the SQL end that. A pattern of REGEXP is one of Swift's.

      Examples:

        holt query "SELECT * FROM towns WHERE country = :c" towns.csv --param c=NO
        holt query "SELECT id FROM old.t EXCEPT SELECT id FROM new.t" old=1.db new=2.db
        curl -s https://example.com/towns.json | holt query "SELECT count(*) FROM stdin"
        holt query "SELECT * FROM towns" towns.json --output csv > towns.csv
        holt query "DELETE FROM towns WHERE name IS NULL" towns.json --write
        holt query --file report.sql app.sqlite --json | jq .

      Several statements write a result each. Exit codes: 0, or 2 where something failed.
      """)

  @Argument(
    help: ArgumentHelp("The SQL, unless --file has it, and the files.", valueName: "SQL> <file"),
    completion: .file())
  var arguments: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file with the SQL.", valueName: "file"),
    completion: .file(extensions: ["sql"]))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "What the files are: sqlite, spon, json, jsonl, xml or csv. By default that is found out."))
  var format: FileFormat?

  @OptionGroup var parameters: ParameterOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Let the SQL change the files.")
  var write = false

  var wantsJSON: Bool { output.format == .json }
  var sqlFile: String? { file }

  func validate() throws {
    guard !arguments.isEmpty || file != nil else {
      throw ValidationError("Missing expected argument '<SQL>'")
    }
  }

  func run() throws {
    let sql = try sqlText()
    let sources = try sources()
    let parameters = parameters.values()
    let workspace = try Workspace(sources, format: format, writes: write)
    let out = Output(isPaged: !output.skipsPager && output.format == .table)
    var run = ScriptRun(
      workspace, parameters, RowOutput(output.format, to: out, color: output.color), writes: write)
    do {
      try run.run(sql)
    } catch {
      try? out.finish()
      throw error
    }
    try out.finish()
    guard write else { return }
    let files = try workspace.persist()
    let changes = run.changeCount.counted("row") + " changed"
    let written = files.isEmpty ? "" : "; wrote \(files.joined(separator: ", "))"
    StandardStream.error.write("\(changes)\(written)\n")
  }

  private func sqlText() throws -> String {
    guard let file else { return arguments[0] }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw ToolError("it can't be read", file: file)
    }
    guard let text = String(wellFormed: [UInt8](data)) else {
      throw ToolError("it is not UTF-8", file: file)
    }
    return text
  }

  /// The files; without one, what is piped in.
  private func sources() throws -> [SourceArgument] {
    let paths = file == nil ? arguments.dropFirst() : arguments[...]
    let sources = paths.compactMap(SourceArgument.init(argument:))
    if !sources.isEmpty { return sources }
    if StandardStream.input.isPipeOrFile { return [SourceArgument(path: "-")] }
    return []
  }
}
