import ArgumentParser
import SQLiteCore
import Terminal

/// The values of `--output`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl, csv, spon, markdown
}

/// How rows are shown: what commands that show rows take.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "How rows are written: table, json, jsonl, csv, spon or markdown. By default a table.")
  var output: OutputFormat?

  @Flag(help: "Short for --output json.")
  var json = false

  @Option(help: "When colours are used: auto, always or never. NO_COLOR=1 turns auto off, too.")
  var color: ColorChoice = .auto

  @Flag(
    name: .customLong("no-pager"), help: "Don't start $PAGER for what is longer than the screen.")
  var skipsPager = false

  func validate() throws {
    if json, let output, output != .json {
      throw ValidationError("--json is --output json, and not \(output.rawValue)")
    }
  }

  var format: OutputFormat { output ?? (json ? .json : .table) }
}
