/// What a token says, in the bytes that it was scanned in.
extension Token {
  /// The value of a scalar.
  func value(in bytes: [UInt8], level: UInt8) -> SPONValue {
    switch kind {
    case .bool: .bool(bits != 0)
    case .integer: .integer(Int64(bitPattern: bits))
    case .unsigned: .unsigned(bits)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: .double(Double(bitPattern: bits))
    case .decimal: .decimal(SPONDecimal(checked: bytes.span, content))
    case .string: .string(Self.text(content, in: bytes, mayHaveEscapes, level))
    case .opaque: .opaque(Self.text(content, in: bytes, mayHaveEscapes, level))
    case .data: .bytes(Base64.decoded(bytes.span, content))
    case .instant: InstantText.parse(bytes.span, content).map { .instant($0) } ?? .null
    case .null, .object, .array, .end, .endOfDocument, .incomplete: .null
    }
  }

  /// The key of a pair.
  func keyText(in bytes: [UInt8], level: UInt8) -> String {
    Self.text(key, in: bytes, keyMayHaveEscapes, level)
  }

  /// The type name of an object; empty where it has none.
  func typeName(in bytes: [UInt8], level: UInt8) -> String {
    Tape.typeName(bytes.span, content, level: level)
  }

  private static func text(
    _ range: Range<Int>, in bytes: [UInt8], _ mayHaveEscapes: Bool, _ level: UInt8
  ) -> String {
    guard mayHaveEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: Escapes.unescaped(bytes.span, range, level: level), as: UTF8.self)
  }
}
