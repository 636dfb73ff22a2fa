/// A table in plain text: the first columns to the left, numbers to the right.
public struct TextTable {
  private var rows: [[String]]
  private let leftCount: Int

  /// - Parameter leftCount: How many of the columns are text.
  public init(_ titles: [String], leftCount: Int = 1) {
    rows = [titles]
    self.leftCount = leftCount
  }

  public mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, without an end of line after the last.
  public func text(indent: Int = 0) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < leftCount ? cell + space : space + cell
      }
      let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
