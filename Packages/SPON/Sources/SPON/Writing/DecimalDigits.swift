internal import Primitives

/// The decimal digits of a `Double`: as few as are read as the same value, and of these the nearest.
///
/// `description` gives the same digits for all numbers, and makes a `String` of them.
struct DecimalDigits {
  let isNegative: Bool
  /// The digits as an integer.
  let digits: UInt64
  /// How many of them stand behind the point: 1 to 19.
  let fractionCount: Int

  /// 10 to the power of ``fractionCount``.
  var fractionUnit: UInt64 { Self.powersOfTen[fractionCount] }

  /// - Returns: `nil` where the number is written with an exponent, or takes more than is done here.
  init?(_ value: Double) {
    isNegative = value < 0
    if let (digits, count) = Self.thousandths(value.magnitude) ?? Self.shortest(value.magnitude) {
      self.digits = digits
      fractionCount = count
    } else {
      return nil
    }
  }

  /// A number that has at most three digits behind its point, and fifteen in all: what is written so is
  /// what no shorter text is read as.
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

  /// Exact arithmetic in 128 bits, which suffices for numbers that are written without an exponent.
  ///
  /// - Returns: `nil` where the number is less than 0.001, 2⁵³ or more, or a whole number.
  private static func shortest(_ value: Double) -> (digits: UInt64, fractionCount: Int)? {
    guard value >= 0.001, value < 9_007_199_254_740_992, value.rounded(.down) != value else {
      return nil
    }
    // A power of two has a lower neighbour that is nearer. These are left to the library.
    guard value.significandBitPattern != 0 else { return nil }
    // Both are multiplied by two: the value is the significand ÷ 2^shift, and half a unit of it leads to the next value. Seventeen
    // digits tell all values apart.
    let shift = 53 - Int(value.exponent)
    var places = 17 - wholeDigitCount(value)
    let scale = WideUInt(low: powersOfTen[places])
    let middle = WideUInt(product: (value.significandBitPattern | 1 << 52) << 1, scale.low)
    let isEven = value.significandBitPattern & 1 == 0
    let whole = (middle >> shift).low
    let rest = middle.lowest(shift)
    let isExact = rest.isZero

    // Whether a number of such digits is read as the value: it is less than half a unit away from it.
    func isNear(_ digits: UInt64) -> Bool {
      let number = WideUInt(low: digits) << shift
      let distance = number > middle ? number - middle : middle - number
      return distance < scale || distance == scale && isEven
    }

    let half = WideUInt(low: 1) << (shift - 1)
    var best = rest > half || rest == half && whole & 1 == 1 ? whole + 1 : whole
    guard isNear(best) else { return nil }
    // One digit fewer, as long as the nearest such number is still this value.
    var unit: UInt64 = 1
    while places > 0 {
      let wider = unit * 10
      let (quotient, rest) = whole.quotientAndRemainder(dividingBy: wider)
      let isUp = rest * 2 > wider || rest * 2 == wider && (!isExact || quotient & 1 == 1)
      let candidate = isUp ? quotient + 1 : quotient
      guard isNear(candidate * wider) else { break }
      unit = wider
      best = candidate
      places -= 1
    }
    guard places > 0 else { return nil }
    return (best, places)
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
