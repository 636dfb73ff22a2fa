internal import Primitives

/// A decimal number with any number of digits: `digits` × 10 to the power of `exponent`.
///
/// The number of decimal places is preserved: `1.50` plus `1.5` is `3.00`.
struct DecimalNumber {
  private(set) var isNegative: Bool
  /// The digits as numbers, the most significant first, without leading zeros; empty for zero.
  private var digits: [UInt8]
  private(set) var exponent: Int

  /// The maximum number of digits of an operand or a result.
  private static let maximumDigitCount = 20_000

  /// The result has more digits than supported.
  struct Overflow: Error {}

  static let zero = DecimalNumber(false, [], 0)

  private init(_ isNegative: Bool, _ digits: [UInt8], _ exponent: Int) {
    let zeros = digits.prefix { $0 == 0 }.count
    self.digits = zeros == 0 ? digits : Array(digits.dropFirst(zeros))
    self.isNegative = isNegative && !self.digits.isEmpty
    self.exponent = exponent
  }

  /// Parses a number; `nil` if the text is not a number.
  init?(_ text: Span<UInt8>) {
    guard let number = NumberText(text) else { return nil }
    self.init(number, text)
  }

  init?(_ text: String) {
    guard let number = text.withUTF8Span({ DecimalNumber($0) }) else { return nil }
    self = number
  }

  init(_ number: NumberText, _ text: Span<UInt8>) {
    var digits: [UInt8] = []
    digits.reserveCapacity(number.whole.count + number.fraction.count)
    for index in number.whole { digits.append(text[index] &- 0x30) }
    for index in number.fraction { digits.append(text[index] &- 0x30) }
    self.init(number.isNegative, digits, number.exponent - number.fraction.count)
  }

  init(_ value: Int64) {
    let digits = value.magnitude.description.utf8.map { $0 &- 0x30 }
    self.init(value < 0, digits, 0)
  }

  /// Creates the number that the shortest text of a finite `Double` denotes.
  init?(_ value: Double) { self.init(value.description) }

  var isZero: Bool { digits.isEmpty }

  /// The number without an exponent, and with its decimal places.
  var description: String {
    let sign = isNegative ? "-" : ""
    var text = String(decoding: digits.map { $0 &+ 0x30 }, as: UTF8.self)
    guard exponent < 0 else {
      if text.isEmpty { return "0" }
      return sign + text + String(repeating: "0", count: exponent)
    }
    let missing = 1 - exponent - text.utf8.count
    if missing > 0 { text = String(repeating: "0", count: missing) + text }
    return "\(sign)\(text.dropLast(-exponent)).\(text.suffix(-exponent))"
  }
}

// Arithmetic.
extension DecimalNumber {
  static prefix func - (number: DecimalNumber) -> DecimalNumber {
    DecimalNumber(!number.isNegative, number.digits, number.exponent)
  }

  static func + (a: DecimalNumber, b: DecimalNumber) throws(Overflow) -> DecimalNumber {
    let exponent = Swift.min(a.exponent, b.exponent)
    let (x, y) = (try a.digits(to: exponent), try b.digits(to: exponent))
    if a.isNegative == b.isNegative { return DecimalNumber(a.isNegative, sum(x, y), exponent) }
    return isLess(x, y)
      ? DecimalNumber(b.isNegative, difference(y, x), exponent)
      : DecimalNumber(a.isNegative, difference(x, y), exponent)
  }

  static func - (a: DecimalNumber, b: DecimalNumber) throws(Overflow) -> DecimalNumber {
    try a + -b
  }

  /// Returns the product, without zeros at the end that exceed the decimal places of both operands.
  static func * (a: DecimalNumber, b: DecimalNumber) throws(Overflow) -> DecimalNumber {
    guard a.digits.count + b.digits.count <= maximumDigitCount else { throw Overflow() }
    var product = Array(repeating: 0, count: a.digits.count + b.digits.count)
    for (row, digit) in a.digits.enumerated().reversed() where digit != 0 {
      for (column, other) in b.digits.enumerated() {
        product[row + column + 1] += Int(digit) * Int(other)
      }
    }
    var carry = 0
    for index in product.indices.reversed() {
      let value = product[index] + carry
      product[index] = value % 10
      carry = value / 10
    }
    var digits = product.map { UInt8($0) }
    var exponent = a.exponent + b.exponent
    let places = Swift.max(a.exponent, b.exponent)
    while exponent < Swift.min(places, 0), digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    return DecimalNumber(a.isNegative != b.isNegative, digits, exponent)
  }

  /// Returns the quotient, rounded to 34 significant digits, the digits of IEEE 754's `decimal128`,
  /// or to the digits of the dividend's whole part if it has more.
  func divided(by divisor: Int64) throws(Overflow) -> DecimalNumber {
    let divisorText = divisor.magnitude
    let places = Swift.max(0, 34 - digits.count + divisorText.description.utf8.count)
    var dividend = try self.digits(to: Swift.min(exponent, 0))
    dividend += Array(repeating: 0, count: places)
    var quotient: [UInt8] = []
    var rest: UInt64 = 0
    for digit in dividend {
      let (high, low) = rest.multipliedFullWidth(by: 10)
      let (sum, carries) = low.addingReportingOverflow(UInt64(digit))
      let (next, remainder) = divisorText.dividingFullWidth((high + (carries ? 1 : 0), sum))
      quotient.append(UInt8(next))
      rest = remainder
    }
    var result = DecimalNumber(
      isNegative != (divisor < 0), quotient, Swift.min(exponent, 0) - places)
    let (half, isOdd) = divisorText.quotientAndRemainder(dividingBy: 2)
    let isUp = rest > half || rest == half && isOdd == 0 && (result.digits.last ?? 0) % 2 == 1
    if isUp {
      result = DecimalNumber(result.isNegative, Self.sum(result.digits, [1]), result.exponent)
    }
    while result.exponent < 0, result.digits.last == 0 {
      result.digits.removeLast()
      result.exponent += 1
    }
    return result
  }

  /// Returns the digits of the number as a multiple of a smaller power of ten.
  private func digits(to exponent: Int) throws(Overflow) -> [UInt8] {
    if digits.isEmpty { return [] }
    let count = self.exponent - exponent
    guard digits.count + count <= Self.maximumDigitCount else { throw Overflow() }
    return digits + Array(repeating: 0, count: count)
  }

  private static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
  }

  private static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var digits = Array(repeating: UInt8(0), count: Swift.max(a.count, b.count) + 1)
    var carry: UInt8 = 0
    for index in 1...digits.count {
      let value =
        carry + (index <= a.count ? a[a.count - index] : 0)
        + (index <= b.count ? b[b.count - index] : 0)
      carry = value >= 10 ? 1 : 0
      digits[digits.count - index] = value - carry * 10
    }
    return digits
  }

  /// Returns the difference of a number and one that is not greater.
  private static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var digits = a
    var borrow: UInt8 = 0
    for index in 1...Swift.max(a.count, 1) where index <= a.count {
      let subtrahend = borrow + (index <= b.count ? b[b.count - index] : 0)
      let value = a[a.count - index]
      borrow = value < subtrahend ? 1 : 0
      digits[a.count - index] = value + borrow * 10 - subtrahend
    }
    return digits
  }
}
