import ArgumentParser
import Foundation
import Providers
import Terminal

/// `holt convert`
struct Convert: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts a file's tables to another format.",
    discussion: """
      The destination's format follows from its extension, or from --to. The destination is \
      written atomically: after a crash, either the old file or the complete new file exists. \
      An existing file is only replaced with --force.

        .sqlite .db    a database: types, keys, references, indexes, views, triggers
        .json .spon    an array of objects; for several tables, an object of such arrays
        .jsonl .csv    one table; if there are several, --table selects one
        .xml           Holt's layout, which stores everything that a database contains

      With another extension .gz, .zst or .bz2, the file is also compressed. Compressed files are \
      read by every command, whatever their names are.

      Arrays, objects and CSV store only values: no keys, no indexes, and blobs only in SPON. \
      Values keep their types: Booleans, JSON, and SPON's tagged values, which are objects such \
      as {"@float":1.5} in JSON. An object in a row of JSON is one value, except in CSV. \
      With --full, JSON and SPON are written in Holt's layout, which stores everything that a \
      database contains; every command reads it as that database.

      Examples:

        holt convert towns.json towns.sqlite
        holt convert app.sqlite user.csv.gz --table user
        holt convert app.sqlite backup.spon --full
        holt convert - - --format csv --to json < towns.csv
      """)

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var source: SourceArgument

  @Argument(help: "The file to write, or - for standard output.", completion: .file())
  var destination: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to write. By default, all tables.", valueName: "name"))
  var table: [String] = []

  @Option(help: "The source's format. By default, it is detected.")
  var format: FileFormat?

  @Option(help: "The destination's format. By default, it follows from the extension.")
  var to: FileFormat?

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(help: "Write JSON and SPON in Holt's layout, which stores everything in the database.")
  var full = false

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Flag(help: "Report the written tables as JSON.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if destination == "-", to == nil {
      throw ValidationError("writing to standard output requires a format; pass --to")
    }
    if full, destinationFormat == .csv || destinationFormat == .jsonl {
      throw ValidationError(
        "--full is not supported for csv and jsonl; use json, spon, xml or sqlite")
    }
  }

  private var destinationFormat: FileFormat? {
    to ?? FileFormat(path: Compression.withoutExtension(destination))
  }

  func run() async throws {
    if source.isServer {
      let temporaryFiles = TemporaryFiles()
      var conversion = self
      conversion.source = try await ServerSource(source, schema: "public").staged(temporaryFiles)
      return try conversion.write()
    }
    try write()
  }

  private func write() throws {
    guard let target = destinationFormat else {
      throw ToolError(
        "the file extension does not match a supported format", file: destination,
        hint: "pass --to with sqlite, spon, json, jsonl, xml or csv")
    }
    if force, destination != "-" {
      try SourceSession.FileWriting.requireWritable(at: destination)
    }
    let report =
      if let compression = Compression(path: destination) {
        try convert(to: target, compression)
      } else {
        try convert(to: target)
      }
    let text = json ? report.json : report.text
    if destination == "-" {
      StandardStream.error.write(json ? text : "")
    } else {
      StandardStream.output.write(text)
    }
  }

  /// Writes the destination to a temporary file, and compresses it.
  private func convert(to target: FileFormat, _ compression: Compression) throws -> TableReport {
    if !force { try SourceSession.FileWriting.requireNoFile(at: destination) }
    let temporaryFiles = TemporaryFiles()
    let (plain, compressed) = (try temporaryFiles.newPath(), try temporaryFiles.newPath())
    var conversion = self
    conversion.destination = plain
    var report = try conversion.convert(to: target)
    report.file = destination
    try ActivityIndicator.showing("compressing \(destination)") {
      try compression.compress(plain, to: compressed, shownAs: destination)
      try SourceSession.FileWriting.write(toPath: destination, replacing: force) { output in
        guard let handle = FileHandle(forReadingAtPath: compressed) else {
          throw ToolError("the file can't be read", file: compressed)
        }
        defer { try? handle.close() }
        while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
          try output.write([UInt8](piece))
        }
      }
    }
    return report
  }
}
