/// Rows of text in aligned columns.
///
/// ```swift
/// var table = TextTable([.left("Country"), .right("Zones")])
/// table.add(["Switzerland", "1"])
/// print(table.lines.joined(separator: "\n"))
/// //   Country      Zones
/// //   ───────────  ─────
/// //   Switzerland      1
/// ```
///
/// Columns are as wide as their widest cell in a terminal. No line ends with the padding of its last cell.
public struct TextTable: Sendable {
  public enum Alignment: Hashable, Sendable {
    case left
    /// For numbers.
    case right
  }

  public struct Column: Hashable, Sendable {
    public var title: String
    public var alignment: Alignment
    /// The number of a terminal's columns beyond which a cell is truncated; `nil` for no limit.
    public var limit: Int?

    public static func left(_ title: String, limit: Int? = 48) -> Column {
      Column(title: title, alignment: .left, limit: limit)
    }

    public static func right(_ title: String) -> Column {
      Column(title: title, alignment: .right, limit: nil)
    }
  }

  /// A line that a cell is part of.
  public enum Line: Hashable, Sendable {
    case titles, rule
    /// A row, by its index among those that ``takeLines(paint:)`` returns.
    case row(Int)
  }

  private struct Cell {
    var text: String
    var width: Int
  }

  public var columns: [Column]
  private let indent: Int
  private let rule: Character?
  private var widths: [Int]
  private var rows: [[Cell]] = []
  private var hasTitles = false

  /// - Parameters:
  ///   - indent: The number of spaces before each line.
  ///   - rule: The character of the line below the titles; `nil` for no such line.
  public init(_ columns: [Column], indent: Int = 2, rule: Character? = "─") {
    self.columns = columns
    self.indent = indent
    self.rule = rule
    widths = columns.map(\.title.displayWidth)
  }

  /// Adds a row. Cells beyond the last column are dropped; missing ones are blank.
  public mutating func add(_ cells: [String]) {
    var row: [Cell] = []
    row.reserveCapacity(columns.count)
    for (index, column) in columns.enumerated() {
      var text = index < cells.count ? cells[index] : ""
      if let limit = column.limit { text = text.truncated(to: limit) }
      let width = text.displayWidth
      widths[index] = max(widths[index], width)
      row.append(Cell(text: text, width: width))
    }
    rows.append(row)
  }

  /// The titles, the rule and the rows.
  public var lines: [String] {
    var copy = self
    copy.hasTitles = false
    return copy.takeLines()
  }

  /// Removes the rows and returns their lines, the first time with the titles and the rule before them.
  ///
  /// A table can be written in parts: columns of a later part are at least as wide as those before.
  ///
  /// - Parameter paint: Returns a cell in its color, say. What it adds must take no columns; padding is not passed to it.
  public mutating func takeLines(
    paint: (_ cell: String, _ line: Line, _ column: Int) -> String = { cell, _, _ in cell }
  ) -> [String] {
    var lines: [String] = []
    if !hasTitles {
      hasTitles = true
      let titles = columns.map { Cell(text: $0.title, width: $0.title.displayWidth) }
      lines.append(line(titles) { paint($0, .titles, $1) })
      if let rule {
        let cells = widths.map { Cell(text: String(repeating: rule, count: $0), width: $0) }
        lines.append(line(cells) { paint($0, .rule, $1) })
      }
    }
    for (index, row) in rows.enumerated() {
      lines.append(line(row) { paint($0, .row(index), $1) })
    }
    rows.removeAll(keepingCapacity: true)
    return lines
  }

  private func line(_ cells: [Cell], _ paint: (String, Int) -> String) -> String {
    var line = ""
    var pending = indent
    for (index, cell) in cells.enumerated() {
      let space = widths[index] - cell.width
      let isRight = columns[index].alignment == .right
      if isRight { pending += space }
      if !cell.text.isEmpty {
        line += String(repeating: " ", count: pending)
        line += paint(cell.text, index)
        pending = 0
      }
      pending += (isRight ? 0 : space) + 2
    }
    return line
  }
}
