internal import Primitives

/// The shortest decimal digits that are read as the same `Double`, and among these the nearest
/// ones.
///
/// `description` returns the same digits for all numbers, but creates a `String`.
struct DecimalDigits {
  let isNegative: Bool
  /// The digits as an integer.
  let digits: UInt64
  /// The number of digits after the point: 1 to 19.
  let fractionCount: Int

  /// 10 to the power of ``fractionCount``.
  var fractionUnit: UInt64 { Self.powersOfTen[fractionCount] }

  /// - Returns: `nil` if the number is written with an exponent, or requires more than this
  ///   algorithm supports.
  init?(_ value: Double) {
    isNegative = value < 0
    if let (digits, count) = Self.thousandths(value.magnitude) ?? Self.shortest(value.magnitude) {
      self.digits = digits
      fractionCount = count
    } else {
      return nil
    }
  }

  /// Returns the digits of a number with at most three digits after the point and fifteen in total.
  /// No shorter text represents such a number.
  @inline(__always)
  private static func thousandths(_ value: Double) -> (digits: UInt64, fractionCount: Int)? {
    guard value >= 0.001, value < 1e12 else { return nil }
    let thousandths = UInt64(value * 1_000 + 0.5)
    guard Double(thousandths) / 1_000 == value else { return nil }
    let (hundredths, last) = thousandths.quotientAndRemainder(dividingBy: 10)
    guard last == 0 else { return (thousandths, 3) }
    let (tenths, next) = hundredths.quotientAndRemainder(dividingBy: 10)
    return next == 0 ? (tenths, 1) : (hundredths, 2)
  }

  /// Returns the digits by exact 128-bit arithmetic, which suffices for numbers without an
  /// exponent.
  ///
  /// - Returns: `nil` if the number is less than 0.001, at least 2⁵³, or a whole number.
  private static func shortest(_ value: Double) -> (digits: UInt64, fractionCount: Int)? {
    guard value >= 0.001, value < 9_007_199_254_740_992, value.rounded(.down) != value else {
      return nil
    }
    // The lower neighbour of a power of two is nearer than the upper one. These numbers are left to
    // the library.
    guard value.significandBitPattern != 0 else { return nil }
    // Both are multiplied by two: the value is the significand ÷ 2^shift, and half a unit leads to
    // the next value. Seventeen digits distinguish all values.
    let shift = 53 - Int(value.exponent)
    var fractionCount = 17 - wholeDigitCount(value)
    let scale = WideUInt(low: powersOfTen[fractionCount])
    let middle = WideUInt(product: (value.significandBitPattern | 1 << 52) << 1, scale.low)
    let isEven = value.significandBitPattern & 1 == 0
    let whole = (middle >> shift).low
    let rest = middle.lowest(shift)
    let isExact = rest.isZero

    // Returns whether a number with such digits is read as the value: it is at most half a unit
    // away.
    func isNear(_ digits: UInt64) -> Bool {
      let number = WideUInt(low: digits) << shift
      let distance = number > middle ? number - middle : middle - number
      return distance < scale || distance == scale && isEven
    }

    let half = WideUInt(low: 1) << (shift - 1)
    var best = rest > half || rest == half && whole & 1 == 1 ? whole + 1 : whole
    guard isNear(best) else { return nil }
    // Remove digits as long as the nearest number with fewer digits is still read as the value.
    var unit: UInt64 = 1
    while fractionCount > 0 {
      let wider = unit * 10
      let (quotient, rest) = whole.quotientAndRemainder(dividingBy: wider)
      let isUp = rest * 2 > wider || rest * 2 == wider && (!isExact || quotient & 1 == 1)
      let candidate = isUp ? quotient + 1 : quotient
      guard isNear(candidate * wider) else { break }
      unit = wider
      best = candidate
      fractionCount -= 1
    }
    guard fractionCount > 0 else { return nil }
    return (best, fractionCount)
  }

  private static func wholeDigitCount(_ value: Double) -> Int {
    var count = 0
    var rest = UInt64(value)
    while rest > 0 {
      rest /= 10
      count += 1
    }
    guard count == 0 else { return count }
    return value >= 0.1 ? 0 : value >= 0.01 ? -1 : -2
  }

  /// 10 to the power of 0 to 19.
  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
    100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
    100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
