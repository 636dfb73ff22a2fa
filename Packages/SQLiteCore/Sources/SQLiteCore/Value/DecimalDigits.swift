internal import Primitives

/// The parsed form of a decimal number: a sign, digits, and a decimal exponent.
///
/// Accepts the numbers that Foundation's `Decimal` can represent, and rejects numbers that it would
/// round.
struct DecimalDigits: Equatable {
  var isNegative: Bool
  var digits: WideUInt
  var exponent: Int

  /// The exponents that `Decimal` supports.
  static let exponents = -128...127

  enum Failure: Error { case invalid, tooLong }

  init(digits: WideUInt, exponent: Int, isNegative: Bool = false) {
    self.digits = digits
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// Parses a number: an optional sign, digits, an optional point followed by digits, and an
  /// optional exponent.
  ///
  /// A digit is required before and after the point. Whitespace, separators, `NaN`, infinity and
  /// non-ASCII digits are rejected.
  init(_ text: String) throws(Failure) {
    var bytes = text.utf8[...]
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    digits = WideUInt(low: 0)
    exponent = 0
    // Zeros are deferred, because trailing zeros increase the exponent.
    var zeros = 0
    try readDigits(&bytes, isFraction: false, &zeros)
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      try readDigits(&bytes, isFraction: true, &zeros)
    }
    exponent += zeros
    if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
      bytes.removeFirst()
      exponent += try Self.readExponent(&bytes)
    }
    guard bytes.isEmpty else { throw .invalid }
    guard !digits.isZero else {
      (isNegative, exponent) = (false, 0)
      return
    }
    guard Self.exponents.contains(exponent) else { throw .tooLong }
  }

  private mutating func readDigits(
    _ bytes: inout Substring.UTF8View, isFraction: Bool, _ zeros: inout Int
  ) throws(Failure) {
    var count = 0
    while let byte = bytes.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      bytes.removeFirst()
      count += 1
      if isFraction { exponent -= 1 }
      guard byte != UInt8(ascii: "0") else {
        zeros += 1
        continue
      }
      // Leading zeros are ignored.
      if !digits.isZero { for _ in 0..<zeros { try append(0) } }
      zeros = 0
      try append(UInt64(byte - UInt8(ascii: "0")))
    }
    guard count > 0 else { throw .invalid }
  }

  private mutating func append(_ digit: UInt64) throws(Failure) {
    guard digits.append(digit: digit) else { throw .tooLong }
  }

  private static func readExponent(_ bytes: inout Substring.UTF8View) throws(Failure) -> Int {
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var exponent = 0
    guard !bytes.isEmpty else { throw .invalid }
    while let byte = bytes.first {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw .invalid }
      bytes.removeFirst()
      exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
    }
    return isNegative ? -exponent : exponent
  }
}
