// Sixteen and seventeen digits by integer arithmetic, since making texts takes ten times as long.
extension ExactNumber {
  /// The `Double` next to the magnitude; `nil` where it takes more than two divisions.
  var nearest: Double? {
    guard -19 ... -1 ~= exponent else { return nil }
    let divisor = Self.integerPowersOfTen[-exponent]
    let (whole, rest) = digits.quotientAndRemainder(dividingBy: divisor)
    let (fraction, remainder) = divisor.dividingFullWidth((rest, 0))
    let quotient = WideUInt(high: whole, low: fraction)
    let width = 128 - quotient.leadingZeroBitCount
    // All that is beyond the bits of a Double only tells on which side of a half the quotient is.
    guard width >= 56 else { return nil }
    let dropped = Swift.max(0, width - 64)
    let kept = (quotient >> dropped).low
    let isExact = remainder == 0 && WideUInt(low: kept) << dropped == quotient
    let power = Double(bitPattern: UInt64(1023 + dropped - 64) << 52)
    return Double(isExact ? kept : kept | 1) * power
  }

  /// Whether the shortest text of the `Double` next to the magnitude says the magnitude; `nil` where that is not seen
  /// here.
  ///
  /// It does where no number with a digit less has the same `Double`, and none with as many is nearer to it. With a digit
  /// less there are two neighbours, one of which has that `Double` if any has.
  func isShortest(of nearest: Double) -> Bool? {
    let shift = 52 - Int(nearest.exponent)
    // Below a power of two the doubles are closer.
    guard 1...112 ~= shift, nearest.significandBitPattern != 0, nearest.isNormal else { return nil }
    let divisor = WideUInt(low: Self.integerPowersOfTen[-exponent])
    // The double in units of the last digit is `scaled` / 2 to the power of `shift`.
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
