import ArgumentParser
import SQLiteCore
import Terminal

/// `holt summarize`
struct Summarize: ParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the distribution of the values in each column.",
    discussion: """
      For each column: its type, the number of NULLs and of distinct values, the minimum, the \
      quartiles, the maximum and a histogram. The quartiles are values of the column, and are \
      shown for numbers and dates. For numbers, each bar of the histogram is an eighth of their \
      range; for other values, the bars are the most frequent values.

      Examples:

        holt summarize orders.csv
        holt summarize app.sqlite --table user --output json
      """)

  @Argument(help: "The file, or - for standard input.", completion: .file())
  var file: SourceArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table to summarize. By default, all tables.", valueName: "name"))
  var table: [String] = []

  @Option(help: "The file's format. By default, it is detected.")
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions
  @OptionGroup var output: OutputOptions

  var wantsJSON: Bool { output.format == .json }

  func run() throws {
    let workspace = try Workspace([file], input.values(format: format))
    let tables = try workspace.tables(named: table, in: file.path)
    let out = Output(isPaged: !output.skipsPager && output.format == .table)
    let rows = RowOutput(
      output.format, to: out, color: output.color, fitsTerminal: output.fitsTerminal)
    let hasTables = tables.count != 1
    try rows.begin(
      (hasTables ? ["table"] : []) + [
        "column", "type", "rows", "nulls", "distinct", "min", "q1", "median", "q3", "max",
        "histogram",
      ])
    try workspace.connection.transaction(.deferred) {
      for table in tables {
        for column in table.columns where column.kind != .hidden {
          let summary = try ActivityIndicator.showing("\(table.name.name).\(column.name)") {
            try ColumnSummary(workspace.connection, table, column)
          }
          try rows.add((hasTables ? [.text(table.name.name)] : []) + values(summary))
        }
      }
    }
    try rows.end()
    try out.finish()
    rows.finish()
  }

  private func values(_ summary: ColumnSummary) -> [SQLiteValue] {
    let isText = [.table, .vertical, .markdown].contains(output.format)
    let counts = JSONText.array(summary.histogram.map(JSONText.integer)).description
    return [
      .text(summary.column), .text(summary.type), .integer(Int64(summary.rowCount)),
      .integer(Int64(summary.nullCount)), .integer(Int64(summary.distinctCount)), summary.minimum,
    ] + summary.quartiles + [summary.maximum, .text(isText ? summary.bars : counts)]
  }
}
