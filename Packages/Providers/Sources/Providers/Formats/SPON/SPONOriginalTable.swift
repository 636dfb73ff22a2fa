internal import SPON
internal import SQLiteCore

/// The description of a table in a database file.
struct SPONOriginalTable {
  struct Column {
    let name: String
    let type: SPONColumnType
    let object: SPONObject

    var isPrimaryKey: Bool { object["isPrimaryKey"]?.bool == true }
    var isAutoIncrement: Bool { object["autoIncrement"]?.bool == true }
    var isNotNull: Bool { object["allowsNull"]?.bool == false }
  }

  let name: String
  let columns: [Column]
  /// The statement that creates the table, if Holt wrote the file.
  let sql: String?
  let sequence: Int64?
  /// The rowids, as ranges of consecutive rowids; `nil` if they are numbered from 1.
  let rowIDs: [ClosedRange<Int64>]?
  /// A Boolean value that indicates whether the table is an external content full-text index.
  let isRebuilt: Bool

  /// - Returns: `nil` if the value does not describe a table.
  init?(_ value: SPONValue) {
    guard let name = value["name"]?.string, let columns = value["columns"]?.array else {
      return nil
    }
    self.name = name
    self.columns = columns.compactMap { column in
      guard let object = column.object, let name = object["name"]?.string else { return nil }
      let type = object["type"]?.string.flatMap { SPONColumnType(rawValue: $0) }
      return Column(name: name, type: type ?? .none, object: object)
    }
    guard self.columns.count == columns.count else { return nil }
    sql = value["sql"]?.string
    sequence = value["sequence"]?.integer()
    isRebuilt = value["rebuilt"]?.bool == true
    guard let numbers = value["rowids"]?.array else {
      rowIDs = nil
      return
    }
    let integers = numbers.compactMap { $0.integer(as: Int64.self) }
    guard integers.count == numbers.count, integers.count.isMultiple(of: 2) else { return nil }
    var ranges: [ClosedRange<Int64>] = []
    for index in stride(from: 0, to: integers.count, by: 2) {
      let (first, count) = (integers[index], integers[index + 1])
      guard count > 0 else { return nil }
      let (last, isTooLarge) = first.addingReportingOverflow(count - 1)
      guard !isTooLarge else { return nil }
      ranges.append(first...last)
    }
    rowIDs = ranges
  }

  /// The table's declaration for ``DatabaseBuilder``.
  var declaration: TableDeclaration {
    var declaration = TableDeclaration(name: name, sql: sql)
    declaration.sequence = sequence
    declaration.isRebuilt = isRebuilt
    return declaration
  }

  func type(of column: String) -> SPONColumnType {
    columns.first { $0.name.isExactly(column) }?.type ?? .none
  }
}

/// The properties of all rows of a table that only the original's description declares.
struct SPONOriginalProfile {
  /// The keys that the description lacks, in order of appearance.
  let unknownKeys: [String]
  private let rowCount: Int
  private var columns: [ExactText: Column] = [:]

  private struct Column {
    /// The number of values.
    var count = 0
    var isChanged = false
    var hasOnlyIntegers = true
  }

  init(_ table: SPONOriginalTable, _ rows: borrowing SPONRowBuffer) {
    rowCount = rows.count
    let keys = (0..<rows.keys.count).map { rows.keys[$0] }
    let types = keys.map { key in table.columns.first { $0.name.isExactly(key) }?.type }
    unknownKeys = zip(keys, types).compactMap { key, type in type == nil ? key : nil }
    var columns = Array(repeating: Column(), count: keys.count)
    for row in 0..<rows.count {
      for cell in rows.cells(ofRow: row) {
        let type = types[cell.key] ?? .none
        let stored = type.stored(rows.value(of: cell))
        guard stored != .null else { continue }
        columns[cell.key].count += 1
        if case .integer = stored {} else { columns[cell.key].hasOnlyIntegers = false }
        if Self.isChanged(stored, by: type) { columns[cell.key].isChanged = true }
      }
    }
    for (key, column) in zip(keys, columns) { self.columns[ExactText(key)] = column }
  }

  func hasNull(_ key: String) -> Bool { (columns[ExactText(key)]?.count ?? 0) < rowCount }

  /// Returns whether SQLite would convert a value of a column with the declared type.
  func isChanged(_ key: String) -> Bool { columns[ExactText(key)]?.isChanged ?? false }

  func hasOnlyIntegers(_ key: String) -> Bool { columns[ExactText(key)]?.hasOnlyIntegers ?? true }

  /// Returns whether SQLite would convert a value with the declared type. Converting a number in a
  /// text column to text does not count, because the original reads such strings as numbers.
  private static func isChanged(_ value: SQLiteValue, by type: SPONColumnType) -> Bool {
    switch (type, value) {
    case (.integer, .text(let text)), (.float, .text(let text)), (.boolean, .text(let text)):
      guard let first = text.utf8.first else { return false }
      return first <= 0x20 || 0x2B...0x2E ~= first || 0x30...0x39 ~= first
    case (.float, .integer(let number)): return Int64(exactly: Double(number)) != number
    case (.integer, .real), (.boolean, .real): return true
    default: return false
    }
  }
}

