public import Foundation
internal import Primitives

// A `Date` is a number of seconds since the beginning of 2001, as a `Double`.

extension SPONInstant {
  /// The instant of a date, with as few digits of a second as suffice: none, or 3, 6, 9, 12, 15 or 18,
  /// the least with which `Date(instant)` is the same date again.
  ///
  /// ```swift
  /// let instant = SPONInstant(Date(timeIntervalSince1970: 0.1))
  /// print(instant?.description ?? "none")  // 1970-01-01T00:00:00.1Z
  /// ```
  ///
  /// - Returns: `nil` where the date is in no year from 0000 to 9999 or is not a number, and where
  ///   eighteen digits do not suffice, as they may not within a hundredth of a second of the beginning
  ///   of 2001.
  public init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    // Beyond this no year has four digits, and within it nothing below overflows.
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

  /// The instant with so many digits of a second that is nearest to seconds since 2001.
  private static func nearest(to seconds: Double, digits: Int) -> SPONInstant? {
    let whole = seconds.rounded(.towardZero)
    // Exact, since both have the same sign.
    let units = Self.units(in: (seconds - whole).magnitude, digits: digits)
    var whole1970 = Int64(whole) + referenceSeconds
    // At most a second: the units may have been rounded up to one.
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

  /// How many units of the last of so many digits a fraction of a second has, rounded once.
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

  /// The beginning of 2001.
  static let referenceSeconds: Int64 = 978_307_200

  fileprivate static let attosecondsPerSecond: Int64 = 1_000_000_000_000_000_000
}

extension Date {
  /// The date that is nearest to an instant.
  ///
  /// A date of our years is exact to a few ten millionths of a second: what the instant has beyond is
  /// rounded.
  public init(_ instant: SPONInstant) {
    let whole = instant.secondsSince1970 - SPONInstant.referenceSeconds
    let product = WideUInt(product: whole.magnitude, UInt64(SPONInstant.attosecondsPerSecond))
    let fraction = WideUInt(low: UInt64(instant.attoseconds))
    let seconds = Self.seconds(ofAttoseconds: whole < 0 ? product - fraction : product + fraction)
    self.init(timeIntervalSinceReferenceDate: whole < 0 ? -seconds : seconds)
  }

  /// A number of attoseconds in seconds, rounded once.
  private static func seconds(ofAttoseconds count: WideUInt) -> Double {
    guard !count.isZero else { return 0 }
    // 10 to the power of 18 is 5 to the power of 18, shifted by 18. What is divided fills its 128 bits,
    // so that the quotient has more than the 53 that are kept and the one that says how to round.
    let shift = count.leadingZeroBitCount
    var (quotient, rest) = (count << shift).quotientAndRemainder(
      dividingBy: 3_814_697_265_625)
    let surplus = 64 - quotient.leadingZeroBitCount
    if surplus > 0 {
      rest |= quotient.lowest(surplus).low
      quotient = quotient >> surplus
    }
    // What was cut off counts only where the rest is just between two numbers.
    let rounded = Double(quotient.low | (rest == 0 ? 0 : 1))
    return Double(
      sign: .plus, exponent: Swift.max(surplus, 0) - shift - 18, significand: rounded)
  }
}
