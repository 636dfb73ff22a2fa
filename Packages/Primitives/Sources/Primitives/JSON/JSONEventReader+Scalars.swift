// Strings, numbers and literals.
extension JSONEventReader {
  @inline(__always)
  mutating func value(_ bytes: Span<UInt8>, _ at: Int) throws(JSONFailure) -> JSONEvent {
    guard at < bytes.count else { throw truncated("a value", bytes) }
    switch bytes[at] {
    case 0x22:
      let (end, hasEscapes) = try scanText(bytes, at &+ 1, isKey: false)
      return finish(.string, at &+ 1, end, next: end &+ 1, hasEscapes: hasEscapes)
    case 0x2D, 0x30...0x39: return try number(bytes, at)
    case 0x7B: return try open(isObject: true, bytes, at)
    case 0x5B: return try open(isObject: false, bytes, at)
    case 0x74: return try word("true", 0x6575_7274 << 32, .bool, isTrue: true, bytes, at)
    case 0x66: return try word("false", 0x65_736C_6166 << 24, .bool, bytes, at)
    case 0x6E: return try word("null", 0x6C6C_756E << 32, .null, bytes, at)
    default: throw failure(.malformed, "expected a value", at, bytes)
    }
  }

  /// - Parameter letters: The literal's letters, in the highest bytes of a 64-bit word.
  @inline(__always)
  private mutating func word(
    _ word: StaticString, _ letters: UInt64, _ event: JSONEvent, isTrue: Bool = false,
    _ bytes: Span<UInt8>, _ start: Int
  ) throws(JSONFailure) -> JSONEvent {
    bool = isTrue
    let length = word.utf8CodeUnitCount
    if start &+ 8 <= bytes.count, bytes.word(at: start) &<< (64 &- 8 &* UInt64(length)) == letters {
      return finish(event, start, start &+ length, next: start &+ length)
    }
    var at = start
    for byte in word.description.utf8 {
      guard at < bytes.count else { throw truncated("the end of a literal", bytes) }
      guard bytes[at] == byte else {
        throw failure(.malformed, "expected \"\(word)\"", start, bytes)
      }
      at &+= 1
    }
    return finish(event, start, at, next: at)
  }

  // MARK: Numbers

  @inline(__always)
  private mutating func number(
    _ bytes: Span<UInt8>, _ start: Int
  ) throws(JSONFailure) -> JSONEvent {
    var at = start
    let isNegative = bytes[at] == 0x2D
    if isNegative { at &+= 1 }
    let first = at
    var digits: UInt64 = 0
    while at < bytes.count {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { break }
      digits = digits &* 10 &+ UInt64(digit)
      at &+= 1
    }
    let count = at &- first
    guard count > 0, at < bytes.count || isComplete else {
      throw unexpected("expected a digit", at, bytes)
    }
    if count > 1, bytes[first] == 0x30 {
      throw failure(.malformed, "a number must not have leading zeros", start, bytes)
    }
    if at < bytes.count {
      let byte = bytes[at]
      if byte == 0x2E || byte | 0x20 == 0x65 {
        return try fraction(bytes, start, at, digits, count, isNegative)
      }
    }
    if count > 18 || isNegative && digits == 0 { return try generalNumber(bytes, start, at) }
    integer = isNegative ? 0 &- Int64(digits) : Int64(digits)
    return finish(.integer, start, at, next: at)
  }

  /// Parses the rest of a number from its decimal point or exponent.
  private mutating func fraction(
    _ bytes: Span<UInt8>, _ start: Int, _ point: Int, _ whole: UInt64, _ wholeCount: Int,
    _ isNegative: Bool
  ) throws(JSONFailure) -> JSONEvent {
    var (at, digits, count) = (point, whole, wholeCount)
    if bytes[at] == 0x2E {
      at &+= 1
      while at < bytes.count {
        let digit = bytes[at] &- 0x30
        guard digit < 10 else { break }
        digits = digits &* 10 &+ UInt64(digit)
        at &+= 1
      }
      guard at > point &+ 1, at < bytes.count || isComplete else {
        throw unexpected("expected a digit after the decimal point", at, bytes)
      }
      count &+= at &- point &- 1
    }
    let fractionCount = wholeCount &- count
    if at < bytes.count, bytes[at] | 0x20 == 0x65 {
      at = try exponentEnd(bytes, at &+ 1)
    } else if count <= 18, digits < 1_000_000_000_000_000, fractionCount >= -22 {
      // The same computation as ``ExactNumber`` for up to fifteen digits.
      let magnitude = Double(digits) / ExactNumber.powersOfTen[0 &- fractionCount]
      double = isNegative ? -magnitude : magnitude
      return finish(.double, start, at, next: at)
    }
    return try generalNumber(bytes, start, at)
  }

