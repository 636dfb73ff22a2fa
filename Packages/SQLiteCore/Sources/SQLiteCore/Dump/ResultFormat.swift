internal import Primitives

/// How rows are written as text.
public enum ResultFormat: String, Hashable, Sendable, CaseIterable {
  /// Columns that stand below each other, under their names.
  case table
  /// As RFC 4180 has it, with a header; an empty field is NULL, a quoted one an empty text. Blobs are
  /// hexadecimal.
  case csv
  /// An array with an object for each row. Blobs are hexadecimal, infinities `9e999`.
  case json
  /// A line with an object for each row, its values as in ``json``.
  case jsonLines
  /// A table of GitHub's Markdown.
  case markdown
  /// A line for each value, and an empty one between rows.
  case lines
  /// SQL literals with commas between them, a line for each row.
  case quoted
}

extension ResultFormat {
  /// A value as ``json`` and ``jsonLines`` write it.
  public static func jsonText(of value: SQLiteValue) -> String { ResultText.json(value) }

  /// A record as ``csv`` writes it, with its line's end.
  public static func csvLine(of values: [SQLiteValue]) -> String {
    values.map(ResultText.csv).joined(separator: ",") + "\r\n"
  }
}

extension ResultFormat {
  /// Writes rows as text, one after another, in one format.
  ///
  /// ```swift
  /// var text = ""
  /// var writer = ResultFormat.Writer(.csv, names: ["id", "name"], to: &text)
  /// writer.add([1, "Ada"], to: &text)
  /// writer.finish(&text)
  /// ```
  ///
  /// A row is written as it is added; those of ``ResultFormat/table`` when the last one is there.
  public struct Writer<Sink: TextOutputStream> {
    private let format: ResultFormat
    private let names: [String]
    /// The names as keys of objects, each with its colon.
    private let keys: [String]
    private var rowCount = 0
    private var table: ColumnTable

    /// Begins: the names are written, where a format has them first.
    public init(_ format: ResultFormat, names: [String], to sink: inout Sink) {
      self.format = format
      self.names = names
      let isJSON = format == .json || format == .jsonLines
      keys = isJSON ? names.map { JSONText.quoted($0) + ":" } : []
      table = ColumnTable(names: names)
      switch format {
      case .csv: sink.write(names.map(ResultText.csv).joined(separator: ",") + "\r\n")
      case .json: sink.write("[")
      case .markdown where !names.isEmpty:
        sink.write("| \(names.map(ResultText.markdown).joined(separator: " | ")) |\n")
        sink.write("|\(names.map { _ in " --- |" }.joined())\n")
      case .table, .lines, .quoted, .jsonLines, .markdown: break
      }
    }

    /// Adds a row, with a value for each name.
    public mutating func add(_ values: [SQLiteValue], to sink: inout Sink) {
      switch format {
      case .table: table.add(values)
      case .jsonLines: sink.write(object(values) + "\n")
      case .markdown:
        let cells = values.map { ResultText.markdown(ResultText.plain($0, keepsLines: true)) }
        sink.write("| \(cells.joined(separator: " | ")) |\n")
      case .csv: sink.write(ResultFormat.csvLine(of: values))
      case .quoted: sink.write(values.map(\.description).joined(separator: ",") + "\n")
      case .json:
        sink.write((rowCount == 0 ? "" : ",\n") + object(values))
      case .lines:
        let width = names.map(\.count).max() ?? 0
        if rowCount > 0 { sink.write("\n") }
        for (name, value) in zip(names, values) {
          let space = String(repeating: " ", count: width - name.count)
          sink.write("\(space)\(name) = \(ResultText.plain(value))\n")
        }
      }
      rowCount += 1
    }

    private func object(_ values: [SQLiteValue]) -> String {
      var text = "{"
      for (index, value) in values.enumerated() where index < keys.count {
        if index > 0 { text += "," }
        text += keys[index]
        text += ResultText.json(value)
      }
      return text + "}"
    }

    /// Ends: what a format has last is written.
    public mutating func finish(_ sink: inout Sink) {
      if format == .json { sink.write("]\n") }
      if format == .table { table.flush(to: &sink) }
    }
  }
}

/// A value as text, in each format.
enum ResultText {
  /// The value for a person: no quotes, and nothing that would break the line.
  static func plain(_ value: SQLiteValue, keepsLines: Bool = false) -> String {
    guard case .text(let text) = value else { return value.description }
    return onOneLine(text, keepsLines: keepsLines)
  }

