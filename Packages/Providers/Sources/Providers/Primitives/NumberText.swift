internal import Primitives

/// The parts of a number's text: an optional sign, digits with an optional decimal point, and an
/// optional exponent of up to four digits.
///
/// ```swift
/// NumberText("-12.50e3".utf8.span)  // negative, whole 12, fraction 50, exponent 3
/// ```
struct NumberText {
  private(set) var isNegative = false
  private(set) var hasPlus = false
  /// The digits before the decimal point, and after it.
  private(set) var whole: Range<Int>
  private(set) var fraction: Range<Int>
  private(set) var hasPoint = false
  private(set) var hasExponent = false
  private(set) var exponent = 0

  /// Parses a text; `nil` if it is not a number.
  init?(_ text: Span<UInt8>) {
    var at = 0
    let end = text.count
    if at < end, text[at] == 0x2D || text[at] == 0x2B {
      isNegative = text[at] == 0x2D
      hasPlus = !isNegative
      at &+= 1
    }
    whole = Self.digits(text, at)
    at = whole.upperBound
    fraction = at..<at
    if at < end, text[at] == 0x2E {
      hasPoint = true
      fraction = Self.digits(text, at &+ 1)
      at = fraction.upperBound
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    if at < end, text[at] | 0x20 == 0x65 {
      guard let exponent = Self.exponent(text, at &+ 1) else { return nil }
      self.exponent = exponent
      hasExponent = true
    } else if at < end {
      return nil
    }
  }

  private static func digits(_ text: Span<UInt8>, _ start: Int) -> Range<Int> {
    var at = start
    while at < text.count, text[at] &- 0x30 < 10 { at &+= 1 }
    return start..<at
  }

  private static func exponent(_ text: Span<UInt8>, _ start: Int) -> Int? {
    var first = start
    let isNegative = first < text.count && text[first] == 0x2D
    if first < text.count, isNegative || text[first] == 0x2B { first &+= 1 }
    let digits = digits(text, first)
    guard 1...4 ~= digits.count, digits.upperBound == text.count else { return nil }
    var exponent = 0
    for index in digits { exponent = exponent &* 10 &+ Int(text[index] &- 0x30) }
    return isNegative ? -exponent : exponent
  }

  /// A Boolean value that indicates whether the text has neither a decimal point nor an exponent.
  var isInteger: Bool { !hasPoint && !hasExponent }

  /// Returns whether the text looks like a code, not like a quantity: it begins with unnecessary
  /// zeros, as in `007`, or it is a phone number such as `+491701234567`.
  func isCode(_ text: Span<UInt8>) -> Bool {
    whole.count > 1 && text[whole.lowerBound] == 0x30 || hasPlus && isInteger && whole.count >= 7
  }

  /// Returns whether the text is a number in JSON's grammar.
  func isJSON(_ text: Span<UInt8>) -> Bool {
    !hasPlus && whole.count > 0 && (whole.count == 1 || text[whole.lowerBound] != 0x30)
      && (!hasPoint || fraction.count > 0)
  }

  /// Returns the number as an integer; `nil` if it has a fraction or does not fit into 64 bits.
  func integer(_ text: Span<UInt8>) -> Int64? {
    if isInteger {
      let magnitude = Int64.exactly(text, whole)
      return isNegative ? Int64.exactly(text, 0..<text.count) : magnitude
    }
    return double(text).flatMap { Int64(exactly: $0) }
  }

  /// Returns the `Double` that represents the number exactly: see `ExactNumber`.
  func double(_ text: Span<UInt8>) -> Double? {
    ExactNumber(text, (hasPlus ? 1 : 0)..<text.count)?.double
  }
}

// Comparison, without limits on the number of digits.
extension NumberText {
  /// The significant digits, starting with the first one that is not 0.
  private struct Digits {
    let number: NumberText
    /// The number of digits, including leading zeros.
    let count: Int
    /// The index of the first digit that is not 0; ``count`` for zero.
    let first: Int

    init(_ number: NumberText, _ text: Span<UInt8>) {
      self.number = number
      count = number.whole.count &+ number.fraction.count
      var first = 0
      while first < count, Self.digit(number, first, text) == 0x30 { first &+= 1 }
      self.first = first
    }

    private static func digit(_ number: NumberText, _ index: Int, _ text: Span<UInt8>) -> UInt8 {
      let whole = number.whole.count
      return text[
        index < whole
          ? number.whole.lowerBound &+ index : number.fraction.lowerBound &+ index &- whole]
    }

    var isZero: Bool { first == count }

    /// The position of the first digit before the decimal point, counting from 1 for units.
    var position: Int { number.whole.count &- first &+ number.exponent }

    /// Returns a significant digit, or a zero after the last one.
    func digit(_ index: Int, _ text: Span<UInt8>) -> UInt8 {
      first &+ index < count ? Self.digit(number, first &+ index, text) : 0x30
    }
  }

  /// Returns -1, 0 or 1 for two numbers.
  static func order(
    _ a: NumberText, _ aText: Span<UInt8>, _ b: NumberText, _ bText: Span<UInt8>
  ) -> Int {
    let (aDigits, bDigits) = (Digits(a, aText), Digits(b, bText))
    let aSign = aDigits.isZero ? 0 : a.isNegative ? -1 : 1
    let bSign = bDigits.isZero ? 0 : b.isNegative ? -1 : 1
    guard aSign == bSign, aSign != 0 else { return (aSign - bSign).signum() }
    let distance = aDigits.position - bDigits.position
    guard distance == 0 else { return distance.signum() * aSign }
    let count = Swift.max(aDigits.count - aDigits.first, bDigits.count - bDigits.first)
    for index in 0..<count {
      let (aDigit, bDigit) = (aDigits.digit(index, aText), bDigits.digit(index, bText))
      if aDigit != bDigit { return aDigit < bDigit ? -aSign : aSign }
    }
    return 0
  }

  /// Returns -1, 0 or 1 for two texts: numbers by their values, before all other texts, which are
  /// compared by their bytes.
  static func order(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    switch (NumberText(a), NumberText(b)) {
    case (let aNumber?, let bNumber?): return order(aNumber, a, bNumber, b)
    case (_?, nil): return -1
    case (nil, _?): return 1
    case (nil, nil):
      for index in 0..<Swift.min(a.count, b.count) where a[index] != b[index] {
        return a[index] < b[index] ? -1 : 1
      }
      return (a.count - b.count).signum()
    }
  }
}
