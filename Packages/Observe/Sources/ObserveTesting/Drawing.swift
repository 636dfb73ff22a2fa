/// Rows of cells, drawn as lines that run from the first to the last.
struct Drawing {
  static let failure = "✕"
  static let end = "|"

  private struct Row {
    let name: String
    /// What stands in each column; `nil` where the row had not begun, or has ended.
    var cells: [String?]
    var hasEnded = false
  }

  private var columns = ["start"]
  private var rows: [Row] = []

  /// An element as it prints itself, or as a failure.
  static func text(of element: Any) -> String { (element as? any Outcome)?.text ?? "\(element)" }

  /// A row that begins in the last column.
  mutating func addRow(_ name: String) {
    rows.append(Row(name: name, cells: Array(repeating: nil, count: columns.count - 1) + [""]))
  }

  mutating func addColumn(_ name: String) {
    columns.append(name)
    for row in rows.indices { rows[row].cells.append(rows[row].hasEnded ? nil : "") }
  }

  /// Adds to the last column.
  mutating func add(_ cells: [String], toRow index: Int, isLast: Bool) {
    rows[index].hasEnded = isLast
    if cells.isEmpty { return }
    let column = columns.count - 1
    let text = cells.map { $0.replacing("\n", with: "⏎") }.joined(separator: ",")
    let before = rows[index].cells[column] ?? ""
    rows[index].cells[column] = before.isEmpty ? text : "\(before),\(text)"
  }
}

extension Drawing: CustomStringConvertible {
  var description: String {
    let gap = 2
    let nameWidth = (rows.map(\.name.count).max() ?? 0) + gap
    let widths = columns.indices.map { column in
      (rows.map { $0.cells[column]?.count ?? 0 } + [columns[column].count]).max() ?? 0
    }
    func pad(_ text: String, to width: Int, with filler: Character) -> String {
      text + String(repeating: filler, count: max(0, width - text.count))
    }
    var lines = [
      pad("", to: nameWidth, with: " ")
        + columns.indices.map { pad(columns[$0], to: widths[$0] + gap, with: " ") }.joined()
    ]
    for row in rows {
      var line = pad(row.name, to: nameWidth, with: " ")
      for column in columns.indices {
        let isLast = column == columns.count - 1
        let width = widths[column] + (isLast ? 0 : gap)
        guard let cell = row.cells[column] else {
          line += pad("", to: width, with: " ")
          continue
        }
        let endsHere = row.hasEnded && (isLast || row.cells[column + 1] == nil)
        line += pad(cell, to: width, with: endsHere ? " " : "─")
      }
      lines.append(line)
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

/// What may have failed.
private protocol Outcome {
  var text: String { get }
}

extension Result: Outcome {
  fileprivate var text: String {
    if case .success(let value) = self { Drawing.text(of: value) } else { Drawing.failure }
  }
}
