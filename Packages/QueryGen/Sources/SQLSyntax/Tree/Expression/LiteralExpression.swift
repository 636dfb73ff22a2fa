/// A literal value.
public struct LiteralExpression: Equatable, Sendable {
  /// The value.
  public var value: Literal
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// What a literal can be.
public enum Literal: Equatable, Sendable {
  case null
  /// Digits, or `0x` and hexadecimal digits, as written. See ``integerValue``.
  case integer(String)
  /// A number with a point or an exponent, as written.
  case real(String)
  /// A string, its quotes removed and doubled quotes made single.
  case string(String)
  /// The bytes of `x'…'`.
  case blob([UInt8])
  /// `CURRENT_TIME`
  case currentTime
  /// `CURRENT_DATE`
  case currentDate
  /// `CURRENT_TIMESTAMP`
  case currentTimestamp

  /// The value of an integer literal; `nil` for any other, and for decimal digits beyond 64 bits,
  /// which SQLite takes as a real. Hexadecimal digits are two's complement of 64 bits.
  public var integerValue: Int64? {
    guard case .integer(let text) = self else { return nil }
    let bytes = text.utf8
    if bytes.count > 2, bytes[bytes.index(after: bytes.startIndex)] | 0x20 == UInt8(ascii: "x") {
      return UInt64(text.dropFirst(2), radix: 16).map(Int64.init(bitPattern:))
    }
    return Int64(text)
  }

  /// The value of a number literal as a real.
  public var realValue: Double? {
    switch self {
    case .real(let text): Double(text.hasSuffix(".") ? text + "0" : text)
    case .integer(let text): integerValue.map(Double.init) ?? Double(text)
    default: nil
    }
  }
}
