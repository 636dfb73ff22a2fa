@_spi(Formats) import Providers
import Primitives
import SQLiteCore
import Terminal

/// Writes the rows of consecutive results in one format.
final class RowOutput {
  private let format: OutputFormat
  private let output: Output
  private let showsColor: Bool
  private let isTerminal: Bool
  private let fitsTerminal: Bool
  private var results = 0
  private var kind: Kind = .nothing
  /// Boolean values that indicate whether the columns of the current result are declared as Boolean.
  private var isBoolean: [Bool] = []
  private var hasHint = false

  private enum Kind {
    case nothing
    case rows(RowWriter)
    case text(ResultFormat.Writer<Output>)
    case table(ResultFormat.ColumnTable)
    /// The first rows of a table, whose width is unknown.
    case firstRows([[SQLiteValue]], names: [String])
  }

  /// The number of rows that are buffered to determine a table's column widths.
  private static let rowsPerPart = 2_000

  /// - Parameter fitsTerminal: Whether a table that is wider than the terminal is shown vertically.
  init(
    _ format: OutputFormat, to output: Output, color: ColorChoice = .never,
    fitsTerminal: Bool = false
  ) {
    self.format = format
    self.fitsTerminal = fitsTerminal && StandardStream.output.isTerminal
    self.output = output
    isTerminal = StandardStream.output.isTerminal
    showsColor = format == .table && StandardStream.output.showsColor(color)
  }

  /// Begins a result with the given column names.
  ///
  /// - Parameter types: The declared types of the columns from which the result's columns
  ///   originate. A missing type is that of an expression.
  func begin(_ names: [String], types: [String?] = []) throws {
    var sink = output
    if results > 0, [.table, .vertical, .markdown].contains(format) { sink.write("\n") }
    results += 1
    let types = names.indices.map { $0 < types.count ? types[$0] ?? "" : "" }
    isBoolean = types.map { RowWriter.isBoolean($0) }
    switch format {
    case .table: kind = fitsTerminal ? .firstRows([], names: names) : .table(table(names))
    case .vertical: kind = .text(ResultFormat.Writer(.lines, names: names, to: &sink))
    case .markdown: kind = .text(ResultFormat.Writer(.markdown, names: names, to: &sink))
    case .csv: try beginRows(.csv, names, types)
    case .json: try beginRows(.json, Self.distinct(names), types)
    case .jsonl: try beginRows(.jsonLines, Self.distinct(names), types)
    case .spon: try beginRows(.spon, Self.distinct(names), types)
    }
  }

  private func beginRows(_ format: RowWriter.Format, _ names: [String], _ types: [String]) throws {
    var writer = RowWriter(format, for: .result) { [output] in output.write($0) }
    try writer.beginTable("", columns: zip(names, types).map { ($0, $1) })
    kind = .rows(writer)
  }

  private func table(_ names: [String]) -> ResultFormat.ColumnTable {
    var table = ResultFormat.ColumnTable(names: names)
    table.alignsNumbers = true
    if isTerminal {
      let columns = StandardStream.output.columns
      table.maximumWidth = names.count == 1 ? columns : max(20, columns * 2 / 3)
    }
    if showsColor { table.paint = Self.painted }
    return table
  }

  /// Begins a table with its first rows, or shows them vertically if the table is wider than the
  /// terminal.
  private func begin(_ rows: [[SQLiteValue]], _ names: [String]) {
    var sink = output
    var table = table(names)
    for row in rows { table.add(row) }
    var plain = table
    plain.paint = nil
    var text = ""
    plain.flush(to: &text)
    let columns = StandardStream.output.columns
    guard names.count > 1,
      text.split(separator: "\n").contains(where: { String($0).displayWidth > columns })
    else { return kind = .table(table) }
    var writer = ResultFormat.Writer(.lines, names: names, to: &sink)
    for row in rows { writer.add(row, to: &sink) }
    kind = .text(writer)
    hasHint = true
  }

  /// Explains a table that is shown vertically. Call it after the output has ended.
  func finish() {
    guard hasHint else { return }
    StandardStream.error.write(
      "hint: the rows are shown vertically, since a table would be wider than the terminal; pass "
        + "--output table for a table\n")
  }

  func add(_ values: [SQLiteValue]) throws {
    var sink = output
    switch kind {
    case .nothing: return
    case .firstRows(var rows, let names):
      kind = .nothing
      rows.append(shown(values))
      if rows.count < Self.rowsPerPart {
        kind = .firstRows(rows, names: names)
      } else {
        begin(rows, names)
      }
    case .rows(var writer):
      kind = .nothing
      try writer.add(values)
      kind = .rows(writer)
    case .text(var writer):
      kind = .nothing
      writer.add(shown(values), to: &sink)
      kind = .text(writer)
    case .table(var table):
      kind = .nothing
      table.add(shown(values))
      if table.pendingCount >= Self.rowsPerPart { table.flush(to: &sink) }
      kind = .table(table)
    }
    try output.check()
  }

  /// Returns the values for human readers: Booleans as `true` and `false`.
  private func shown(_ values: [SQLiteValue]) -> [SQLiteValue] {
    guard isBoolean.contains(true) else { return values }
    return zip(values, isBoolean).map { value, isBoolean in
      switch (value, isBoolean) {
      case (.integer(0), true): .text("false")
      case (.integer(1), true): .text("true")
      default: value
      }
    }
  }

  /// Ends the current result.
  func end() throws {
    var sink = output
    if case .firstRows(let rows, let names) = kind { begin(rows, names) }
    switch kind {
    case .nothing, .firstRows: return
    case .rows(var writer):
      kind = .nothing
      try writer.endTable()
      try writer.finish()
    case .text(var writer): writer.finish(&sink)
    case .table(var table): table.flush(to: &sink)
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
