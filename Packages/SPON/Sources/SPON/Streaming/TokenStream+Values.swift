/// What tokens say. The token must be the last one.
extension TokenStream {
  /// The key of a value, or its index; `nil` for the root.
  func key(of token: Token) -> SPONKey? {
    if token.keyStart >= 0 { return .key(text(token.key, mayHaveEscapes: token.keyMayHaveEscapes)) }
    return open.last.map { .index($0.count - 1) }
  }

  /// Whether the key of a value is `key`, given in UTF-8.
  func isKey(of token: Token, _ key: [UInt8]) -> Bool {
    guard token.keyStart >= 0 else { return false }
    guard token.keyMayHaveEscapes else { return buffer[token.key].elementsEqual(key) }
    return Escapes.unescaped(buffer.span, token.key, level: level) == key
  }

  /// The type name of an object; empty where it has none.
  func typeName(_ token: Token) -> String {
    guard token.length > 6 else { return "" }
    return Tape.typeName(buffer.span, token.content, level: level)
  }

  /// The value of a scalar.
  func value(_ token: Token) -> SPONValue {
    switch token.kind {
    case .bool: .bool(token.bits != 0)
    case .integer: .integer(Int64(bitPattern: token.bits))
    case .unsigned: .unsigned(token.bits)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: token.bits)))
    case .double: .double(Double(bitPattern: token.bits))
    case .decimal: .decimal(SPONDecimal(checked: buffer.span, token.content))
    case .string: .string(text(token.content, mayHaveEscapes: token.mayHaveEscapes))
    case .opaque: .opaque(text(token.content, mayHaveEscapes: token.mayHaveEscapes))
    case .data: .bytes(Base64.decoded(buffer.span, token.content))
    case .instant: InstantText.parse(buffer.span, token.content).map { .instant($0) } ?? .null
    case .null, .object, .array, .end, .endOfDocument, .incomplete: .null
    }
  }

  private func text(_ range: Range<Int>, mayHaveEscapes: Bool) -> String {
    guard mayHaveEscapes else { return String(decoding: buffer[range], as: UTF8.self) }
    return String(
      decoding: Escapes.unescaped(buffer.span, range, level: level), as: UTF8.self)
  }
}
