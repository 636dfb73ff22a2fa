import SPON
import SQLiteCore
import Terminal

/// Writes the rows of consecutive results in one format.
final class RowOutput {
  private let format: OutputFormat
  private let output: Output
  private let showsColor: Bool
  private let isTerminal: Bool
  private var results = 0
  private var kind: Kind = .nothing

  private enum Kind {
    case nothing
    case text(ResultFormat.Writer<Output>)
    case table(ResultFormat.ColumnTable)
    case spon(SPONStreamWriter, keys: [String])
  }

  /// The number of rows that are buffered to determine a table's column widths.
  private static let rowsPerPart = 2_000

  init(_ format: OutputFormat, to output: Output, color: ColorChoice = .never) {
    self.format = format
    self.output = output
    isTerminal = StandardStream.output.isTerminal
    showsColor = format == .table && StandardStream.output.showsColor(color)
  }

  /// Begins a result with the given column names.
  func begin(_ names: [String]) throws {
    var sink = output
    if results > 0, format == .table || format == .markdown { sink.write("\n") }
    results += 1
    switch format {
    case .table:
      var table = ResultFormat.ColumnTable(names: names)
      table.alignsNumbers = true
      if isTerminal {
        let columns = StandardStream.output.columns
        table.maximumWidth = names.count == 1 ? columns : max(20, columns * 2 / 3)
      }
      if showsColor { table.paint = Self.painted }
      kind = .table(table)
    case .csv: kind = .text(ResultFormat.Writer(.csv, names: names, to: &sink))
    case .markdown: kind = .text(ResultFormat.Writer(.markdown, names: names, to: &sink))
    case .json: kind = .text(ResultFormat.Writer(.json, names: Self.distinct(names), to: &sink))
    case .jsonl:
      kind = .text(ResultFormat.Writer(.jsonLines, names: Self.distinct(names), to: &sink))
    case .spon:
      var writer = SPONStreamWriter(formatting: .prettyPrinted)
      try writer.beginArray()
      kind = .spon(writer, keys: Self.distinct(names))
    }
  }

  func add(_ values: [SQLiteValue]) throws {
    var sink = output
    switch kind {
    case .nothing: return
    case .text(var writer):
      kind = .nothing
      writer.add(values, to: &sink)
      kind = .text(writer)
    case .table(var table):
      kind = .nothing
      table.add(values)
      if table.pendingCount >= Self.rowsPerPart { table.flush(to: &sink) }
      kind = .table(table)
    case .spon(var writer, let keys):
      kind = .nothing
      try writer.beginObject()
      for (key, value) in zip(keys, values) { try writer.write(SPONValue(value), forKey: key) }
      try writer.end()
      if writer.pendingCount > 1 << 15 { sink.write(writer.take()) }
      kind = .spon(writer, keys: keys)
    }
    try output.check()
  }

  /// Ends the current result.
  func end() throws {
    var sink = output
    switch kind {
    case .nothing: return
    case .text(var writer): writer.finish(&sink)
    case .table(var table): table.flush(to: &sink)
    case .spon(var writer, _):
      try writer.end()
      sink.write(writer.take())
      sink.write("\n")
    }
    kind = .nothing
    try output.check()
  }

  @Sendable static func painted(_ text: String, _ part: ResultFormat.ColumnTable.Part) -> String {
    switch part {
    case .name: TerminalStyle.bold(text)
    case .rule, .null: TerminalStyle.dim(text)
    case .number: TerminalStyle.cyan(text)
    case .blob: TerminalStyle.yellow(text)
    case .text: text
    }
  }

  /// Returns the names as unique object keys: a second `id` becomes `id_2`.
  static func distinct(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      var (key, number) = (name, 1)
      while !taken.insert(key).inserted {
        number += 1
        key = "\(name)_\(number)"
      }
      return key
    }
  }
}

extension SPONValue {
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .double(value)
    case .text(let value): self = .string(value)
    case .blob(let value): self = .bytes(value)
    }
  }
}
