/// An unsigned integer of 128 bits, with what exact arithmetic of decimal numbers needs.
///
/// The standard library's `UInt128` begins with macOS 15. As its operators do, these trap on overflow.
public struct WideUInt: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  @inlinable
  public init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The product of two integers, which always fits.
  @inlinable
  public init(product one: UInt64, _ other: UInt64) {
    let (high, low) = one.multipliedFullWidth(by: other)
    self.init(high: high, low: low)
  }

  @inlinable
  public var isZero: Bool { high | low == 0 }

  @inlinable
  public var leadingZeroBitCount: Int {
    high == 0 ? 64 &+ low.leadingZeroBitCount : high.leadingZeroBitCount
  }

  @inlinable
  public static func + (one: WideUInt, other: WideUInt) -> WideUInt {
    let (low, carries) = one.low.addingReportingOverflow(other.low)
    return WideUInt(high: one.high + other.high + (carries ? 1 : 0), low: low)
  }

  @inlinable
  public static func - (one: WideUInt, other: WideUInt) -> WideUInt {
    let (low, borrows) = one.low.subtractingReportingOverflow(other.low)
    return WideUInt(high: one.high - other.high - (borrows ? 1 : 0), low: low)
  }

  /// Shifts by 0 to 127 bits; those beyond the highest are lost.
  @inlinable
  public static func << (value: WideUInt, count: Int) -> WideUInt {
    guard count < 64 else { return WideUInt(high: value.low &<< (count &- 64), low: 0) }
    return WideUInt(
      high: value.high &<< count | (value.low &>> 1) &>> (63 &- count), low: value.low &<< count)
  }

  /// Shifts by 0 to 127 bits.
  @inlinable
  public static func >> (value: WideUInt, count: Int) -> WideUInt {
    guard count < 64 else { return WideUInt(low: value.high &>> (count &- 64)) }
    return WideUInt(
      high: value.high &>> count, low: value.low &>> count | (value.high &<< 1) &<< (63 &- count))
  }

  /// The bits below one.
  @inlinable
  public func lowest(_ count: Int) -> WideUInt { self - ((self >> count) << count) }

  @inlinable
  public func quotientAndRemainder(
    dividingBy divisor: UInt64
  ) -> (quotient: WideUInt, remainder: UInt64) {
    let (high, rest) = high.quotientAndRemainder(dividingBy: divisor)
    let (low, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideUInt(high: high, low: low), remainder)
  }

  /// Appends a decimal digit.
  ///
  /// - Returns: `false` if 128 bits do not hold the number, which is unchanged then.
  public mutating func append(digit: UInt64) -> Bool {
    let upper = high.multipliedReportingOverflow(by: 10)
    let lower = low.multipliedFullWidth(by: 10)
    let sum = lower.low.addingReportingOverflow(digit)
    let carried = lower.high + (sum.overflow ? 1 : 0)
    let total = upper.partialValue.addingReportingOverflow(carried)
    guard !upper.overflow, !total.overflow else { return false }
    self = WideUInt(high: total.partialValue, low: sum.partialValue)
    return true
  }
}

extension WideUInt: Comparable {
  @inlinable
  public static func < (one: WideUInt, other: WideUInt) -> Bool {
    one.high == other.high ? one.low < other.low : one.high < other.high
  }
}
