/// A fast path for the most common pairs. All other text, and all errors, are left to
/// ``next(in:isLast:)``, which also reads these pairs.
extension Scanner {
  /// Returns the next token, on the fast path if possible.
  @inline(__always)
  mutating func nextToken(in bytes: Span<UInt8>, isLast: Bool) throws(ScanFailure) -> Token {
    if let pair = plainPair(in: bytes) { return pair }
    return try next(in: bytes, isLast: isLast)
  }

  /// Reads a pair of version 1 in ASCII without escapes, after white space or its object's bracket.
  ///
  /// - Returns: `nil` if there is no such pair. In that case, no text is skipped.
  @inline(__always)
  mutating func plainPair(in bytes: Span<UInt8>) -> Token? {
    // An incomplete token is continued from its progress.
    guard !partial.isUsed, state == .afterPair || state == .objectStart else { return nil }
    let start = Self.afterWhiteSpace(in: bytes, from: position)
    guard start > position || state == .objectStart else { return nil }
    var at = start
    while at < bytes.count, Self.isPlainInKey(bytes[at]) { at &+= 1 }
    // An ampersand may begin an escape, unless it is a designator.
    if at < bytes.count, bytes[at] == Byte.ampersand { at &+= 1 }
    guard at > start, at &+ 1 < bytes.count, bytes[at] == Byte.equals,
      bytes[at &+ 1] == Byte.backtick, at &- start <= limits.length
    else { return nil }
    var token = Token(kind: .string, start: at &+ 2, keyStart: start)
    token.keyLength = at &- 1 &- start
    guard let end = Self.plainEnd(bytes, from: token.start) else { return nil }
    token.length = end &- token.start
    guard token.length <= limits.length, readPlain(bytes[at &- 1], into: &token, bytes) else {
      return nil
    }
    position = end &+ 1
    state = .afterPair
    return token
  }

  /// Reads simple content according to its designator. Returns `false` if the content is not
  /// simple.
  @inline(__always)
  private func readPlain(_ mark: UInt8, into token: inout Token, _ bytes: Span<UInt8>) -> Bool {
    switch mark {
    case TypeDesignator.string.rawValue: return true
    case TypeDesignator.integer.rawValue:
      guard let value = Self.plainInteger(bytes, token.content) else { return false }
      token.kind = .integer
      token.bits = UInt64(bitPattern: value)
      return true
    case TypeDesignator.double.rawValue:
      guard let value = Self.plainDouble(bytes, token.content) else { return false }
      token.kind = .double
      token.bits = value.bitPattern
      return true
    case TypeDesignator.bool.rawValue:
      guard let value = try? Numbers.bool(bytes, token.content) else { return false }
      token.kind = .bool
      token.bits = value ? 1 : 0
      return true
    default: return false
    }
  }

  /// Returns the offset of the backtick that ends content in ASCII without ampersands.
  @inline(__always)
  private static func plainEnd(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var at = start
    var union: UInt8 = 0
    var hasAmpersand = false
    while at < bytes.count, bytes[at] != Byte.backtick {
      union |= bytes[at]
      hasAmpersand = hasAmpersand || bytes[at] == Byte.ampersand
      at &+= 1
    }
    return at < bytes.count && union < 0x80 && !hasAmpersand ? at : nil
  }

