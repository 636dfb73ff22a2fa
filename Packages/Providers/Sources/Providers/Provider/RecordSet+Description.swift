internal import SQLiteCore

extension RecordSet: CustomStringConvertible {
  /// A table for people: numbers stand at the right, long texts and many rows are cut short.
  public var description: String { table() }

  /// A table for people.
  ///
  /// ```
  /// id | name
  /// ---|------
  ///  1 | Milk
  ///  2 | Bread
  /// ```
  ///
  /// - Parameters:
  ///   - maximumRows: Of more rows the first ones are shown, and how many there are besides.
  ///   - maximumWidth: Of a longer value the beginning is shown, in characters.
  public func table(maximumRows: Int = 100, maximumWidth: Int = 60) -> String {
    if columns.isEmpty { return "no columns" }
    let shown = prefix(Swift.max(0, maximumRows)).map { record in
      record.values.map { Self.cell($0, Swift.max(1, maximumWidth)) }
    }
    let isNumber = columns.indices.map { place in
      !isEmpty && prefix(shown.count).allSatisfy { $0[place].isNumberOrNull }
    }
    let titles = columns.map { Self.cut($0, Swift.max(1, maximumWidth)) }
    let widths = titles.indices.map { place in
      shown.reduce(titles[place].count) { Swift.max($0, $1[place].count) }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { place in
        let space = String(repeating: " ", count: widths[place] - cells[place].count)
        return isNumber[place] ? space + cells[place] : cells[place] + space
      }
      var line = padded.joined(separator: " | ")
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "-|-")
    var lines = [line(titles), rule] + shown.map(line)
    if count > shown.count { lines.append("… and \(count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  private static func cell(_ value: SQLiteValue, _ width: Int) -> String {
    switch value {
    case .null: "NULL"
    case .integer, .real: value.description
    case .text(let text): cut(text, width)
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }

  /// The beginning of a text, on one line.
  private static func cut(_ text: String, _ width: Int) -> String {
    let beginning = String(
      text.prefix(width + 1).map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 })
    return beginning.count > width ? beginning.prefix(width - 1) + "…" : beginning
  }
}

extension SQLiteValue {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .integer, .real, .null: true
    case .text, .blob: false
    }
  }
}
