internal import Primitives
internal import SQLiteCore

/// Inserts the rows of a table that a document declares.
final class XMLRowInserter {
  private let rows: RowInserter
  private let types: [XMLColumnType]
  private let hasRowID: Bool
  private var lastRowID: Int64 = 0

  init(_ table: StoredTable, _ connection: Connection) throws {
    let columns = table.columns
    types = columns.map { XMLColumnType($0.declaredType) }
    // A column that is an alias of the rowid contains it.
    let rowID = table.rowIDColumn == nil ? table.rowIDName : nil
    hasRowID = rowID != nil
    rows = try RowInserter(
      table.name, columns: columns.map(\.name), rowID: rowID, in: connection)
  }

  var name: String { rows.name }
  func column(_ name: Span<UInt8>) -> Int? { rows.column(name) }
  func columnName(_ column: Int) -> String { rows.columns[column] }
  func isSet(_ column: Int) -> Bool { rows.isSet(column) }

  /// Sets a column of the current row.
  ///
  /// - Parameter valueType: The type attribute of the value; `nil` if there is none.
  /// - Returns: Whether the text is a valid value.
  func set(_ column: Int, _ text: Span<UInt8>, _ valueType: String?) throws -> Bool {
    switch valueType {
    case nil:
      if let number = types[column].number(text) {
        try rows.set(column, number)
      } else {
        try rows.set(column, text: text)
      }
    case "integer":
      guard let value = Int64.exactly(text, 0..<text.count) else { return false }
      try rows.set(column, .integer(value))
    case "real":
      guard let value = XMLColumnType.real(text) else { return false }
      try rows.set(column, .real(value))
    case "text": try rows.set(column, text: text)
    case "base64":
      guard let bytes = try? Base64.decoded(text),
        bytes.elementSpan.firstInvalidUTF8(in: 0..<bytes.count) == nil
      else { return false }
      try rows.set(column, text: bytes.elementSpan)
    case "blob":
      guard let bytes = try? Base64.decoded(text) else { return false }
      try rows.set(column, blob: bytes.elementSpan)
    default: return false
    }
    return true
  }

  /// Inserts the current row.
  ///
  /// - Parameter rowID: The rowid; `nil` for the successor of the previous row's.
  func endRow(rowID: Int64?) throws {
    if hasRowID {
      let (next, isTooLarge) = lastRowID.addingReportingOverflow(1)
      lastRowID = rowID ?? (isTooLarge ? lastRowID : next)
      try rows.setRowID(lastRowID)
    }
    try rows.endRow()
  }
}

/// The interpretation of a text without a type attribute, according to the column's declared type.
enum XMLColumnType {
  case integer, real, number, boolean, text, any

  /// Follows SQLite's rules for declared types. https://sqlite.org/datatype3.html
  init(_ declared: String) {
    let type = declared.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") || type == "ANY" {
      self = .any
    } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
      self = .real
    } else {
      self = type.contains("BOOL") ? .boolean : .number
    }
  }

  /// Returns the number that a text represents; `nil` if the value is the text.
  func number(_ text: Span<UInt8>) -> SQLiteValue? {
    switch self {
    case .text, .any: return nil
    case .real: return Self.real(text).map { .real($0) }
    case .integer, .number, .boolean:
      if let value = Int64.exactly(text, 0..<text.count) { return .integer(value) }
      if self == .boolean, case .boolean(let value) = TableCollector.TextKind(text) {
        return .integer(value ? 1 : 0)
      }
      return Self.real(text).map { .real($0) }
    }
  }

  /// Parses a number in Swift's notation; `nil` if the text is not a number.
  static func real(_ text: Span<UInt8>) -> Double? {
    guard !text.isEmpty, text.count < 400 else { return nil }
    for index in text.indices {
      switch text[index] {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: break
      default:
        switch String(decoding: text.array(0..<text.count), as: UTF8.self) {
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: return nil
        }
      }
    }
    guard let value = Double(String(decoding: text.array(0..<text.count), as: UTF8.self)) else {
      return nil
    }
    return value.isFinite ? value : nil
  }
}
