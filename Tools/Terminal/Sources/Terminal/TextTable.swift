/// Rows of text in aligned columns.
///
/// ```
///   Country      Zones
///   ───────────  ─────
///   Switzerland      1
/// ```
public struct TextTable {
  /// Where a column's text stands.
  public enum Alignment: Sendable {
    case left
    /// For numbers.
    case right
  }

  public struct Column: Sendable {
    public let title: String
    public let alignment: Alignment
    /// The widest that the column gets; longer text is cut.
    public let limit: Int

    public static func left(_ title: String, limit: Int = 48) -> Column {
      Column(title: title, alignment: .left, limit: limit)
    }

    public static func right(_ title: String) -> Column {
      Column(title: title, alignment: .right, limit: 24)
    }
  }

  public let columns: [Column]
  public private(set) var rows: [[String]] = []

  public init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Cells beyond the last column are dropped; missing ones are blank.
  public mutating func add(_ cells: [String]) {
    rows.append(
      zip(columns, cells + Array(repeating: "", count: max(0, columns.count - cells.count)))
        .map { $1.truncated(to: $0.limit) })
  }

  /// The titles, a rule under them and the rows, each a line without spaces at its end.
  public var lines: [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
    let rules = widths.map { String(repeating: "─", count: $0) }
    return ([columns.map(\.title), rules] + rows).map { cells in
      let padded = cells.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].displayWidth)
        return columns[index].alignment == .left ? cells[index] + space : space + cells[index]
      }
      let line = "  " + padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
