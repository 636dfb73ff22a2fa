/// Rows of text in aligned columns.
///
/// ```
///   Country      Zones
///   ───────────  ─────
///   Switzerland      1
/// ```
struct TextTable {
  /// Where a column's text stands.
  enum Alignment {
    case left
    /// For numbers.
    case right
  }

  struct Column {
    let title: String
    let alignment: Alignment
    /// The widest that the column gets; longer text is cut.
    let limit: Int

    static func left(_ title: String, limit: Int = 48) -> Column {
      Column(title: title, alignment: .left, limit: limit)
    }

    static func right(_ title: String) -> Column {
      Column(title: title, alignment: .right, limit: 24)
    }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Cells beyond the last column are dropped; missing ones are blank.
  mutating func add(_ cells: [String]) {
    rows.append(
      zip(columns, cells + Array(repeating: "", count: max(0, columns.count - cells.count)))
        .map { $1.truncated(to: $0.limit) })
  }

  /// The titles, a rule under them and the rows, each a line without spaces at its end.
  var lines: [String] {
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
