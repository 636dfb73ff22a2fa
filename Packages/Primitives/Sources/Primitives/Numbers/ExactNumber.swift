/// A decimal number, `digits` × 10 to the power of `exponent`, whose last digit is not 0.
///
/// A `Double` represents a number exactly, in this sense, if its shortest text denotes the same number: such a number
/// is stored as a `Double` without rounding, and formatted as the same number again.
public struct ExactNumber: Hashable, Sendable {
  public private(set) var isNegative = false
  public private(set) var digits: UInt64
  public private(set) var exponent: Int

  init(isNegative: Bool, digits: UInt64, exponent: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent
    while self.digits != 0, self.digits.isMultiple(of: 10) {
      self.digits /= 10
      self.exponent += 1
    }
  }

  /// Parses a well-formed number: digits with an optional fraction and exponent.
  ///
  /// Returns `nil` for more than seventeen significant digits, which no `Double` represents.
  public init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var at = range.lowerBound
    let end = range.upperBound
    let isNegative = at < end && bytes[at] == 0x2D
    if isNegative { at &+= 1 }
    var digits: UInt64 = 0
    var exponent = 0
    // Zeros are pending until another digit follows.
    var zeros = 0
    var isFraction = false
    while at < end {
      let byte = bytes[at]
      if byte == 0x2E {
        isFraction = true
      } else if byte | 0x20 == 0x65 {
        break
      } else {
        if isFraction { exponent -= 1 }
        if byte == 0x30 {
          zeros += digits == 0 ? 0 : 1
        } else {
          for _ in 0...zeros where digits != 0 {
            digits = digits &* 10
            guard digits < 100_000_000_000_000_000 else { return nil }
          }
          digits += UInt64(byte &- 0x30)
          zeros = 0
        }
      }
      at &+= 1
    }
    exponent += zeros
    if at < end { exponent += Self.exponent(bytes, at &+ 1, end) }
    self.init(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  /// Parses the exponent at `start`. An exponent far beyond the range of `Double` is clamped.
  private static func exponent(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var at = start
    let isNegative = at < end && bytes[at] == 0x2D
    if at < end, isNegative || bytes[at] == 0x2B { at &+= 1 }
    var exponent = 0
    while at < end {
      if exponent < 1_000_000_000_000 { exponent = exponent &* 10 &+ Int(bytes[at] &- 0x30) }
      at &+= 1
    }
    return isNegative ? -exponent : exponent
  }

  /// The `Double` that represents this number, or `nil` if there is none.
  public var double: Double? {
    if digits == 0 { return isNegative ? -0.0 : 0.0 }
    if digits < 1_000_000_000_000_000, (-22...22).contains(exponent) {
      // Both operands are exact, so the result is rounded only once; and all numbers of up to fifteen digits are
      // distinct as a `Double`.
      let power = Self.powersOfTen[abs(exponent)]
      let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return isNegative ? -magnitude : magnitude
    }
    if let nearest = nearest, let isShortest = isShortest(of: nearest) {
      return isShortest ? (isNegative ? -nearest : nearest) : nil
    }
    guard (-400...400).contains(exponent),
      let value = Double("\(isNegative ? "-" : "")\(digits)e\(exponent)"), value.isFinite
    else { return nil }
    return Self(shortest: value) == self ? value : nil
  }

  /// Creates the number that the shortest text of a finite `Double` denotes.
  private init?(shortest value: Double) {
    let text = [UInt8](value.description.utf8)
    self.init(text.elementSpan, 0..<text.count)
  }

  /// The powers of ten that a `Double` represents exactly: 10^0 to 10^22.
  static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

// Sixteen and seventeen digits with integer arithmetic, which is ten times as fast as formatting.
extension ExactNumber {
  /// The `Double` nearest to the magnitude, or `nil` if it needs more than two divisions.
  var nearest: Double? {
    guard -19 ... -1 ~= exponent else { return nil }
    let divisor = Self.integerPowersOfTen[-exponent]
    let (whole, rest) = digits.quotientAndRemainder(dividingBy: divisor)
    let (fraction, remainder) = divisor.dividingFullWidth((rest, 0))
    let quotient = WideUInt(high: whole, low: fraction)
    let width = 128 - quotient.leadingZeroBitCount
    // The bits beyond the precision of a `Double` only determine on which side of the midpoint the quotient is.
    guard width >= 56 else { return nil }
    let dropped = Swift.max(0, width - 64)
    let kept = (quotient >> dropped).low
    let isExact = remainder == 0 && WideUInt(low: kept) << dropped == quotient
    let power = Double(bitPattern: UInt64(1023 + dropped - 64) << 52)
    return Double(isExact ? kept : kept | 1) * power
  }

  /// Returns whether the shortest text of the `Double` nearest to the magnitude denotes the magnitude, or `nil` if this
  /// method can't decide.
  ///
  /// This is the case if no number with one digit less has the same `Double`, and no number with the same number of
  /// digits is nearer to the `Double`. Of the numbers with one digit less, only the two neighbors must be checked.
  func isShortest(of nearest: Double) -> Bool? {
    let shift = 52 - Int(nearest.exponent)
    // Below a power of two, adjacent doubles are closer.
    guard 1...112 ~= shift, nearest.significandBitPattern != 0, nearest.isNormal else { return nil }
    let divisor = WideUInt(low: Self.integerPowersOfTen[-exponent])
    // The double, in units of the last digit, is `scaled` / 2^`shift`.
    let scaled = WideUInt(product: nearest.significandBitPattern | 1 << 52, divisor.low)
    guard 128 - scaled.leadingZeroBitCount <= 120 else { return nil }
    let half = WideUInt(low: 1) << (shift - 1)
    let rest = scaled.lowest(shift)
    guard rest != half else { return nil }
    guard WideUInt(low: digits) == (scaled + half) >> shift else { return false }
    let lower = digits / 10 * 10
    for index: UInt64 in 0...1 {
      let place = WideUInt(low: lower + 10 * index) << shift
      let distance = (place > scaled ? place - scaled : scaled - place) << 1
      if distance == divisor { return nil }
      if distance < divisor { return false }
    }
    return true
  }

  private static let integerPowersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}

/// A 128-bit unsigned integer for exact decimal arithmetic.
///
/// The standard library's `UInt128` requires macOS 15. As with its operators, overflow traps.
public struct WideUInt: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  @inlinable
  public init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the full product of two integers.
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

  /// Shifts left by 0 to 127 bits. Bits beyond the highest are lost.
  @inlinable
  public static func << (value: WideUInt, count: Int) -> WideUInt {
    guard count < 64 else { return WideUInt(high: value.low &<< (count &- 64), low: 0) }
    return WideUInt(
      high: value.high &<< count | (value.low &>> 1) &>> (63 &- count), low: value.low &<< count)
  }

  /// Shifts right by 0 to 127 bits.
  @inlinable
  public static func >> (value: WideUInt, count: Int) -> WideUInt {
    guard count < 64 else { return WideUInt(low: value.high &>> (count &- 64)) }
    return WideUInt(
      high: value.high &>> count, low: value.low &>> count | (value.high &<< 1) &<< (63 &- count))
  }

  /// Returns the lowest `count` bits.
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
  /// - Returns: `false` if the result does not fit in 128 bits. The value is unchanged then.
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

extension Int64 {
  /// Returns the integer of digits with an optional `-`, or `nil` if the text has another form or the integer does not
  /// fit in 64 bits.
  public static func exactly(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var at = range.lowerBound
    let isNegative = at < range.upperBound && bytes[at] == 0x2D
    if isNegative { at &+= 1 }
    guard at < range.upperBound else { return nil }
    var value: Int64 = 0
    while at < range.upperBound {
      let digit = Int64(bytes[at]) - 0x30
      guard 0...9 ~= digit else { return nil }
      let (tens, lost) = value.multipliedReportingOverflow(by: 10)
      let (sum, lostToo) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if lost || lostToo { return nil }
      value = sum
      at &+= 1
    }
    return value
  }
}
