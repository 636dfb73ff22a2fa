/// Rows as columns that stand below each other, under their names.
///
/// ```swift
/// var table = ResultTable(names: ["id", "name"])
/// table.add([1, "Ada"])
/// var text = ""
/// table.flush(to: &text)
/// // id  name
/// // --  ----
/// // 1   Ada
/// ```
///
/// Columns are as wide as their widest value, by what letters take in a terminal. Rows can be written in parts: then the columns
/// of a later part are as wide as those before, or wider.
public struct ResultTable: Sendable {
  /// What a piece of a table is, for who paints it.
  public enum Part: Hashable, Sendable { case name, rule, null, number, text, blob }

  /// Whether columns of numbers end, and not begin, below each other.
  public var alignsNumbers = false
  /// The most columns of a terminal that a value takes before it is cut; `nil` for no limit.
  public var maximumWidth: Int?
  /// Gives a piece its colour, say. What it adds must take no place; the spaces around are not handed to it.
  public var paint: (@Sendable (String, Part) -> String)?
  private let names: [String]
  private var widths: [Int]
  private var isNumeric: [Bool]
  private var rows: [[Cell]] = []
  private var isBegun = false

  private struct Cell {
    let text: String
    let width: Int
    let part: Part
  }

  public init(names: [String]) {
    self.names = names.map { ResultText.onOneLine($0) }
    widths = self.names.map(TextWidth.of)
    isNumeric = Array(repeating: true, count: names.count)
  }

  /// How many rows wait to be written.
  public var pendingCount: Int { rows.count }

  /// Adds a row, with a value for each column.
  public mutating func add(_ values: [SQLiteValue]) {
    var row: [Cell] = []
    row.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let cell = cell(value)
      if index < widths.count {
        widths[index] = max(widths[index], cell.width)
        if cell.part != .number, cell.part != .null { isNumeric[index] = false }
      }
      row.append(cell)
    }
    rows.append(row)
  }

  private func cell(_ value: SQLiteValue) -> Cell {
    let part: Part =
      switch value {
      case .null: .null
      case .integer, .real: .number
      case .text: .text
      case .blob: .blob
      }
    var text: String
    if let maximumWidth, case .blob(let bytes) = value, bytes.count > maximumWidth {
      text = SQLiteValue.blob(Array(bytes.prefix(maximumWidth))).description
    } else if let maximumWidth, case .text(let long) = value, long.utf8.count > maximumWidth * 16 {
      text = ResultText.onOneLine(String(long.prefix(maximumWidth + 1)))
    } else {
      text = ResultText.plain(value)
    }
    if let maximumWidth { text = TextWidth.cut(text, to: maximumWidth) }
    return Cell(text: text, width: TextWidth.of(text), part: part)
  }

  /// Writes the rows that wait; before the first ones, the names.
  public mutating func flush<Sink: TextOutputStream>(to sink: inout Sink) {
    guard !names.isEmpty else { return }
    if !isBegun {
      isBegun = true
      let hasRows = !rows.isEmpty
      for index in isNumeric.indices where !hasRows { isNumeric[index] = false }
      write(
        zip(names, widths).map { Cell(text: $0.0, width: TextWidth.of($0.0), part: .name) }, &sink)
      write(
        widths.map { Cell(text: String(repeating: "-", count: $0), width: $0, part: .rule) }, &sink)
    }
    for row in rows { write(row, &sink) }
    rows.removeAll(keepingCapacity: true)
  }

  private func write<Sink: TextOutputStream>(_ row: [Cell], _ sink: inout Sink) {
    var line = ""
    var pending = 0
    for (index, cell) in row.enumerated() {
      let space = index < widths.count ? max(0, widths[index] - cell.width) : 0
      let isRight = alignsNumbers && index < isNumeric.count && isNumeric[index]
      if isRight { pending += space }
      if cell.width > 0 || !cell.text.isEmpty {
        line += String(repeating: " ", count: pending)
        line += paint?(cell.text, cell.part) ?? cell.text
        pending = 0
      }
      pending += (isRight ? 0 : space) + 2
    }
    sink.write(line + "\n")
  }
}
