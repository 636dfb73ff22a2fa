internal import Primitives

/// The values of scalars, for tokens of a stream and for entries of a tape.
extension Token.Kind {
  /// Returns the value of a scalar; null for other kinds.
  ///
  /// - Parameters:
  ///   - bits: The value of a number or a boolean.
  ///   - content: The range of the scalar's content.
  func scalar(
    bits: UInt64, _ content: Range<Int>, in bytes: [UInt8], mayHaveEscapes: Bool, level: UInt8
  ) -> SPONValue {
    switch self {
    case .bool: .bool(bits != 0)
    case .integer: .integer(Int64(bitPattern: bits))
    case .unsigned: .unsigned(bits)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: .double(Double(bitPattern: bits))
    case .decimal: .decimal(SPONDecimal(checked: bytes.elementSpan, content))
    case .string:
      .string(Escapes.text(content, in: bytes, mayHaveEscapes: mayHaveEscapes, level: level))
    case .opaque:
      .opaque(Escapes.text(content, in: bytes, mayHaveEscapes: mayHaveEscapes, level: level))
    // The scanner has checked the content.
    case .data: .bytes((try? Base64.decoded(bytes.elementSpan.extracting(content))) ?? [])
    case .instant: InstantText.parse(bytes.elementSpan, content).map { .instant($0) } ?? .null
    case .null, .object, .array, .end, .endOfDocument, .incomplete: .null
    }
  }
}

/// The contents of a token, in the bytes in which it was scanned.
extension Token {
  /// Returns the value of a scalar.
  func value(in bytes: [UInt8], level: UInt8) -> SPONValue {
    kind.scalar(bits: bits, content, in: bytes, mayHaveEscapes: mayHaveEscapes, level: level)
  }

  /// Returns the key of a pair.
  func keyText(in bytes: [UInt8], level: UInt8) -> String {
    Escapes.text(key, in: bytes, mayHaveEscapes: keyMayHaveEscapes, level: level)
  }

  /// Returns the type name of an object; empty if it has none.
  func typeName(in bytes: [UInt8], level: UInt8) -> String {
    Tape.typeName(bytes.elementSpan, content, level: level)
  }
}
