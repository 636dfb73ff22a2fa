/// How rows are written as text.
public enum ResultFormat: String, Hashable, Sendable, CaseIterable {
  /// Columns that stand below each other, under their names.
  case table
  /// As RFC 4180 has it, with a header; an empty field is NULL, a quoted one an empty text. Blobs are
  /// hexadecimal.
  case csv
  /// An array with an object for each row. Blobs are hexadecimal, infinities `9e999`.
  case json
  /// A line for each value, and an empty one between rows.
  case lines
  /// SQL literals with commas between them, a line for each row.
  case quoted
}

/// Writes rows, one after another, in one format.
struct ResultWriter<Sink: TextOutputStream> {
  private let format: ResultFormat
  private let names: [String]
  private var rowCount = 0
  /// A table's rows: its columns are as wide as their widest value, which may be the last.
  private var cells: [[String]] = []

  init(_ format: ResultFormat, names: [String], to sink: inout Sink) {
    self.format = format
    self.names = names
    switch format {
    case .csv: sink.write(names.map(ResultText.csv).joined(separator: ",") + "\r\n")
    case .json: sink.write("[")
    case .table, .lines, .quoted: break
    }
  }

  mutating func add(_ values: [SQLiteValue], to sink: inout Sink) {
    switch format {
    case .table: cells.append(values.map(ResultText.plain))
    case .csv: sink.write(values.map(ResultText.csv).joined(separator: ",") + "\r\n")
    case .quoted: sink.write(values.map(\.description).joined(separator: ",") + "\n")
    case .json:
      let members = zip(names, values).map { "\(ResultText.json($0)):\(ResultText.json($1))" }
      sink.write((rowCount == 0 ? "" : ",\n") + "{\(members.joined(separator: ","))}")
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

  func finish(_ sink: inout Sink) {
    if format == .json { sink.write("]\n") }
    guard format == .table, !names.isEmpty else { return }
    let widths = names.indices.map { column in
      max(names[column].count, cells.map { $0[column].count }.max() ?? 0)
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    for row in [names, rule] + cells {
      var line = ""
      for (text, width) in zip(row, widths) {
        line += text + String(repeating: " ", count: width - text.count + 2)
      }
      while line.last == " " { line.removeLast() }
      sink.write(line + "\n")
    }
  }
}

/// A value as text, in each format.
private enum ResultText {
  /// The value for a person: no quotes, and nothing that would break the line.
  static func plain(_ value: SQLiteValue) -> String {
    guard case .text(let text) = value else { return value.description }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.value < 32 || scalar.value == 127 {
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

  static func json(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "null"
    case .integer, .real: value.description
    case .text(let text): json(text)
    case .blob(let bytes): json(hexadecimal(bytes))
    }
  }

  static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(SQLiteValue.blob(bytes).description.dropFirst(2).dropLast())
  }
}
