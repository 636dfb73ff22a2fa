/// The tables, links and headings of a Markdown page.
struct MarkdownPage {
  private(set) var tables: [Table] = []
  /// The targets of all links and pictures, with their lines.
  private(set) var targets: [Target] = []
  /// The anchors of the headings.
  private(set) var anchors: Set<String> = []
  /// The targets of `[name]: target` lines.
  private(set) var links: [String: String] = [:]

  struct Table {
    let head: [String]
    var rows: [Row] = []
  }

  struct Row {
    let cells: [String]
    let line: Int
  }

  struct Target {
    let text: String
    let line: Int
  }

  /// Code that is a link: `` [`text`][label] ``.
  struct Reference: Equatable {
    let text: String
    let label: String
  }

  init(_ text: String) {
    var isCode = false
    var previous: [String]?
    var isInTable = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { continue }
      if line.hasPrefix("#") { anchors.insert(Self.anchor(line)) }
      targets += Self.targets(in: line).map { Target(text: $0, line: offset + 1) }
      if let (name, target) = Self.definition(line) { links[name] = target }
      guard let cells = Self.cells(line) else {
        (previous, isInTable) = (nil, false)
        continue
      }
      if isInTable {
        tables[tables.count - 1].rows.append(Row(cells: cells, line: offset + 1))
      } else if let head = previous, Self.isRule(cells) {
        tables.append(Table(head: head))
        isInTable = true
      }
      previous = cells
    }
  }

  /// Returns the cells of a row, or `nil` for a line that is not a row.
  private static func cells(_ line: Substring) -> [String]? {
    let line = trimmed(line)
    guard line.hasPrefix("|"), line.hasSuffix("|"), line.count > 1 else { return nil }
    var cells: [String] = []
    var cell = ""
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append(trimmed(cell[...]))
        cell = ""
      } else {
        if character == "|" { cell.removeLast() }
        cell.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return cells
  }

  /// Returns whether a row separates a table's head from its body.
  private static func isRule(_ cells: [String]) -> Bool {
    cells.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "-" || $0 == ":" } }
  }

  private static func definition(_ line: Substring) -> (name: String, target: String)? {
    guard line.hasPrefix("["), let end = line.firstRange(of: "]: ") else { return nil }
    let name = line[line.index(after: line.startIndex)..<end.lowerBound]
    return name.isEmpty ? nil : (String(name), trimmed(line[end.upperBound...]))
  }

  /// Returns the targets of links outside of code.
  private static func targets(in line: Substring) -> [String] {
    if let (_, target) = definition(line) { return [target] }
    return line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  /// Returns the anchor that a heading has on GitHub.
  private static func anchor(_ heading: Substring) -> String {
    let text = trimmed(heading.drop { $0 == "#" }).lowercased().replacing(" ", with: "-")
    return text.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Returns a link's target as a path from the root. The target is relative to the page.
  static func path(of target: some StringProtocol, on page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  /// Returns the references of a cell, in order.
  static func references(in cell: String) -> [Reference] {
    cell.matches(of: /\[`([^`]+)`\]\[([^\]]+)\]/).map {
      Reference(text: String($0.1), label: String($0.2))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
  }
}
