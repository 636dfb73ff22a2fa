import ArgumentParser
import Foundation
import Terminal

/// `holt convert`
struct Convert: ParsableCommand, JSONCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the tables of a file as a file of another kind.",
    discussion: """
      What the destination is, its extension says, or --to. It is made as a whole: a crash \
      leaves the old file or the new one. A file that \
      is there is replaced with --force alone.

        .sqlite .db    a database: types, keys, references, indexes, views, triggers
        .json .spon    an array of objects; of several tables, an object of such arrays
        .jsonl .csv    one table: --table says which, where there are several
        .xml           Holt's own layout, which holds all that a database does

      Arrays, objects and CSV hold values alone: no keys, no indexes, and blobs only in SPON. \
      With --full, JSON and SPON are written in \
      Holt's own layout, which holds all that a database does, and is read by every command as \
      that database.

      Examples:

        holt convert towns.json towns.sqlite
        holt convert app.sqlite user.csv --table user
        holt convert app.sqlite backup.spon --full
        holt convert - - --format csv --to json < towns.csv
      """)

  @Argument(help: "The file to read; - for the standard input.", completion: .file())
  var source: SourceArgument

  @Argument(help: "The file to write; - for the standard output.", completion: .file())
  var destination: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to write. By default all of them.", valueName: "name"))
  var table: [String] = []

  @Option(help: "What the source is. By default that is found out.")
  var format: FileFormat?

  @Option(help: "What the destination is. By default its extension says.")
  var to: FileFormat?

  @Flag(help: "Replace a file that is there.")
  var force = false

  @Flag(help: "Write JSON and SPON in Holt's own layout, which holds all that a database does.")
  var full = false

  @Flag(help: "Tell in JSON what was written.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if destination == "-", to == nil {
      throw ValidationError("--to says what is written to the standard output")
    }
    if full, destinationFormat == .csv || destinationFormat == .jsonl {
      throw ValidationError("--full writes JSON and SPON")
    }
  }

  private var destinationFormat: FileFormat? { to ?? FileFormat(path: destination) }

  func run() throws {
    guard let target = destinationFormat else {
      throw ToolError(
        "its extension says no format", file: destination,
        hint: "--to takes sqlite, spon, json, jsonl, xml or csv")
    }
    let conversion = Conversion(
      source: source, format: format, tables: table, destination: destination, target: target,
      replaces: force, isFull: full)
    let report = try conversion.run()
    let text = json ? report.json : report.text
    if destination == "-" {
      StandardStream.error.write(json ? text : "")
    } else {
      StandardStream.output.write(text)
    }
  }
}
