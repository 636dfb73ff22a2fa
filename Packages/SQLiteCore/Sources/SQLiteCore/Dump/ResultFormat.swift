internal import Primitives

/// A text format for result rows.
public enum ResultFormat: String, Hashable, Sendable, CaseIterable {
  /// Aligned columns, with their names as a header.
  case table
  /// CSV according to RFC 4180 with a header. An unquoted empty field is NULL, a quoted one an empty text. Blobs are
  /// hexadecimal.
  case csv
  /// A JSON array with an object for each row. Blobs are hexadecimal, infinities `9e999`.
  case json
  /// A JSON object on a line for each row, with values as in ``json``.
  case jsonLines
  /// A GitHub Markdown table.
  case markdown
  /// A line for each value, with an empty line between rows.
  case lines
  /// Comma-separated SQL literals, with a line for each row.
  case quoted
}

extension ResultFormat {
  /// Returns a value in the format of ``json`` and ``jsonLines``.
  public static func jsonText(of value: SQLiteValue) -> String { value.jsonText }

  /// Returns a record in the format of ``csv``, with its line break.
  public static func csvLine(of values: [SQLiteValue]) -> String {
    values.map(\.csvField).joined(separator: ",") + "\r\n"
  }
}

extension ResultFormat {
  /// Writes rows as text in one format.
  ///
  /// ```swift
  /// var text = ""
  /// var writer = ResultFormat.Writer(.csv, names: ["id", "name"], to: &text)
  /// writer.add([1, "Ada"], to: &text)
  /// writer.finish(&text)
  /// ```
  ///
  /// A row is written when it is added. In the format ``ResultFormat/table``, all rows are written at the end.
  public struct Writer<Sink: TextOutputStream> {
    private let format: ResultFormat
    private let names: [String]
    /// The names as JSON keys, each with a colon.
    private let keys: [String]
    private var rowCount = 0
    private var table: ColumnTable

    /// Creates a writer, and writes the header if the format has one.
    public init(_ format: ResultFormat, names: [String], to sink: inout Sink) {
      self.format = format
      self.names = names
      let isJSON = format == .json || format == .jsonLines
      keys = isJSON ? names.map { JSONText.quoted($0) + ":" } : []
      table = ColumnTable(names: names)
      switch format {
      case .csv: sink.write(names.map(\.csvField).joined(separator: ",") + "\r\n")
      case .json: sink.write("[")
      case .markdown where !names.isEmpty:
        sink.write("| \(names.map(\.markdownCell).joined(separator: " | ")) |\n")
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
        let cells = values.map { $0.displayText(keepsLines: true).markdownCell }
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
          sink.write("\(space)\(name) = \(value.displayText())\n")
        }
      }
      rowCount += 1
    }

    private func object(_ values: [SQLiteValue]) -> String {
      var text = "{"
      for (index, value) in values.enumerated() where index < keys.count {
        if index > 0 { text += "," }
        text += keys[index]
        text += value.jsonText
      }
      return text + "}"
    }

    /// Writes the end of the format.
    public mutating func finish(_ sink: inout Sink) {
      if format == .json { sink.write("]\n") }
      if format == .table { table.flush(to: &sink) }
    }
  }
}

extension SQLiteValue {
  /// Returns the value for human readers, without quotes and control characters.
  fileprivate func displayText(keepsLines: Bool = false) -> String {
    guard case .text(let text) = self else { return description }
    return text.escapingControlCharacters(keepsLines: keepsLines)
  }

  fileprivate var csvField: String {
    switch self {
    case .null: ""
    case .integer, .real: description
    case .text(let text): text.csvField
    case .blob: hexadecimalDigits
    }
  }

  fileprivate var jsonText: String {
    switch self {
    case .null: "null"
    case .integer, .real: description
    case .text(let text): JSONText.quoted(text)
    case .blob: JSONText.quoted(hexadecimalDigits)
    }
  }

  /// The digits of a blob literal.
  private var hexadecimalDigits: String { String(description.dropFirst(2).dropLast()) }
}

extension String {
  /// Returns the text with line breaks and other control characters escaped.
  fileprivate func escapingControlCharacters(keepsLines: Bool = false) -> String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }) { return self }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars {
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

  fileprivate var csvField: String {
    let isPlain = utf8.allSatisfy { ![0x22, 0x2c, 0x0a, 0x0d, 0x20].contains($0) }
    return isPlain && !isEmpty ? self : quoted(with: UInt8(ascii: "\""))
  }

  /// The text as a cell of a Markdown table.
  fileprivate var markdownCell: String {
    guard utf8.contains(where: { [0x7C, 0x5C, 0x0A, 0x3C].contains($0) }) else { return self }
    var cell = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "|", "\\", "<": cell += "\\\(scalar)"
      case "\n": cell += "<br>"
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return cell
  }
}

extension ResultFormat {
  /// A table of rows in aligned columns, with their names as a header.
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
  /// A column is as wide as its widest value, measured in terminal columns. Rows can be written in parts: the columns
  /// of a later part are at least as wide as in earlier parts.
  public struct ColumnTable: Sendable {
    /// The kind of a table cell, for styling.
    public enum Part: Hashable, Sendable { case name, rule, null, number, text, blob }

    /// Indicates whether numeric columns are right-aligned.
    public var alignsNumbers = false
    /// The maximum width of a value in terminal columns, beyond which it is truncated; `nil` for no limit.
    public var maximumWidth: Int?
    /// Styles a cell, for example with a color. The added text must have no width; padding is not passed to the
    /// closure.
    public var paint: (@Sendable (String, Part) -> String)?
    private var table: TextTable
    /// The cell kinds of the pending rows.
    private var parts: [[Part]] = []
    private var isNumeric: [Bool]
    private var isBegun = false

    public init(names: [String]) {
      table = TextTable(
        names.map { .left($0.escapingControlCharacters(), limit: nil) }, indent: 0, rule: "-")
      isNumeric = Array(repeating: true, count: names.count)
    }

    /// The number of pending rows.
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
      guard let maximumWidth else { return value.displayText() }
      let text =
        switch value {
        case .blob(let bytes) where bytes.count > maximumWidth:
          SQLiteValue.blob(Array(bytes.prefix(maximumWidth))).description
        case .text(let long) where long.utf8.count > maximumWidth * 16:
          String(long.prefix(maximumWidth + 1)).escapingControlCharacters()
        default: value.displayText()
        }
      return text.truncated(to: maximumWidth)
    }

    /// Writes the pending rows, preceded by the header the first time.
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
