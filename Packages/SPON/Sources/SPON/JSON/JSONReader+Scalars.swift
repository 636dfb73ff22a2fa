internal import Primitives

// Words, numbers and texts.

extension JSONReader {
  /// Reads a word.
  ///
  /// - Returns: Where it begins.
  mutating func word(_ word: StaticString, _ start: Int) throws(ScanFailure) -> Int {
    for byte in word.description.utf8 {
      guard next == byte else { throw unexpected("expected \"\(word)\"") }
      at += 1
    }
    return start
  }

  // MARK: Numbers

  /// Reads a number: as what wraps it says, or as what says it exactly.
  mutating func number(as special: Special) throws(ScanFailure) -> SPONValue {
    let (range, isInteger, digits) = try numberRange()
    let text = bytes.span
    switch special {
    case .wrapper(.float): return .float(try Numbers.float(text, range))
    case .wrapper(.double): return .double(try Numbers.double(text, range))
    case .wrapper(.decimal): return .decimal(try decimal(text, range))
    default: break
    }
    if isInteger, let (bits, isUnsigned) = try? Numbers.integer(text, range) {
      if bits != 0 || bytes[range.lowerBound] != Byte.hyphen {
        return isUnsigned ? .unsigned(bits) : .integer(Int64(bitPattern: bits))
      }
    }
    guard let value = try? Numbers.double(text, range) else {
      return .decimal(try decimal(text, range))
    }
    // Numbers with up to fifteen digits are all different as a Double, and of those that are the same
    // one there is none with fewer digits: its shortest text says them.
    if digits <= 15, value.isNormal || isZero(range) { return .double(value) }
    let decimal = try decimal(text, range)
    return SPONDecimal(value.description) == decimal ? .double(value) : .decimal(decimal)
  }

  /// Goes over a number as JSON has it.
  private mutating func numberRange() throws(ScanFailure) -> (
    range: Range<Int>, isInteger: Bool, digits: Int
  ) {
    let start = at
    if next == Byte.hyphen { at += 1 }
    let first = next
    var digits = try self.digits("expected a digit")
    if first == 0x30, digits > 1 {
      throw invalid("a number does not begin with zeros", at: start)
    }
    var isInteger = true
    if next == 0x2E {
      isInteger = false
      at += 1
      digits += try self.digits("expected a digit after the decimal point")
    }
    if next == 0x65 || next == 0x45 {
      isInteger = false
      at += 1
      if next == 0x2B || next == Byte.hyphen { at += 1 }
      _ = try self.digits("expected the digits of an exponent")
    }
    guard at - start <= limits.length else { throw tooLong(start) }
    return (start..<at, isInteger, digits)
  }

  private mutating func digits(_ message: String) throws(ScanFailure) -> Int {
    let start = at
    while let next, next.isDigit { at += 1 }
    guard at > start else { throw unexpected(message) }
    return at - start
  }

