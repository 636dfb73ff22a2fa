internal import SQLiteCore

/// A row of another table, as it came within a row.
struct EmbeddedRow {
  var names: [String] = []
  var values: [EmbeddedValue] = []
}

/// What a column of an embedded row holds.
enum EmbeddedValue {
  case value(SQLiteValue)
  case row(EmbeddedRow, text: String)
  case rows([EmbeddedRow], text: String)

  /// The value of the column, as SQLite has it: of rows their text.
  var plain: SQLiteValue {
    switch self {
    case .value(let value): value
    case .row(_, let text), .rows(_, let text): .text(text)
    }
  }
}

/// Reads the text that ``StatementWriter`` has SQLite make of embedded rows: JSON in which each value keeps its
/// storage class.
///
/// A row is an object, rows are an array of objects, a BLOB is an array of one text, its digits. A number with a
/// point or an exponent is a real one. `true` and `false` are 1 and 0 of a column that is declared to hold them.
struct EmbeddedText {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  /// A response from elsewhere may be nested to any depth.
  private static let maximumDepth = 100

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What a text holds; `nil` where it is no such text.
  static func read(_ text: String) -> EmbeddedValue? {
    var reader = EmbeddedText(Array(text.utf8))
    guard let value = reader.value(), reader.position == reader.bytes.count else { return nil }
    if case .value = value { return nil }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let word = Array(word.description.utf8)
    guard bytes[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func value() -> EmbeddedValue? {
    let start = position
    switch next {
    case UInt8(ascii: "{"):
      guard let row = row() else { return nil }
      return .row(row, text: text(from: start))
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return string().map { .value(.text($0)) }
    case UInt8(ascii: "n"): return take(word: "null") ? .value(.null) : nil
    case UInt8(ascii: "t"): return take(word: "true") ? .value(.integer(1)) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .value(.integer(0)) : nil
    default: return number()
    }
  }

  private mutating func row() -> EmbeddedRow? {
    var row = EmbeddedRow()
    guard depth < Self.maximumDepth, take("{") else { return nil }
    depth += 1
    defer { depth -= 1 }
    if take("}") { return row }
    repeat {
      guard let name = string(), take(":"), let value = value() else { return nil }
      row.names.append(name)
      row.values.append(value)
    } while take(",")
    return take("}") ? row : nil
  }

  private mutating func list() -> EmbeddedValue? {
    let start = position
    guard take("[") else { return nil }
    if take("]") { return .rows([], text: "[]") }
    if next == UInt8(ascii: "\"") {
      guard let digits = string(), take("]"), let blob = Self.blob(digits) else { return nil }
      return .value(.blob(blob))
    }
    var rows: [EmbeddedRow] = []
    repeat {
      guard let row = row() else { return nil }
      rows.append(row)
    } while take(",")
    return take("]") ? .rows(rows, text: text(from: start)) : nil
  }

  private static func blob(_ digits: String) -> [UInt8]? {
    var blob: [UInt8] = []
    var high: UInt8?
    for byte in digits.utf8 {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      if let first = high {
        blob.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return high == nil ? blob : nil
  }

  private mutating func number() -> EmbeddedValue? {
    let start = position
    var isReal = false
    while let byte = next {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isReal = true
      default:
        return Self.number(text(from: start), isReal)
      }
      position += 1
    }
    return Self.number(text(from: start), isReal)
  }

  private static func number(_ digits: String, _ isReal: Bool) -> EmbeddedValue? {
    if isReal { return Double(digits).map { .value(.real($0)) } }
    return Int64(digits).map { .value(.integer($0)) }
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var start = position
    var found: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        found += bytes[start..<position]
        position += 1
        return String(decoding: found, as: UTF8.self)
      case UInt8(ascii: "\\"):
        found += bytes[start..<position]
        position += 1
        guard let scalar = escaped() else { return nil }
        found += Array(String(Character(scalar)).utf8)
        start = position
      default: position += 1
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = unit() else { return nil }
      guard unit & 0xfc00 == 0xd800 else { return Unicode.Scalar(unit) }
      guard take("\\"), take("u"), let low = self.unit(), low & 0xfc00 == 0xdc00 else { return nil }
      return Unicode.Scalar(0x10000 + ((unit & 0x3ff) << 10 | low & 0x3ff))
    default: return Unicode.Scalar(byte)
    }
  }

  private mutating func unit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    defer { position += 4 }
    return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
  }
}
