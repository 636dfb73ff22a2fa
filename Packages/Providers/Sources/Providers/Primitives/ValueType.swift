internal import Primitives
internal import SPON
internal import SQLiteCore

/// The type of a column's values according to its declared SQL type, for types that SQLite's
/// storage classes don't distinguish.
///
/// All writers of ordinary files map a stored value and this type to a value of their format: see
/// ``ValueSink``.
enum ValueType: Hashable, Sendable {
  /// Each value has the type of its storage class.
  case stored
  /// 0 and 1 are `false` and `true`.
  case boolean
  /// A text is JSON.
  case json
  /// A text is a decimal number.
  case decimal
  /// A text is a SPON document.
  case spon
  /// The types of SPON that SQLite does not have. The first is a number, the last a blob, and the
  /// others are texts.
  case sponFloat, sponDecimal, sponInstant, sponOpaque, sponData

  init(declared: String) {
    let name = SQLName.folded(declared)
    switch name {
    case "json", "json text": self = .json
    case "decimal text": self = .decimal
    case "spon text": self = .spon
    case "spon float": self = .sponFloat
    case "spon decimal text": self = .sponDecimal
    case "spon instant text": self = .sponInstant
    case "spon opaque text": self = .sponOpaque
    case "spon blob": self = .sponData
    default: self = name.contains("bool") ? .boolean : .stored
    }
  }

  /// Returns the value that a real number represents; `nil` if it is a plain number.
  fileprivate func tagged(_ number: Double) -> SPONValue? {
    guard self == .sponFloat else { return nil }
    let float = Float(number)
    return Double(float.description)?.bitPattern == number.bitPattern ? .float(float) : nil
  }

  /// Returns the value that a text represents; `nil` if it is a plain text.
  fileprivate func tagged(_ bytes: Span<UInt8>) -> SPONValue? {
    guard [.spon, .sponDecimal, .sponInstant, .sponOpaque].contains(self) else { return nil }
    let text = String(decoding: bytes.array(0..<bytes.count), as: UTF8.self)
    switch self {
    case .sponOpaque: return .opaque(text)
    case .sponInstant:
      guard let instant = SPONInstant(text), instant.description == text else { return nil }
      return .instant(instant)
    case .sponDecimal:
      guard let number = SPONDecimal(text), number.description == text else { return nil }
      return .decimal(number)
    default: return try? SPONValue(parsing: text, limits: SPONValue.Limits(depth: 500))
    }
  }
}

/// Receives the typed values of rows, and writes them in a format.
///
/// `write(_:at:as:_:)` determines the type of a value. A sink only has a function for each type.
/// Each function throws a ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the
/// format can't represent the value.
protocol ValueSink {
  /// The notation of a column's values.
  associatedtype Notation

  mutating func null(_ notation: Notation) throws
  mutating func integer(_ value: Int64, _ notation: Notation) throws
  mutating func real(_ value: Double, _ notation: Notation) throws
  mutating func boolean(_ value: Bool, _ notation: Notation) throws
  mutating func text(_ value: Span<UInt8>, _ notation: Notation) throws
  mutating func blob(_ value: Span<UInt8>, _ notation: Notation) throws
  /// - Parameter text: The text of a JSON column, which may not be JSON.
  mutating func json(_ text: Span<UInt8>, _ notation: Notation) throws
  /// - Parameter text: The text of a decimal column, which may not be a number.
  mutating func decimal(_ text: Span<UInt8>, _ notation: Notation) throws
  /// Writes a value of a type that SQLite does not have, or an object or array of SPON.
  mutating func tagged(_ value: SPONValue, _ notation: Notation) throws
}

extension ValueSink {
  mutating func decimal(_ text: Span<UInt8>, _ notation: Notation) throws {
    try self.text(text, notation)
  }

  /// Writes a value of a row.
  mutating func write(
    _ row: borrowing Row, at column: ColumnIndex, as type: ValueType, _ notation: Notation
  ) throws {
    switch try row.storageClass(at: column) {
    case .null: try null(notation)
    case .integer: try write(try row.integer(at: column), type, notation)
    case .real: try write(try row.real(at: column), type, notation)
    case .text:
      do {
        try row.withText(at: column) { (text: Span<UInt8>) in try write(text, type, notation) }
      } catch let error as SQLiteError where error.code == .invalidText {
        throw ProviderError(.unrepresentable, "the text is not UTF-8")
      }
    case .blob:
      try row.withBlob(at: column) { (bytes: Span<UInt8>) in
        try write(blob: bytes, type, notation)
      }
    }
  }

  /// Writes a value.
  mutating func write(_ value: SQLiteValue, as type: ValueType, _ notation: Notation) throws {
    switch value {
    case .null: try null(notation)
    case .integer(let value): try write(value, type, notation)
    case .real(let value): try write(value, type, notation)
    case .text(let value): try value.withUTF8Span { try write($0, type, notation) }
    case .blob(let value): try write(blob: value.elementSpan, type, notation)
    }
  }

  private mutating func write(
    _ value: Int64, _ type: ValueType, _ notation: Notation
  ) throws {
    if type == .boolean, value == 0 || value == 1 {
      try boolean(value == 1, notation)
    } else {
      try integer(value, notation)
    }
  }

  private mutating func write(
    _ value: Double, _ type: ValueType, _ notation: Notation
  ) throws {
    if let value = type.tagged(value) { return try tagged(value, notation) }
    try real(value, notation)
  }

  private mutating func write(
    _ value: Span<UInt8>, _ type: ValueType, _ notation: Notation
  ) throws {
    if type == .stored { return try text(value, notation) }
    if type == .json { return try json(value, notation) }
    if type == .decimal { return try decimal(value, notation) }
    if let value = type.tagged(value) { return try tagged(value, notation) }
    try text(value, notation)
  }

  private mutating func write(
    blob value: Span<UInt8>, _ type: ValueType, _ notation: Notation
  ) throws {
    guard type == .sponData else { return try blob(value, notation) }
    try tagged(.bytes(value.array(0..<value.count)), notation)
  }
}

extension SPONValue {
  /// Returns the value as text without its type: an object or array as JSON, data as Base64.
  func plainText() throws(ProviderError) -> String {
    switch self {
    case .null: return ""
    case .bool(let value): return value.description
    case .integer(let value): return value.description
    case .unsigned(let value): return value.description
    case .float(let value): return value.description
    case .double(let value): return value.description
    case .decimal(let value): return value.description
    case .instant(let value): return value.description
    case .string(let text), .opaque(let text): return text
    case .bytes(let bytes):
      return String(decoding: Base64.encoded(bytes.elementSpan), as: UTF8.self)
    case .array, .object:
      do throws(SPONError) {
        return try json()
      } catch {
        throw ProviderError(.unrepresentable, error.message)
      }
    }
  }
}