  private func decimal(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(ScanFailure) -> SPONDecimal {
    try Numbers.checkDecimal(text, range)
    return SPONDecimal(checked: text, range)
  }

  /// Whether a number has no digits but zeros before its exponent.
  private func isZero(_ range: Range<Int>) -> Bool {
    for byte in bytes[range] {
      switch byte {
      case 0x31...0x39: return false
      case 0x65, 0x45: return true
      default: break
      }
    }
    return true
  }

  // MARK: Texts

  /// Reads a text that begins here with its quote.
  mutating func string() throws(ScanFailure) -> String {
    let start = at + 1
    var (hasEscapes, isASCII) = (false, true)
    at = start
    scan: while true {
      guard at < bytes.count else { throw unexpected(#"expected """#) }
      let byte = bytes[at]
      switch byte {
      case 0x22: break scan
      case 0x5C:
        hasEscapes = true
        at += 1
      case 0..<0x20:
        throw invalid("a control character in a text is written with \"\\\"", at: at)
      case 0x80...: isASCII = false
      default: break
      }
      at += 1
    }
    let range = start..<at
    guard range.count <= limits.length else { throw tooLong(start) }
    if !isASCII { try checkUTF8(range) }
    at = range.upperBound + 1
    guard hasEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: try unescaped(range), as: UTF8.self)
  }

  private func checkUTF8(_ range: Range<Int>) throws(ScanFailure) {
    if let fault = bytes.span.firstInvalidUTF8(in: range) {
      throw invalid("the bytes are not UTF-8", at: fault)
    }
  }

  private func unescaped(_ range: Range<Int>) throws(ScanFailure) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      guard bytes[at] == 0x5C else {
        text.append(bytes[at])
        at += 1
        continue
      }
      // Behind the last backslash stands at least the quote that it escapes.
      switch bytes[at + 1] {
      case let byte where byte == 0x22 || byte == 0x5C || byte == 0x2F: text.append(byte)
      case 0x62: text.append(0x08)
      case 0x66: text.append(0x0C)
      case 0x6E: text.append(0x0A)
      case 0x72: text.append(0x0D)
      case 0x74: text.append(0x09)
      case 0x75:
        let (scalar, end) = try scalar(at, range.upperBound)
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        at = end
        continue
      default: throw invalid("the escape is not one of JSON", at: at)
      }
      at += 2
    }
    return text
  }

  /// The scalar of `\u` and four digits, or of a pair of them, and where it ends.
  private func scalar(
    _ start: Int, _ end: Int
  ) throws(ScanFailure) -> (Unicode.Scalar, end: Int) {
    let first = try unit(start, end)
    if let scalar = Unicode.Scalar(first) { return (scalar, start + 6) }
    let isPair =
      first < 0xDC00 && start + 7 < end && bytes[start + 6] == 0x5C && bytes[start + 7] == 0x75
    guard isPair else { throw loneSurrogate(start) }
    let second = try unit(start + 6, end)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
    else { throw loneSurrogate(start) }
    return (scalar, start + 12)
  }

  private func unit(_ start: Int, _ end: Int) throws(ScanFailure) -> UInt32 {
    guard start + 6 <= end else {
      throw invalid(#"expected four hexadecimal digits after "\u""#, at: start)
    }
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard let digit = bytes[index].hexadecimalDigit else {
        throw invalid(#"expected four hexadecimal digits after "\u""#, at: start)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private func loneSurrogate(_ offset: Int) -> ScanFailure {
    invalid("half of a pair of surrogates is no text", at: offset)
  }

  private func tooLong(_ offset: Int) -> ScanFailure {
    ScanFailure(.tooLong, "the value is longer than \(limits.length) bytes", at: offset)
  }
}

// MARK: What is wrapped

extension JSONReader {
  /// What a wrapped value, which begins at `start`, stands for.
  func unwrapped(
    _ value: SPONValue, _ wrapper: JSONWrapper, _ start: Int
  ) throws(ScanFailure) -> SPONValue {
    switch (wrapper, value) {
    case (.float, .float), (.double, .double), (.decimal, .decimal): return value
    case (.opaque, .string(let text)): return .opaque(text)
    case (_, .string(let text)):
      if let value = Self.read(text, as: wrapper) { return value }
    default: break
    }
    throw invalid("this is nothing that \"\(wrapper.rawValue)\" can hold", at: start)
  }

  private static func read(_ text: String, as wrapper: JSONWrapper) -> SPONValue? {
    switch (wrapper, text) {
    case (.float, "nan"): return .float(.nan)
    case (.float, "inf"): return .float(.infinity)
    case (.float, "-inf"): return .float(-.infinity)
    case (.double, "nan"): return .double(.nan)
    case (.double, "inf"): return .double(.infinity)
    case (.double, "-inf"): return .double(-.infinity)
    case (.decimal, _): return SPONDecimal(text).map { .decimal($0) }
    case (.data, _): return SPONValue.opaque(text).bytes.map { .bytes($0) }
    case (.instant, _):
      let bytes = Array(text.utf8)
      return InstantText.parse(bytes.span, 0..<bytes.count).map { .instant($0) }
    default: return nil
    }
  }
}
