internal import Primitives
internal import SQLiteCore

/// Inserts the rows of a table that a document declares.
final class XMLDatabaseRows {
  let name: String
  private let columns: [ColumnSchema]
  private let names: [[UInt8]]
  private let types: [XMLColumnType]
  private let statement: Statement
  private let hasRowID: Bool
  private var isSet: [Bool]
  /// Where the next column is looked for first.
  private var next = 0
  private var lastRowID: Int64 = 0

  init(_ table: StoredTable, _ connection: Connection) throws {
    name = table.name
    columns = table.columns
    names = columns.map { Array($0.name.utf8) }
    types = columns.map { XMLColumnType($0.declaredType) }
    isSet = Array(repeating: false, count: columns.count)
    var all = columns.map { SQLName.quoted($0.name) }
    // A column that is the row's number has it.
    if table.rowIDColumn == nil, let rowID = table.rowIDName {
      all.append(rowID)
      hasRowID = true
    } else {
      hasRowID = false
    }
    let marks = Array(repeating: "?", count: all.count).joined(separator: ", ")
    statement = try connection.prepare(
      "INSERT INTO \(identifier: name) (\(unsafe: all.joined(separator: ", "))) VALUES (\(unsafe: marks))"
    )
  }

  /// The number of a column; -1 where there is none.
  func column(_ name: Span<UInt8>) -> Int {
    if next < names.count, Self.isSame(names[next], name) {
      next += 1
      return next - 1
    }
    let at = names.firstIndex { Self.isSame($0, name) } ?? -1
    next = at + 1
    return at
  }

  func columnName(_ column: Int) -> String { columns[column].name }
  func isSet(_ column: Int) -> Bool { isSet[column] }

  private static func isSame(_ name: [UInt8], _ other: Span<UInt8>) -> Bool {
    guard name.count == other.count else { return false }
    for index in other.indices where name[index] != other[index] { return false }
    return true
  }

  /// Sets a column of the row.
  ///
  /// - Parameter mark: What the value is, where it is said.
  /// - Returns: Whether the text is such a value.
  func set(_ column: Int, _ text: Span<UInt8>, _ mark: String?) throws -> Bool {
    let index = ParameterIndex(column + 1)
    isSet[column] = true
    switch mark {
    case nil:
      switch types[column].value(text) {
      case .integer(let value): try statement.bindInteger(value, at: index)
      case .real(let value): try statement.bindReal(value, at: index)
      case .text: try statement.bindText(text, at: index)
      }
    case "integer":
      guard let value = Int64.exactly(text, 0..<text.count) else { return false }
      try statement.bindInteger(value, at: index)
    case "real":
      guard let value = XMLColumnType.real(text) else { return false }
      try statement.bindReal(value, at: index)
    case "text": try statement.bindText(text, at: index)
    case "base64":
      guard let bytes = try? Base64.decoded(text),
        bytes.span.firstInvalidUTF8(in: 0..<bytes.count) == nil
      else { return false }
      try statement.bindText(bytes.span, at: index)
    case "blob":
      guard let bytes = try? Base64.decoded(text) else { return false }
      try statement.bindBlob(bytes.span, at: index)
    default: return false
    }
    return true
  }

  /// Inserts the row. Columns that were not set are NULL.
  ///
  /// - Parameter rowID: SQLite's number of the row; `nil` where it is the one behind that of the last.
  func endRow(rowID: Int64?) throws {
    if hasRowID {
      let (next, isTooLarge) = lastRowID.addingReportingOverflow(1)
      lastRowID = rowID ?? (isTooLarge ? lastRowID : next)
      try statement.bindInteger(lastRowID, at: ParameterIndex(columns.count + 1))
    }
    try statement.run()
    statement.clearBindings()
    for index in isSet.indices { isSet[index] = false }
    next = 0
  }
}

/// What a text in a column says where nothing else is said: what suits the column's declared type.
enum XMLColumnType {
  case integer, real, number, boolean, text, any

  enum Value: Equatable {
    case integer(Int64)
    case real(Double)
    case text
  }

  /// As SQLite takes declared types. https://sqlite.org/datatype3.html
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

  func value(_ text: Span<UInt8>) -> Value {
    switch self {
    case .text, .any: return .text
    case .real: return Self.real(text).map { .real($0) } ?? .text
    case .integer, .number, .boolean:
      if let value = Int64.exactly(text, 0..<text.count) { return .integer(value) }
      if self == .boolean, case .boolean(let value) = TextKind(text) {
        return .integer(value ? 1 : 0)
      }
      return Self.real(text).map { .real($0) } ?? .text
    }
  }

  /// The number that digits say, as Swift writes them; `nil` where they say none.
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