  /// A text without what would break a line, or move what a terminal shows.
  static func onOneLine(_ text: String, keepsLines: Bool = false) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if keepsLines, scalar == "\n" {
        plain.append(scalar)
      } else if scalar.value < 32 || (127..<160).contains(scalar.value) {
        plain.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        plain.append(scalar)
      }
    }
    return String(plain)
  }

  static func csv(_ value: SQLiteValue) -> String {
    switch value {
    case .null: ""
    case .integer, .real: value.description
    case .text(let text): csv(text)
    case .blob(let bytes): hexadecimal(bytes)
    }
  }

  static func csv(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { ![0x22, 0x2c, 0x0a, 0x0d, 0x20].contains($0) }
    return isPlain && !text.isEmpty ? text : text.quoted(with: UInt8(ascii: "\""))
  }

  /// A cell of a table in Markdown.
  static func markdown(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x7C, 0x5C, 0x0A, 0x3C].contains($0) }) else { return text }
    var cell = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "|", "\\", "<": cell += "\\\(scalar)"
      case "\n": cell += "<br>"
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return cell
  }

  static func json(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "null"
    case .integer, .real: value.description
    case .text(let text): JSONText.quoted(text)
    case .blob(let bytes): JSONText.quoted(hexadecimal(bytes))
    }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(SQLiteValue.blob(bytes).description.dropFirst(2).dropLast())
  }
}

extension ResultFormat {
  /// Rows as columns that stand below each other, under their names.
  ///
  /// ```swift
  /// var table = ResultFormat.ColumnTable(names: ["id", "name"])
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
  public struct ColumnTable: Sendable {
    /// What a piece of a table is, for who paints it.
    public enum Part: Hashable, Sendable { case name, rule, null, number, text, blob }

    /// Whether columns of numbers end, and not begin, below each other.
    public var alignsNumbers = false
    /// The most columns of a terminal that a value takes before it is cut; `nil` for no limit.
    public var maximumWidth: Int?
    /// Gives a piece its colour, say. What it adds must take no place; the spaces around are not handed to it.
    public var paint: (@Sendable (String, Part) -> String)?
    private var table: TextTable
    /// The parts of each row that waits.
    private var parts: [[Part]] = []
    private var isNumeric: [Bool]
    private var isBegun = false

    public init(names: [String]) {
      table = TextTable(
        names.map { .left(ResultText.onOneLine($0), limit: nil) }, indent: 0, rule: "-")
      isNumeric = Array(repeating: true, count: names.count)
    }

    /// How many rows wait to be written.
    public var pendingCount: Int { parts.count }

    /// Adds a row, with a value for each column.
    public mutating func add(_ values: [SQLiteValue]) {
      let parts = values.map(Self.part)
      for (index, part) in parts.enumerated() where index < isNumeric.count {
        if part != .number, part != .null { isNumeric[index] = false }
      }
      table.add(values.map(text))
      self.parts.append(parts)
    }

    private static func part(_ value: SQLiteValue) -> Part {
      switch value {
      case .null: .null
      case .integer, .real: .number
      case .text: .text
      case .blob: .blob
      }
    }

    private func text(_ value: SQLiteValue) -> String {
      guard let maximumWidth else { return ResultText.plain(value) }
      let text =
        switch value {
        case .blob(let bytes) where bytes.count > maximumWidth:
          SQLiteValue.blob(Array(bytes.prefix(maximumWidth))).description
        case .text(let long) where long.utf8.count > maximumWidth * 16:
          ResultText.onOneLine(String(long.prefix(maximumWidth + 1)))
        default: ResultText.plain(value)
        }
      return text.truncated(to: maximumWidth)
    }

    /// Writes the rows that wait; before the first ones, the names.
    public mutating func flush<Sink: TextOutputStream>(to sink: inout Sink) {
      guard !isNumeric.isEmpty else { return }
      if !isBegun, parts.isEmpty { isNumeric = isNumeric.map { _ in false } }
      isBegun = true
      for index in isNumeric.indices {
        table.columns[index].alignment = alignsNumbers && isNumeric[index] ? .right : .left
      }
      let lines = table.takeLines { cell, line, column in
        guard let paint else { return cell }
        return switch line {
        case .titles: paint(cell, .name)
        case .rule: paint(cell, .rule)
        case .row(let row): paint(cell, parts[row][column])
        }
      }
      for line in lines { sink.write(line + "\n") }
      parts.removeAll(keepingCapacity: true)
    }
  }
}
