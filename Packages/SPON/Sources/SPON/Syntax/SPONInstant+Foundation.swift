public import Foundation
internal import Primitives

// A `Date` is the number of seconds since 2001-01-01 as a `Double`.

extension SPONInstant {
  /// Creates the instant of a date with the fewest fractional digits (0, 3, 6, 9, 12, 15 or 18) for
  /// which `Date(instant)` equals the date.
  ///
  /// ```swift
  /// let instant = SPONInstant(Date(timeIntervalSince1970: 0.1))
  /// print(instant?.description ?? "none")  // 1970-01-01T00:00:00.1Z
  /// ```
  ///
  /// - Returns: `nil` if the date is not in the years 0000 to 9999, is not a number, or requires
  ///   more than eighteen digits, which is possible within a hundredth of a second of 2001-01-01.
  public init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    // Beyond this limit, no year has four digits; within it, the computation can't overflow.
    guard seconds.magnitude < 1e12 else { return nil }
    for digits in stride(from: 0, through: 18, by: 3) {
      guard let instant = Self.nearest(to: seconds, digits: digits), Date(instant) == date else {
        continue
      }
      self = instant
      return
    }
    return nil
  }

  /// Returns the instant with the given number of fractional digits that is nearest to seconds
  /// since 2001.
  private static func nearest(to seconds: Double, digits: Int) -> SPONInstant? {
    let whole = seconds.rounded(.towardZero)
    // Exact, since both have the same sign.
    let units = Self.units(in: (seconds - whole).magnitude, digits: digits)
    var whole1970 = Int64(whole) + referenceSeconds
    // At most one second, if the units were rounded up.
    var attoseconds = Int64(units * powerOfTen(18 - digits))
    if seconds < 0 { attoseconds = -attoseconds }
    if attoseconds < 0 {
      whole1970 -= 1
      attoseconds += attosecondsPerSecond
    } else if attoseconds == attosecondsPerSecond {
      whole1970 += 1
      attoseconds = 0
    }
    return SPONInstant(secondsSince1970: whole1970, attoseconds: attoseconds)
  }

  /// Returns a fraction of a second in units of the last of `digits` digits, rounded once.
  private static func units(in fraction: Double, digits: Int) -> UInt64 {
    guard fraction > 0, fraction.isNormal else { return 0 }
    // fraction = significand × 2 to the power of -shift
    let significand = UInt64(fraction.significandBitPattern | 1 << 52)
    let shift = 52 - Int(fraction.exponent)
    guard shift < 127 else { return 0 }
    let product = WideUInt(product: significand, powerOfTen(digits))
    return ((product + WideUInt(low: 1) << (shift - 1)) >> shift).low
  }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  /// The beginning of 2001 in seconds since 1970.
  static let referenceSeconds: Int64 = 978_307_200

  fileprivate static let attosecondsPerSecond: Int64 = 1_000_000_000_000_000_000
}

extension Date {
  /// Creates the date that is nearest to an instant.
  ///
  /// A date in this century is exact to a few ten-millionths of a second; the rest is rounded.
  public init(_ instant: SPONInstant) {
    let whole = instant.secondsSince1970 - SPONInstant.referenceSeconds
    let product = WideUInt(product: whole.magnitude, UInt64(SPONInstant.attosecondsPerSecond))
    let fraction = WideUInt(low: UInt64(instant.attoseconds))
    let seconds = Self.seconds(ofAttoseconds: whole < 0 ? product - fraction : product + fraction)
    self.init(timeIntervalSinceReferenceDate: whole < 0 ? -seconds : seconds)
  }

  /// Converts attoseconds to seconds, rounded once.
  private static func seconds(ofAttoseconds count: WideUInt) -> Double {
    guard !count.isZero else { return 0 }
    // 10 to the power of 18 is 5 to the power of 18, shifted by 18. The dividend fills all 128
    // bits, so that the quotient has more than the 53 bits that are kept and the one that
    // determines rounding.
    let shift = count.leadingZeroBitCount
    var (quotient, rest) = (count << shift).quotientAndRemainder(
      dividingBy: 3_814_697_265_625)
    let surplus = 64 - quotient.leadingZeroBitCount
    if surplus > 0 {
      rest |= quotient.lowest(surplus).low
      quotient = quotient >> surplus
    }
    // The discarded bits matter only if the rest is exactly halfway between two numbers.
    let rounded = Double(quotient.low | (rest == 0 ? 0 : 1))
    return Double(
      sign: .plus, exponent: Swift.max(surplus, 0) - shift - 18, significand: rounded)
  }
}
