import ArgumentParser
import Terminal

/// `holt copy`
struct Copy: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies tables into a database, or into a file in any other supported format.",
    discussion: """
      The copy runs in one transaction. Tables are copied with their indexes and triggers; \
      views are copied only if no table is named. Foreign keys are checked after all rows have \
      been inserted, and triggers don't fire. A missing destination is created.

      --existing selects the action for tables that exist in the destination: refuse (the \
      default), append, which matches columns by name, or replace. --on-conflict selects the \
      action for an appended row whose key exists: fail (the default), skip, replace the \
      existing row, or update its columns. --alter adds columns that an existing table lacks.

      A single table can be copied into a table with another name: NAME=PATH, for the source or \
      the destination, sets it.

      The source or the destination can be a PostgreSQL database: postgres://user@host/database. \
      Its tables, keys, indexes and constraints are created with the corresponding types, and \
      every table is compared with its source at the end. Each table is copied in a transaction: \
      after an interruption, the same command continues with the other tables, and --restart \
      begins anew. If an object can't be copied, nothing is written, unless --skip-unsupported \
      is passed.

      Examples:

        holt copy towns.json app.sqlite
        holt copy sale=monday.csv app.sqlite --existing append --alter
        holt copy old.sqlite new.sqlite --table user --existing append --on-conflict skip
        holt copy app.sqlite postgres://app@db.example.org/app
        holt copy postgres://app@db.example.org/app app.sqlite
      """)

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var source: SourceArgument

  @Argument(help: "The file to copy into.", completion: .file())
  var target: SourceArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to copy. By default, all tables.", valueName: "name"))
  var table: [String] = []

  @Option(help: "The action for existing tables: refuse, append or replace.")
  var existing: ExistingTables = .refuse

  @Option(help: "The action for rows whose key exists: fail, skip, replace or update.")
  var onConflict: ConflictPolicy = .fail

  @Flag(help: "Add columns that an existing table lacks; requires --existing append.")
  var alter = false

  @Flag(
    help:
      "PostgreSQL: copy everything else if there are objects that can't be copied, and list them."
  )
  var skipUnsupported = false

  @Flag(help: "PostgreSQL: drop the tables of an interrupted copy, and copy all tables.")
  var restart = false

  @Option(help: "PostgreSQL: the schema of the tables.")
  var schema = "public"

  @Option(
    help: ArgumentHelp(
      "PostgreSQL: the type of a column that is created there.", valueName: "table.column=type"))
  var columnType: [String] = []

  @Option(help: "The source's format. By default, it is detected.")
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Flag(help: "Report the copied tables as JSON.")
  var json = false

  var wantsJSON: Bool { json }

  /// The path of the file to copy into.
  var destination: String { target.path }

  func validate() throws {
    if onConflict != .fail, existing != .append {
      throw ValidationError("--on-conflict requires --existing append")
    }
    if alter, existing != .append {
      throw ValidationError("--alter requires --existing append")
    }
    let usesServer = source.isServer || target.isServer
    if usesServer, onConflict != .fail || alter {
      throw ValidationError(
        "--on-conflict and --alter can't be used with PostgreSQL")
    }
    if !usesServer, skipUnsupported || restart || schema != "public" || !columnType.isEmpty {
      throw ValidationError(
        "--skip-unsupported, --restart, --schema and --column-type require a PostgreSQL database")
    }
    for text in columnType where Self.columnType(text) == nil {
      throw ValidationError("--column-type expects table.column=type, got \(text)")
    }
  }

  func run() async throws {
    let report =
      source.isServer || target.isServer ? try await copyWithServer() : try copyTables()
    StandardStream.output.write(json ? report.json : report.text)
  }
}