  private func exponentEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFailure) -> Int {
    var at = start
    if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D { at &+= 1 }
    let first = at
    while at < bytes.count, bytes[at] &- 0x30 < 10 { at &+= 1 }
    guard at > first, at < bytes.count || isComplete else {
      throw unexpected("expected a digit of the exponent", at, bytes)
    }
    return at
  }

  /// Parses a number that needs the general algorithm.
  @inline(never)
  private mutating func generalNumber(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) throws(JSONFailure) -> JSONEvent {
    try checkLength(bytes, start, end)
    guard skipped == nil else { return finish(.number, start, end, next: end) }
    var isWhole = true
    for index in start..<end where bytes[index] == 0x2E || bytes[index] | 0x20 == 0x65 {
      isWhole = false
      break
    }
    if isWhole, end - start > 2 {
      guard let value = Int64.exactly(bytes, start..<end) else {
        return finish(.number, start, end, next: end)
      }
      integer = value
      return finish(.integer, start, end, next: end)
    }
    guard let value = ExactNumber(bytes, start..<end)?.double else {
      return finish(.number, start, end, next: end)
    }
    double = value
    return finish(.double, start, end, next: end)
  }

  private func checkLength(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) throws(JSONFailure) {
    guard end &- start <= options.length else {
      throw failure(
        .tooLong, "the value is longer than \(options.length) bytes", start, bytes)
    }
  }

  // MARK: Strings

  /// Reads a string after its opening quote, and decodes it if it has escapes.
  ///
  /// - Returns: The offset of the closing quote.
  @inline(__always)
  mutating func scanText(
    _ bytes: Span<UInt8>, _ start: Int, isKey: Bool
  ) throws(JSONFailure) -> (end: Int, hasEscapes: Bool) {
    var seen: UInt64 = 0
    let at = Self.plainEnd(bytes, start, &seen)
    guard at < bytes.count, bytes[at] == 0x22 else {
      return (try scanEscapes(bytes, start, at, seen, isKey: isKey), true)
    }
    if seen & ByteWord.highs != 0 { try checkUTF8(bytes, start..<at) }
    if at &- start > options.length { try checkLength(bytes, start, at) }
    return (at, false)
  }

  /// Returns the offset of the first quote, backslash or control character from `start`, or the end of the bytes.
  /// `seen` receives the union of the bits of all bytes before it.
  @inline(__always)
  static func plainEnd(_ bytes: Span<UInt8>, _ start: Int, _ seen: inout UInt64) -> Int {
    bytes.first(from: start, seen: &seen) { word in
      ByteWord.matches(word, ByteWord.filled(0x22)) | ByteWord.matches(word, ByteWord.filled(0x5C))
        | ByteWord.controls(word)
    }
  }

  private func checkUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONFailure) {
    if let fault = bytes.firstInvalidUTF8(in: range) {
      throw failure(.invalidEncoding, "the text is not UTF-8", fault, bytes)
    }
  }

  /// Reads the rest of a string whose first escape, or end, is at `stop`.
  @inline(never)
  private mutating func scanEscapes(
    _ bytes: Span<UInt8>, _ start: Int, _ stop: Int, _ seenBefore: UInt64,
    isKey: Bool
  ) throws(JSONFailure) -> Int {
    var text: [UInt8] = []
    // Reuses the buffer's capacity.
    if isKey { swap(&text, &scratch) } else { swap(&text, &decoded) }
    defer { if isKey { swap(&text, &scratch) } else { swap(&text, &decoded) } }
    text.removeAll(keepingCapacity: true)
    var (at, from, seen) = (stop, start, seenBefore)
    while true {
      guard at < bytes.count else { throw truncated("the closing quote of a string", bytes) }
      if seen & ByteWord.highs != 0 { try checkUTF8(bytes, from..<at) }
      if at &- start > options.length { try checkLength(bytes, start, at) }
      for index in from..<at { text.append(bytes[index]) }
      if bytes[at] == 0x22 { return at }
      guard bytes[at] == 0x5C else {
        throw failure(
          .malformed, "a control character in a string must be escaped", at, bytes)
      }
      from = try escape(bytes, at, &text)
      seen = 0
      at = Self.plainEnd(bytes, from, &seen)
    }
  }

  /// Reads the escape at a backslash.
  ///
  /// - Returns: The offset after the escape.
  private func escape(
    _ bytes: Span<UInt8>, _ at: Int, _ text: inout [UInt8]
  ) throws(JSONFailure) -> Int {
    guard at + 1 < bytes.count else { throw truncated("the end of an escape", bytes) }
    switch bytes[at + 1] {
    case let byte where byte == 0x22 || byte == 0x5C || byte == 0x2F: text.append(byte)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0C)
    case 0x6E: text.append(0x0A)
    case 0x72: text.append(0x0D)
    case 0x74: text.append(0x09)
    case 0x75:
      let (scalar, end) = try scalar(bytes, at)
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return end
    default: throw failure(.malformed, "invalid escape sequence", at, bytes)
    }
    return at + 2
  }

  /// Returns the scalar of `\u` and four digits, or of a surrogate pair, and the offset after it.
  private func scalar(
    _ bytes: Span<UInt8>, _ at: Int
  ) throws(JSONFailure) -> (Unicode.Scalar, end: Int) {
    let first = try unit(bytes, at)
    if let scalar = Unicode.Scalar(first) { return (scalar, at + 6) }
    guard first < 0xDC00 else { throw loneSurrogate(bytes, at) }
    for (index, byte) in [(at + 6, 0x5C as UInt8), (at + 7, 0x75)] {
      guard index < bytes.count else { throw truncated("the second half of an escape", bytes) }
      guard bytes[index] == byte else { throw loneSurrogate(bytes, at) }
    }
    let second = try unit(bytes, at + 6)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
    else { throw loneSurrogate(bytes, at) }
    return (scalar, at + 12)
  }

  private func unit(_ bytes: Span<UInt8>, _ at: Int) throws(JSONFailure) -> UInt32 {
    var unit: UInt32 = 0
    for index in at + 2..<at + 6 {
      guard index < bytes.count else { throw truncated("the end of an escape", bytes) }
      guard let digit = Self.hexadecimal(bytes[index]) else {
        throw failure(
          .malformed, #"expected four hexadecimal digits after "\u""#, at, bytes)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  private func loneSurrogate(_ bytes: Span<UInt8>, _ at: Int) -> JSONFailure {
    failure(.invalidEncoding, "unpaired surrogates are not valid text", at, bytes)
  }
}