extension SPONOriginalTable {
  /// Returns the statement that creates the table, derived from the original's description and the
  /// rows.
  ///
  /// A key column with NULL or duplicate values is not declared as the primary key, and a column
  /// whose values SQLite would convert has no declared type.
  func statement(_ profile: SPONOriginalProfile, hasKey: Bool) -> String {
    let keys = hasKey ? columns.filter(\.isPrimaryKey) : []
    let isKey = !keys.isEmpty && !keys.contains { profile.hasNull($0.name) }
    let check = SPONCheck(columns: Set<ExactText>(texts: columns.map(\.name)))
    var parts: [String] = []
    for column in columns {
      var words = [SQLName.quoted(column.name)]
      let declaration = profile.isChanged(column.name) ? "" : column.type.declaration
      if !declaration.isEmpty { words.append(declaration) }
      if isKey, keys.count == 1, column.isPrimaryKey {
        let isRowID = declaration == "INTEGER" && profile.hasOnlyIntegers(column.name)
        if declaration == "INTEGER", !isRowID { words.removeLast() }
        words.append("PRIMARY KEY")
        if isRowID, column.isAutoIncrement { words.append("AUTOINCREMENT") }
        if !isRowID, column.isNotNull { words.append("NOT NULL") }
      } else if column.isNotNull, !profile.hasNull(column.name) {
        words.append("NOT NULL")
      }
      if let value = column.object["defaultValue"] {
        let stored = column.type.stored(value)
        if stored != .null { words.append("DEFAULT \(stored)") }
      }
      if let sql = column.object["check"].flatMap({ check.sql($0) }) {
        words.append("CHECK (\(sql))")
      }
      parts.append(words.joined(separator: " "))
    }
    parts += profile.unknownKeys.map { SQLName.quoted($0) }
    if isKey, keys.count > 1 {
      let names = keys.map { SQLName.quoted($0.name) }.joined(separator: ", ")
      parts.append("PRIMARY KEY (\(names))")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }
}

/// The column types in a database file of the original.
enum SPONColumnType: String, Sendable {
  case null = "NULL", integer = "INTEGER", float = "FLOAT", text = "TEXT", color = "COLOR"
  case blob = "BLOB", none = "NONE", date = "DATE", boolean = "BOOLEAN"

  /// Creates the closest equivalent of a declared SQL type.
  init(declared: String) {
    let name = declared.uppercased()
    // The order in which SQLite determines a column's affinity, preceded by names of types.
    let words: [(String, SPONColumnType)] = [
      ("BOOL", .boolean), ("COLOR", .color), ("DATE", .date), ("INT", .integer), ("CHAR", .text),
      ("CLOB", .text), ("TEXT", .text), ("BLOB", .blob), ("REAL", .float), ("FLOA", .float),
      ("DOUB", .float),
    ]
    self = words.first { name.contains($0.0) }?.1 ?? .none
  }

  /// The declared SQL type, chosen so that SQLite does not convert values of this type.
  ///
  /// `COLOR` or `DATE` without `TEXT` would convert `001122` to a number.
  var declaration: String {
    switch self {
    case .null, .none: ""
    case .color, .date: "\(rawValue) TEXT"
    default: rawValue
    }
  }

  var storesText: Bool { self == .text || self == .color || self == .date }

  // MARK: Values

  /// Returns the stored form of a value in a column of this type.
  ///
  /// Blobs are Base64 strings. A string in a blob column that is not Base64 stays a string.
  func stored(_ value: SPONValue) -> SQLiteValue {
    switch value {
    case .null: return .null
    case .bool(let value):
      return storesText ? .text(value ? "true" : "false") : .integer(value ? 1 : 0)
    case .integer(let value): return .integer(value)
    case .unsigned(let value):
      return Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
    // The decimal number in the text, such as 0.1, which a `Float` only approximates.
    case .float(let value): return number(Double(value.description) ?? Double(value))
    case .double(let value): return number(value)
    case .string(let text):
      if self == .blob, let bytes = SPONValue.opaque(text).bytes { return .blob(bytes) }
      return .text(text)
    case .opaque(let text): return .text(text)
    case .decimal(let value): return .text(value.description)
    case .instant(let value): return .text(value.description)
    case .bytes(let bytes): return .blob(bytes)
    case .array, .object:
      // A value that was read is not too deeply nested to be written.
      return .text((try? value.text()) ?? "")
    }
  }

  private func number(_ value: Double) -> SQLiteValue {
    guard value.isNaN else { return .real(value) }
    return storesText ? .text("nan") : .null
  }

  /// Returns the written form of a column's value, which ``stored(_:)`` converts back; `nil` for
  /// `NULL`, which is omitted.
  ///
  /// - Parameter nests: Whether a string that contains a SPON object or array is written as one.
  func written(_ value: SQLiteValue, nests: Bool = false) -> SPONValue? {
    switch value {
    case .null: return nil
    case .integer(let number):
      return self == .boolean && 0...1 ~= number ? .bool(number == 1) : .integer(number)
    case .real(let number):
      // The original has only such numbers in the column.
      if self == .float, Double(Float(number).description)?.bitPattern == number.bitPattern {
        return .float(Float(number))
      }
      return .double(number)
    case .text(let text):
      if nests, let value = SPONValue(nested: text) { return value }
      return self == .blob ? .opaque(text) : .string(text)
    case .blob(let bytes):
      guard self == .blob else { return .bytes(bytes) }
      // The element without its type mark.
      let base64 = try? SPONValue.bytes(bytes).text(version: .two)
      return .string(String(base64?.dropLast() ?? ""))
    }
  }
}

extension SPONValue {
  /// Parses an object or array from a string; `nil` if writing it would not produce the same text.
  init?(nested text: String) {
    guard text.hasPrefix("@obj") || text.hasPrefix("@array"),
      let value = try? SPONValue(parsing: text, limits: Limits(depth: 256)),
      value.array != nil || value.object != nil, (try? value.text()) == text
    else { return nil }
    self = value
  }
}
