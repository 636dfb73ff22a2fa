import ArgumentParser
import SQLiteCore
import Terminal

/// The values of `--output`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl, csv, spon, markdown
}

/// The options of commands that print rows.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The format of rows: table, json, jsonl, csv, spon or markdown. By default, table.")
  var output: OutputFormat?

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
  }

  var format: OutputFormat { output ?? (json ? .json : .table) }
}
