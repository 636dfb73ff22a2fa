import ArgumentParser
import Terminal

/// `holt copy`
struct Copy: ParsableCommand, JSONCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies tables into a file that is there: a database, or a file of any other kind.",
    discussion: """
      All of it is copied, or nothing. Tables come with their indexes and triggers, and views, \
      too, where no table is named. References are \
      looked at once all rows are there; triggers don't fire. A destination that is not there \
      is made.

      --existing says what becomes of tables that the destination has: refuse (by default), \
      append, which adds rows by the names of \
      their columns, or replace. --on-conflict says what becomes of an appended row whose key \
      is there: fail (by default), skip, replace \
      the one that is there, or update its columns.

      Examples:

        holt copy towns.json app.sqlite
        holt copy old.sqlite new.sqlite --table user --existing append --on-conflict skip
      """)

  @Argument(help: "The file to read; - for the standard input.", completion: .file())
  var source: SourceArgument

  @Argument(help: "The file to copy into.", completion: .file())
  var destination: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to copy. By default all of them.", valueName: "name"))
  var table: [String] = []

  @Option(help: "What becomes of tables that are there: refuse, append or replace.")
  var existing: ExistingTables = .refuse

  @Option(help: "What becomes of rows whose key is there: fail, skip, replace or update.")
  var onConflict: ConflictPolicy = .fail

  @Option(help: "What the source is. By default that is found out.")
  var format: FileFormat?

  @Flag(help: "Tell in JSON what was copied.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if onConflict != .fail, existing != .append {
      throw ValidationError("--on-conflict goes with --existing append")
    }
  }

  func run() throws {
    let copy = TableCopy(
      source: source, format: format, tables: table, destination: destination, existing: existing,
      onConflict: onConflict)
    let report = try copy.run()
    StandardStream.output.write(json ? report.json : report.text)
  }
}

/// The values of `--existing`.
enum ExistingTables: String, CaseIterable, ExpressibleByArgument { case refuse, append, replace }

/// The values of `--on-conflict`.
enum ConflictPolicy: String, CaseIterable, ExpressibleByArgument {
  case fail, skip, replace, update
}
