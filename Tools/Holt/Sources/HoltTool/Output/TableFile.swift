import Providers
import SPON
import SQLiteCore

/// Writes tables row by row as an ordinary file, which stores only their values.
///
/// A single table is written as an array, or as lines; several tables are written as an object of
/// arrays.
struct TableFile {
  private let format: FileFormat
  private let isObject: Bool
  private let sink: ([UInt8]) throws -> Void
  private var text = ""
  private var spon: SPONStreamWriter?
  private var tableCount = 0
  private var rowCount = 0
  private var columns: [Column] = []
  private var table = ""

  /// A column and the interpretation of its values.
  private struct Column {
    let name: String
    let key: String
    let kind: Kind

    enum Kind { case plain, json, boolean }
  }

  /// - Parameter isObject: Whether to write an object with the tables' names as keys.
  init(_ format: FileFormat, isObject: Bool, to sink: @escaping ([UInt8]) throws -> Void) {
    self.format = format
    self.isObject = isObject
    self.sink = sink
    if format == .spon { spon = SPONStreamWriter(formatting: .prettyPrinted) }
  }

  /// Returns whether files in the format contain exactly one table.
  static func holdsOneTable(_ format: FileFormat) -> Bool { format == .csv || format == .jsonl }

  mutating func beginTable(_ name: String, columns schema: [(name: String, type: String)]) throws {
    table = name
    rowCount = 0
    let keys = RowOutput.distinct(schema.map(\.name))
    columns = zip(schema, keys).map { column, key in
      let kind: Column.Kind =
        switch SQLName.folded(column.type) {
        case "json", "json text": .json
        case "boolean", "bool": .boolean
        default: .plain
        }
      return Column(
        name: column.name, key: format == .json || format == .jsonl ? Self.json(key) + ":" : key,
        kind: kind)
    }
    switch format {
    case .csv: text += Self.csvLine(schema.map { .text($0.name) })
    case .json:
      if isObject { text += "\(tableCount == 0 ? "{\n" : ",\n")\(Self.json(name)):" }
      text += "["
    case .spon:
      if isObject, tableCount == 0 { try spon?.beginObject() }
      if isObject { try spon?.key(name) }
      try spon?.beginArray()
    case .jsonl, .sqlite, .xml: break
    }
    tableCount += 1
  }

  /// - Throws: `ProviderError` if a value is a blob and the format does not support blobs.
  mutating func add(_ values: [SQLiteValue]) throws {
    switch format {
    case .csv:
      for (value, column) in zip(values, columns) { try refuseBlob(value, column) }
      text += Self.csvLine(values)
    case .json:
      text += rowCount == 0 ? "\n" : ",\n"
      text += try object(values)
    case .jsonl:
      text += try object(values)
      text += "\n"
    case .spon: try addToSPON(values)
    case .sqlite, .xml: break
    }
    rowCount += 1
    if text.utf8.count > 1 << 16 { try flush() }
    if let spon, spon.pendingCount > 1 << 16 { try flush() }
  }

  private func object(_ values: [SQLiteValue]) throws -> String {
    var text = "{"
    for (index, (value, column)) in zip(values, columns).enumerated() {
      if index > 0 { text += "," }
      text += column.key
      try refuseBlob(value, column)
      switch (column.kind, value) {
      case (.boolean, .integer(0)): text += "false"
      case (.boolean, .integer(1)): text += "true"
      // Columns declared as JSON are trusted to contain JSON. JSON lines can't contain newlines.
      case (.json, .text(let json)) where !json.utf8.contains(0x0A) || format == .json:
        text += json
      default: text += ResultFormat.jsonText(of: value)
      }
    }
    return text + "}"
  }

  private mutating func addToSPON(_ values: [SQLiteValue]) throws {
    try spon?.beginObject()
    for (value, column) in zip(values, columns) {
      switch (column.kind, value) {
      case (.boolean, .integer(let bit)) where bit == 0 || bit == 1:
        try spon?.write(.bool(bit == 1), forKey: column.key)
      default: try spon?.write(SPONValue(value), forKey: column.key)
      }
    }
    try spon?.end()
  }

  private func refuseBlob(_ value: SQLiteValue, _ column: Column) throws {
    guard case .blob = value else { return }
    throw ProviderError(
      .unrepresentable, "the format does not support blobs; pass --full to write Holt's layout",
      table: table,
      column: column.name)
  }

  mutating func endTable() throws {
    switch format {
    case .json: text += rowCount == 0 ? "]" : "\n]"
    case .spon: try spon?.end()
    case .csv, .jsonl, .sqlite, .xml: break
    }
  }

  mutating func finish() throws {
    if format == .json {
      if isObject { text += tableCount == 0 ? "{}" : "\n}" }
      text += "\n"
    }
    if format == .spon {
      if isObject {
        if tableCount == 0 { try spon?.beginObject() }
        try spon?.end()
      }
      try spon?.finish()
    }
    try flush()
  }

  private mutating func flush() throws {
    if spon != nil {
      let bytes = spon?.take() ?? []
      try sink(bytes)
    } else {
      try sink(Array(text.utf8))
      text.removeAll(keepingCapacity: true)
    }
  }

  private static func json(_ text: String) -> String { ResultFormat.jsonText(of: .text(text)) }

  private static func csvLine(_ values: [SQLiteValue]) -> String {
    ResultFormat.csvLine(of: values)
  }
}
