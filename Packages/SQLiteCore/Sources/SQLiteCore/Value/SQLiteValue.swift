/// A value as SQLite stores it.
///
/// Two values are equal if they have the same storage class and the same bits: `1` does not equal
/// `1.0`, which `typeof` distinguishes, and a precomposed `é` does not equal a decomposed one.
/// SQLite has no NaN, and stores NULL instead.
public enum SQLiteValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The value's storage class.
  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// A Boolean value that indicates whether the value is NULL.
  public var isNull: Bool { self == .null }

  /// The bytes of a text or blob; empty for other values.
  var bytes: [UInt8] {
    switch self {
    case .text(let text): [UInt8](text.utf8)
    case .blob(let bytes): bytes
    case .null, .integer, .real: []
    }
  }
}

extension SQLiteValue: Hashable {
  public static func == (a: SQLiteValue, b: SQLiteValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let value): hasher.combine(value)
    case .blob(let value): hasher.combine(value)
    }
  }
}

extension SQLiteValue {
  /// The five kinds of value that SQLite stores.
  public enum StorageClass: String, Hashable, Sendable, CaseIterable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
    case null = "NULL"
  }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension SQLiteValue: CustomStringConvertible {
  /// The value as an SQL literal, which SQLite reads as the same value.
  public var description: String {
    switch self {
    case .null: return "NULL"
    case .integer(let value): return String(value)
    case .real(let value):
      if value.isNaN { return "NULL" }
      if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
      return String(value)
    case .text(let value):
      if !value.utf8.contains(0) { return value.quoted(with: UInt8(ascii: "'")) }
      return "CAST(\(SQLiteValue.blob([UInt8](value.utf8))) AS TEXT)"
    case .blob(let bytes):
      let digits = Array("0123456789abcdef".utf8)
      let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return "x'\(String(decoding: hex, as: UTF8.self))'"
    }
  }
}
