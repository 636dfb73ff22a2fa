/// A value of a result row, independent of the database engine.
///
/// An engine that lacks a type uses the most similar one: SQLite has no Booleans, and returns 0 and 1 as
/// ``integer(_:)``.
///
/// Numbers and dates that no standard library type represents exactly are strings, in the same format for all engines.
/// A string with an invalid format causes an error only when it is decoded.
///
/// ```swift
/// let row: [DataValue] = [1, "Milk", .decimal("2.50"), .timestampWithZone("2026-11-21 14:37:29.125Z"), nil]
/// ```
///
/// Two values are equal if they have the same case and the same bits: `1` is not `1.0`, and `.decimal("2.5")` is not
/// `.decimal("2.50")`.
public enum DataValue: Sendable {
  /// SQL's NULL.
  case null
  case bool(Bool)
  /// An integer of up to 64 bits.
  case integer(Int64)
  /// A binary floating-point number.
  case real(Double)
  /// A decimal number of any precision: digits with an optional minus sign and an optional fraction.
  case decimal(String)
  case text(String)
  case blob([UInt8])
  /// A UUID, as 32 hexadecimal digits in five groups.
  case uuid(String)
  /// An instant, as `2026-11-21 14:37:29.125Z`: ISO 8601 with `Z` or `±HH:MM` at the end.
  case timestampWithZone(String)
  /// A date and a time of day in no particular zone, as `2026-11-21 14:37:29.125`.
  case timestamp(String)
  /// A calendar date, as `2026-11-21`.
  case date(String)
  /// A time of day, as `14:37:29.125`.
  case time(String)
  /// A JSON document, as its text.
  case json(String)
  case array([DataValue])

  /// Indicates whether the value is NULL.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension DataValue: Hashable {
  public static func == (a: DataValue, b: DataValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.blob(let a), .blob(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    default:
      if let (key, text) = a.keyedText, let other = b.keyedText {
        // Strings that are equal in Swift can have different bytes.
        key == other.key && text.utf8.elementsEqual(other.text.utf8)
      } else {
        false
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .blob(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .decimal(let text), .text(let text), .uuid(let text), .timestampWithZone(let text),
      .timestamp(let text), .date(let text), .time(let text), .json(let text):
      hasher.combine(text)
    }
  }
}

extension DataValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}

/// A value is encoded with its case, as `{"integer": 1}`, so that decoding restores it exactly; NULL is encoded as
/// `null`.
extension DataValue: Codable {
  enum CodingKeys: CodingKey {
    case bool, integer, real, decimal, text, blob, uuid, timestampWithZone, timestamp, date, time
    case json, array
  }

  /// The case and text of a value that is stored as a string.
  fileprivate var keyedText: (key: CodingKeys, text: String)? {
    switch self {
    case .decimal(let text): (.decimal, text)
    case .text(let text): (.text, text)
    case .uuid(let text): (.uuid, text)
    case .timestampWithZone(let text): (.timestampWithZone, text)
    case .timestamp(let text): (.timestamp, text)
    case .date(let text): (.date, text)
    case .time(let text): (.time, text)
    case .json(let text): (.json, text)
    case .null, .bool, .integer, .real, .blob, .array: nil
    }
  }

  /// - Throws: `DecodingError` if there is not exactly one value of a known case.
  public init(from decoder: any Decoder) throws {
    if try decoder.singleValueContainer().decodeNil() {
      self = .null
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "expected one value of a row"))
    }
    func text() throws -> String { try container.decode(String.self, forKey: key) }
    func corrupted(_ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    switch key {
    case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
    case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
    case .real:
      guard let real = Double(try text()) else { throw corrupted("not a number") }
      self = .real(real)
    case .blob:
      guard let bytes = Self.bytes(hexadecimal: try text()) else {
        throw corrupted("not hexadecimal digits")
      }
      self = .blob(bytes)
    case .array: self = .array(try container.decode([DataValue].self, forKey: key))
    case .decimal: self = .decimal(try text())
    case .text: self = .text(try text())
    case .uuid: self = .uuid(try text())
    case .timestampWithZone: self = .timestampWithZone(try text())
    case .timestamp: self = .timestamp(try text())
    case .date: self = .date(try text())
    case .time: self = .time(try text())
    case .json: self = .json(try text())
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if isNull {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .bool(let value): try container.encode(value, forKey: .bool)
    case .integer(let value): try container.encode(value, forKey: .integer)
    // Encoded as a string, since JSON has no infinity.
    case .real(let value): try container.encode(String(value), forKey: .real)
    case .blob(let bytes):
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      try container.encode(digits.joined(), forKey: .blob)
    case .array(let values): try container.encode(values, forKey: .array)
    default:
      if let (key, text) = keyedText { try container.encode(text, forKey: key) }
    }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard index + 1 < digits.count,
        let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
