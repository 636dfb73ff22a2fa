import ArgumentParser
import SQLiteCore
import Terminal

/// The values of `--output`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, vertical, json, jsonl, csv, spon, markdown

  /// The names of all formats.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The options of commands that print rows.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The format of rows: table, vertical, json, jsonl, csv, spon or markdown.")
  var output: OutputFormat?

  @Flag(
    help: ArgumentHelp(
      "Short for --output vertical: a line for each value.",
      discussion: "It is the default in a terminal for tables that are wider than it."))
  var vertical = false

  @Flag(help: "Short for --output json.")
  var json = false

  @Option(help: "When to use colors: auto, always or never. NO_COLOR=1 also turns auto off.")
  var color: ColorChoice = .auto

  @Flag(
    name: .customLong("no-pager"),
    help: "Don't start $PAGER for output that is longer than the screen.")
  var skipsPager = false

  func validate() throws {
    if json, let output, output != .json {
      throw ValidationError("--json conflicts with --output \(output.rawValue)")
    }
    if vertical, json || output ?? .vertical != .vertical {
      throw ValidationError(
        "--vertical conflicts with \(output.map { "--output \($0.rawValue)" } ?? "--json")")
    }
  }

  var format: OutputFormat { output ?? (json ? .json : vertical ? .vertical : .table) }

  /// A Boolean value that indicates whether a table that is wider than the terminal is shown
  /// vertically.
  var fitsTerminal: Bool { output == nil && !json && !vertical }
}