  /// Reads an integer of up to eighteen digits.
  @inline(__always)
  private static func plainInteger(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var at = range.lowerBound
    let isNegative = at < range.upperBound && bytes[at] == Byte.hyphen
    if isNegative { at &+= 1 }
    guard at < range.upperBound, range.upperBound &- at <= 18 else { return nil }
    var value: Int64 = 0
    while at < range.upperBound {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
      at &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  /// Reads a number of up to eighteen digits without an exponent.
  @inline(__always)
  private static func plainDouble(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var at = range.lowerBound
    let isNegative = at < range.upperBound && bytes[at] == Byte.hyphen
    if isNegative { at &+= 1 }
    guard at < range.upperBound, bytes[at].isDigit, range.upperBound &- at <= 19 else { return nil }
    var digits: UInt64 = 0
    var point = -1
    while at < range.upperBound {
      let digit = bytes[at] &- 0x30
      if digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
      } else if bytes[at] == 0x2E, point < 0, at &+ 1 < range.upperBound {
        point = at
      } else {
        return nil
      }
      at &+= 1
    }
    guard point >= 0 else { return nil }
    return Numbers.double(isNegative: isNegative, digits, exponent: point &+ 1 &- at)
  }

  /// Returns whether a byte in a key is an ASCII character without a special meaning.
  @inline(__always)
  private static func isPlainInKey(_ byte: UInt8) -> Bool {
    // A bit for each of the first 64 bytes, and for each of the next 64.
    let lower: UInt64 = 0x8FFF_FFBE_0000_0000  // not control characters, space, `&` < = >
    let upper: UInt64 = 0x7FFF_FFFE_D7FF_FFFF  // not [ ] ` DEL
    let bits = byte < 64 ? lower : upper
    return byte < 128 && (bits >> UInt64(byte & 63)) & 1 == 1
  }
}

/// Text that the original implementation wrote without quotes.
extension Scanner {
  /// Reads unquoted text after `=`, up to the next pair or the object's end (N1).
  ///
  /// The original implementation did not quote a text that begins with `@obj` or `@array[`. A `>`
  /// in such a text, or a space followed by text that looks like a key, can't be distinguished from
  /// its end, so the text is truncated there.
  mutating func unquotedText(
    _ pair: Token, in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var (end, seen) = resumed(from: start)
    scan: while true {
      try checkLength(end - start, of: "value", at: start)
      guard end < bytes.count else {
        suspend(end, seen)
        return try cut(bytes, isLast: isLast)
      }
      switch bytes[end] {
      case Byte.greater: break scan
      case Byte.space:
        guard let isPair = isPair(bytes, from: end + 1) else {
          suspend(end, seen)
          return try cut(bytes, isLast: isLast)
        }
        if isPair { break scan }
      default: break
      }
      seen.add(bytes[end])
      end += 1
    }
    var token = pair
    token.kind = .string
    token.start = start
    token.length = end - start
    token.mayHaveEscapes = seen.ampersand
    try checkText(token, seen, in: bytes)
    return finish(token, next: end)
  }

  /// Returns whether the head of a container begins here, rather than a text with the same
  /// beginning; `nil` if the bytes end too early to decide.
  static func beginsContainer(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) -> Bool? {
    switch head(in: bytes, from: start) {
    case .other: return false
    case .incomplete: return nil
    case .array(let end): return end < bytes.count ? bytes[end] == Byte.openBracket : nil
    case .object(let end):
      guard end < bytes.count, bytes[end] == Byte.colon else {
        return end < bytes.count ? bytes[end] == Byte.less : nil
      }
      var (hasSpace, hasComma) = (false, false)
      // Without a limit, each element that is such a text would be searched up to the end of the
      // document.
      let searchedEnd = Swift.min(bytes.count, end + Self.maxTypeNameLookahead)
      for at in end..<searchedEnd {
        switch bytes[at] {
        case Byte.less: return true
        case Byte.greater, Byte.backtick: return false
        case Byte.equals where hasSpace: return false  // belongs to the next pair
        default:
          hasSpace = hasSpace || bytes[at] == Byte.space
          hasComma = hasComma || bytes[at] == Byte.comma
        }
      }
      if searchedEnd < bytes.count { return !hasComma }
      return isLast ? false : nil
    }
  }

  /// The number of bytes after `@obj` that are searched for the end of a type name.
  private static let maxTypeNameLookahead = 1_024

  /// Returns whether a key, `=` and a value begin here; `nil` if the bytes end too early to decide.
  private mutating func isPair(_ bytes: Span<UInt8>, from start: Int) -> Bool? {
    var at = Swift.max(start, position + partial.ahead)
    partial.ahead = 0
    // Text that is longer than a key may be is not a key.
    while at < bytes.count, at - start <= limits.length {
      switch bytes[at] {
      case Byte.equals where at + 1 < bytes.count:
        return at > start && (bytes[at + 1] == Byte.backtick || bytes[at + 1] == Byte.at)
      case Byte.equals:
        partial.ahead = at - position
        return nil
      case Byte.backtick, Byte.less, Byte.greater, Byte.openBracket, Byte.closeBracket, Byte.space:
        return false
      default: at += 1
      }
    }
    guard at >= bytes.count else { return false }
    partial.ahead = at - position
    return nil
  }
}
