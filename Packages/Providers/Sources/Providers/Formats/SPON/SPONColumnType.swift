internal import SPON
internal import SQLiteCore

/// The types that columns have in a database file of the original.
enum SPONColumnType: String, Sendable {
  case null = "NULL", integer = "INTEGER", float = "FLOAT", text = "TEXT", color = "COLOR"
  case blob = "BLOB", none = "NONE", date = "DATE", boolean = "BOOLEAN"

  /// The nearest one to a type that SQL declares.
  init(declared: String) {
    let name = declared.uppercased()
    // In the order in which SQLite looks for what tells a column's affinity, and names before it.
    let words: [(String, SPONColumnType)] = [
      ("BOOL", .boolean), ("COLOR", .color), ("DATE", .date), ("INT", .integer), ("CHAR", .text),
      ("CLOB", .text), ("TEXT", .text), ("BLOB", .blob), ("REAL", .float), ("FLOA", .float),
      ("DOUB", .float),
    ]
    self = words.first { name.contains($0.0) }?.1 ?? .none
  }

  /// What SQL declares for it, so that SQLite changes no value that is of this type.
  ///
  /// `COLOR` and `DATE` alone would make a number of `001122`.
  var declaration: String {
    switch self {
    case .null, .none: ""
    case .color, .date: "\(rawValue) TEXT"
    default: rawValue
    }
  }

  var holdsTexts: Bool { self == .text || self == .color || self == .date }

  // MARK: Values

  /// What a column of this type holds for a value.
  ///
  /// Blobs are texts in Base64 there. A text in such a column that is none is kept as text.
  func stored(_ value: SPONValue) -> SQLiteValue {
    switch value {
    case .null: return .null
    case .bool(let value):
      return holdsTexts ? .text(value ? "true" : "false") : .integer(value ? 1 : 0)
    case .integer(let value): return .integer(value)
    case .unsigned(let value):
      return Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
    // The number that its text says: that of 0.1, which a `Float` only comes near to.
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
      // A value that was read is not nested deeper than can be written.
      return .text((try? value.text()) ?? "")
    }
  }

  private func number(_ value: Double) -> SQLiteValue {
    guard value.isNaN else { return .real(value) }
    return holdsTexts ? .text("nan") : .null
  }

  /// How a value of a column of this type is written, so that ``stored(_:)`` gives it again; `nil` for `NULL`, which
  /// has no pair.
  ///
  /// - Parameter nests: Whether a text that is an object or array of SPON is written as one.
  func written(_ value: SQLiteValue, nests: Bool = false) -> SPONValue? {
    switch value {
    case .null: return nil
    case .integer(let number):
      return self == .boolean && 0...1 ~= number ? .bool(number == 1) : .integer(number)
    case .real(let number):
      // The original has no other numbers in such a column.
      if self == .float, Double(Float(number).description)?.bitPattern == number.bitPattern {
        return .float(Float(number))
      }
      return .double(number)
    case .text(let text):
      if nests, let value = SPONValue(nested: text) { return value }
      return self == .blob ? .opaque(text) : .string(text)
    case .blob(let bytes):
      guard self == .blob else { return .bytes(bytes) }
      // The element without its mark.
      let base64 = try? SPONValue.bytes(bytes).text(version: .two)
      return .string(String(base64?.dropLast() ?? ""))
    }
  }
}

extension SPONValue {
  /// The object or array that a text says, if it would be written as the same text.
  init?(nested text: String) {
    guard text.hasPrefix("@obj") || text.hasPrefix("@array"),
      let value = try? SPONValue(parsing: text, limits: Limits(depth: 256)),
      value.array != nil || value.object != nil, (try? value.text()) == text
    else { return nil }
    self = value
  }
}
