internal import Primitives

/// Parsers for numbers and booleans.
enum Numbers {
  static func bool(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) -> Bool {
    let at = range.lowerBound
    switch range.count {
    case 4
    where bytes[at] == 0x74 && bytes[at + 1] == 0x72 && bytes[at + 2] == 0x75
      && bytes[at + 3] == 0x65:
      return true
    case 5
    where bytes[at] == 0x66 && bytes[at + 1] == 0x61 && bytes[at + 2] == 0x6C
      && bytes[at + 3] == 0x73 && bytes[at + 4] == 0x65:
      return false
    default:
      throw ScanFailure(.invalidBool, #"expected "true" or "false""#, at: at)
    }
  }

  /// Parses an integer. Returns its bits, and whether they represent a `UInt64` that exceeds
  /// `Int64.max`.
  static func integer(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(ScanFailure) -> (bits: UInt64, isUnsigned: Bool) {
    var at = range.lowerBound
    let isNegative = at < range.upperBound && bytes[at] == Byte.hyphen
    if isNegative { at += 1 }
    guard at < range.upperBound else {
      throw ScanFailure(.invalidNumber, "expected the digits of an integer", at: range.lowerBound)
    }
    var magnitude: UInt64 = 0
    // Nineteen digits always fit.
    let safeEnd = Swift.min(range.upperBound, at + 19)
    var overflows = false
    while at < range.upperBound {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else {
        throw ScanFailure(.invalidNumber, "expected the digits of an integer", at: at)
      }
      if at < safeEnd {
        magnitude = magnitude &* 10 &+ UInt64(digit)
      } else {
        let (tens, lost) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, lostToo) = tens.addingReportingOverflow(UInt64(digit))
        overflows = overflows || lost || lostToo
        magnitude = sum
      }
      at += 1
    }
    let isSigned = magnitude <= UInt64(Int64.max) || isNegative && magnitude == 1 << 63
    guard !overflows, isSigned || !isNegative else {
      throw ScanFailure(
        .numberOutOfRange, "the integer does not fit in 64 bits", at: range.lowerBound)
    }
    return (isNegative ? 0 &- magnitude : magnitude, !isSigned)
  }

  static func double(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(ScanFailure) -> Double {
    let parts = try Parts(bytes, range)
    switch parts.form {
    case .infinite(let isNegative): return isNegative ? -.infinity : .infinity
    case .notANumber: return .nan
    case .finite(let isNegative, let digits, let exponent, let isExact):
      if isExact,
        let value = double(isNegative: isNegative, digits, exponent: Int(clamping: exponent))
      {
        return value
      }
      guard let value = Double(text(bytes, range)), value.isFinite else {
        throw ScanFailure(
          .numberOutOfRange, "the number is too large for a Double", at: range.lowerBound)
      }
      return value
    }
  }

  /// Returns the `Double` nearest to `digits` × 10 to the power of `exponent`; `nil` if that
  /// requires more than one multiplication or division.
  static func double(isNegative: Bool, _ digits: UInt64, exponent: Int) -> Double? {
    let magnitude: Double
    if digits <= 1 << 53, (-22...22).contains(exponent) {
      // Both numbers are exact, so their quotient or product is rounded only once.
      let power = powersOfTen[Swift.abs(exponent)]
      magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    } else if digits > 1 << 53, (-18 ... -1).contains(exponent) {
      magnitude = quotient(digits, UInt64(powersOfTen[-exponent]))
    } else {
      return nil
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the `Double` nearest to a quotient. At least 57 bits are computed exactly, more than a
  /// `Double` has, so the remaining ones matter only if they are not all zero.
  private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
    let (quotient, remainder) = WideUInt(high: dividend, low: 0).quotientAndRemainder(
      dividingBy: divisor)
    let dropped = Swift.max(0, 64 - quotient.leadingZeroBitCount)
    let kept = (quotient >> dropped).low
    let isExact = remainder == 0 && WideUInt(low: kept) << dropped == quotient
    return Double(
      sign: .plus, exponent: dropped - 64, significand: Double(isExact ? kept : kept | 1))
  }

  static func float(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) -> Float {
    let parts = try Parts(bytes, range)
    switch parts.form {
    case .infinite(let isNegative): return isNegative ? -.infinity : .infinity
    case .notANumber: return .nan
    case .finite(let isNegative, let digits, let exponent, let isExact):
      if isExact, digits <= 1 << 24, (-10...10).contains(exponent) {
        let power = Float(powersOfTen[Int(exponent.magnitude)])
        let magnitude = exponent < 0 ? Float(digits) / power : Float(digits) * power
        return isNegative ? -magnitude : magnitude
      }
      guard let value = Float(text(bytes, range)), value.isFinite else {
        throw ScanFailure(
          .numberOutOfRange, "the number is too large for a Float", at: range.lowerBound)
      }
      return value
    }
  }

  static func checkDecimal(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    switch try Parts(bytes, range).form {
    case .infinite:
      throw ScanFailure(.invalidNumber, "a decimal number can't be infinite", at: range.lowerBound)
    case .notANumber:
      guard range.count == 3 else {
        throw ScanFailure(.invalidNumber, "expected \"nan\" without a sign", at: range.lowerBound)
      }
    case .finite(_, let digits, let exponent, _):
      var first = exponent
      var rest = digits
      while rest >= 10 {
        rest /= 10
        first += 1
      }
      guard digits == 0 || first.magnitude <= SPONDecimal.greatestExponent else {
        throw ScanFailure(
          .numberOutOfRange, "the number is too large or too small for a decimal number",
          at: range.lowerBound)
      }
    }
  }

  /// Returns the characters of a valid number.
  static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity(range.count)
    for index in range { characters.append(bytes[index]) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The powers of ten from 10⁰ to 10²², which a `Double` represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension Numbers {
  /// The parts of a number with a fraction.
  struct Parts {
    enum Form {
      case infinite(isNegative: Bool)
      case notANumber
      /// `digits` × 10 to the power of `exponent`, which is approximate if `isExact` is `false`.
      case finite(isNegative: Bool, digits: UInt64, exponent: Int64, isExact: Bool)
    }

    let form: Form

    /// Parses `-`, digits, and an optional fraction and exponent; or `nan`, `inf`, `-inf`.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
      var at = range.lowerBound
      let end = range.upperBound
      let isNegative = at < end && bytes[at] == Byte.hyphen
      if isNegative { at += 1 }
      if end - at == 3, let form = Self.word(bytes, at, isNegative) {
        self.form = form
        return
      }
      var digits: UInt64 = 0
      var significant = 0
      var exponent: Int64 = 0
      var count = 0
      while at < end, bytes[at].isDigit {
        Self.take(bytes[at], &digits, &significant, &exponent, isFraction: false)
        count += 1
        at += 1
      }
      guard count > 0 else {
        throw ScanFailure(.invalidNumber, "expected the digits of a number", at: at)
      }
      if at < end, bytes[at] == 0x2E {
        at += 1
        count = 0
        while at < end, bytes[at].isDigit {
          Self.take(bytes[at], &digits, &significant, &exponent, isFraction: true)
          count += 1
          at += 1
        }
        guard count > 0 else {
          throw ScanFailure(.invalidNumber, "expected a digit after the decimal point", at: at)
        }
      }
      if at < end, bytes[at] | 0x20 == 0x65 {
        exponent += try Numbers.exponent(bytes, at + 1..<end)
        at = end
      }
      guard at == end else {
        throw ScanFailure(.invalidNumber, "expected the end of the number", at: at)
      }
      form = .finite(
        isNegative: isNegative, digits: digits, exponent: exponent, isExact: significant <= 19)
    }

    private static func take(
      _ byte: UInt8, _ digits: inout UInt64, _ significant: inout Int, _ exponent: inout Int64,
      isFraction: Bool
    ) {
      if significant > 0 || byte != 0x30 { significant += 1 }
      if significant <= 19 {
        digits = digits &* 10 &+ UInt64(byte &- 0x30)
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    }

    private static func word(_ bytes: Span<UInt8>, _ at: Int, _ isNegative: Bool) -> Form? {
      switch (bytes[at], bytes[at + 1], bytes[at + 2]) {
      case (0x69, 0x6E, 0x66): .infinite(isNegative: isNegative)
      case (0x6E, 0x61, 0x6E): .notANumber
      default: nil
      }
    }
  }

  /// Parses an exponent. The last digits of one beyond 10¹⁷ are ignored, since it is out of range
  /// for any number of digits.
  static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) -> Int64 {
    var at = range.lowerBound
    var isNegative = false
    if at < range.upperBound, bytes[at] == Byte.hyphen || bytes[at] == 0x2B {
      isNegative = bytes[at] == Byte.hyphen
      at += 1
    }
    guard at < range.upperBound else {
      throw ScanFailure(.invalidNumber, "expected the digits of an exponent", at: at)
    }
    var exponent: Int64 = 0
    while at < range.upperBound {
      guard bytes[at].isDigit else {
        throw ScanFailure(.invalidNumber, "expected the digits of an exponent", at: at)
      }
      if exponent < 100_000_000_000_000_000 {
        exponent = exponent * 10 + Int64(bytes[at] &- 0x30)
      }
      at += 1
    }
    return isNegative ? -exponent : exponent
  }
}
