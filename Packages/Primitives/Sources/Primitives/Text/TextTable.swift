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
/// A column is as wide as its widest cell, measured in terminal columns. Lines have no trailing padding.
public struct TextTable: Sendable {
  /// The alignment of a column.
  public enum Alignment: Hashable, Sendable {
    case left
    /// The alignment for numbers.
    case right
  }

  /// A column of the table.
  public struct Column: Hashable, Sendable {
    public var title: String
    public var alignment: Alignment
    /// The maximum width of a cell in terminal columns, beyond which it is truncated; `nil` for no limit.
    public var limit: Int?

    public static func left(_ title: String, limit: Int? = 48) -> Column {
      Column(title: title, alignment: .left, limit: limit)
    }

    public static func right(_ title: String) -> Column {
      Column(title: title, alignment: .right, limit: nil)
    }
  }

  /// The line that contains a cell.
  public enum Line: Hashable, Sendable {
    case titles, rule
    /// A row, by its index in the result of ``takeLines(paint:)``.
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

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - columns: The columns, from left to right.
  ///   - indent: The number of spaces before each line.
  ///   - rule: The character of the line below the titles, or `nil` for no line.
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
  /// A table can be written in parts: the columns of a later part are at least as wide as in earlier parts.
  ///
  /// - Parameter paint: Styles a cell, for example with a color. The added text must have no width; padding is not
  ///   passed to the closure.
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

extension String {
  /// The width of the text in terminal columns.
  ///
  /// Combining marks and control characters have no width; emoji, flags and East Asian characters have a width of two.
  public var displayWidth: Int {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns the text, or its beginning with an ellipsis if it is wider than `width` terminal columns.
  public func truncated(to width: Int) -> String {
    // No character is wider than its number of bytes.
    guard utf8.count > width, displayWidth > width else { return self }
    var (kept, used) = ("", 0)
    for character in self {
      guard used + character.displayWidth < width else { break }
      kept.append(character)
      used += character.displayWidth
    }
    return kept + "…"
  }
}

extension Character {
  /// The width of the character in terminal columns: 0, 1 or 2.
  public var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The emoji variation selector makes a narrow symbol wide.
    let isWide = unicodeScalars.contains { $0.value == 0xFE0F || Self.isWide($0) }
    return isWide ? 2 : 1
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    return wideScalars.contains { $0.contains(scalar.value) }
  }

  /// The blocks with the property `W` or `F` in Unicode's `EastAsianWidth.txt`.
  private static let wideScalars: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
