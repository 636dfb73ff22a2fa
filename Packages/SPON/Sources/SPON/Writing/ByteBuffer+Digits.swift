internal import Primitives

/// Decimal numbers, eight digits at a time: these are the bytes of one word, the first digit in the lowest
/// of them.
extension ByteBuffer {
  /// Appends the decimal digits of a number.
  ///
  /// - Parameter last: A byte behind them.
  mutating func append(digitsOf value: UInt64, then last: UInt8) {
    reserve(Self.mostDigits &+ 1)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(digitsOf: value, to: &target, at: &place)
    target[place] = last
    used = place &+ 1
  }

  /// Appends a decimal number.
  mutating func append(_ number: DecimalDigits) {
    reserve(Self.mostDigits * 2 &+ 2)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(number, to: &target, at: &place)
    used = place
  }

  /// The room that the digits of a number take at most, with what is written beyond them.
  static var mostDigits: Int { 28 }

  /// Puts the digits of a number at a place, which is behind them then.
  @inline(__always)
  static func put(
    digitsOf value: UInt64, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    guard value >= 100_000_000 else { return putFirst(value, to: &target, at: &place) }
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      putFirst(high, to: &target, at: &place)
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      putFirst(highest, to: &target, at: &place)
      put(digits(of: middle) | zeros, to: &target, at: place)
      place &+= 8
    }
    put(digits(of: low) | zeros, to: &target, at: place)
    place &+= 8
  }

  /// Puts a number with a fraction at a place, which is behind it then.
  @inline(__always)
  static func put(
    _ number: DecimalDigits, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    if number.isNegative {
      target[place] = Byte.hyphen
      place &+= 1
    }
    let unit = number.fractionUnit
    let (whole, fraction) = number.digits.quotientAndRemainder(dividingBy: unit)
    put(digitsOf: whole, to: &target, at: &place)
    target[place] = 0x2E
    place &+= 1
    var rest = fraction
    var scale = unit
    // The digits that are left over at the end are zeros.
    while scale > 100_000_000 {
      let step = scale / 100_000_000
      let (digits, next) = rest.quotientAndRemainder(dividingBy: step)
      put(Self.digits(of: digits) | zeros, to: &target, at: place)
      place &+= 8
      rest = next
      scale = step
    }
    put(Self.digits(of: rest * (100_000_000 / scale)) | zeros, to: &target, at: place)
    place &+= number.fractionCount & 7 == 0 ? 8 : number.fractionCount & 7
  }

  /// Puts the digits of a number of at most eight.
  @inline(__always)
  private static func putFirst(
    _ value: UInt64, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    let digits = digits(of: value)
    let blank = Swift.min(digits.trailingZeroBitCount >> 3, 7)
    put((digits | zeros) >> UInt64(blank &* 8), to: &target, at: place)
    place &+= 8 &- blank
  }

  /// `00000000`.
  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight digits of a number: it is halved, and each half again, in lanes of one word.
  @inline(__always)
  private static func digits(of value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    // x × 10486 ÷ 2²⁰ is x ÷ 100 for all x of four digits, and x × 103 ÷ 2¹⁰ is x ÷ 10 for all of two.
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }

  /// Puts the bytes of a word at a place, the lowest first.
  @inline(__always)
  static func put(_ word: UInt64, to target: inout MutableSpan<UInt8>, at place: Int) {
    // With this known no byte is checked alone, and one instruction stores all.
    precondition(place >= 0 && place <= target.count &- 8)
    target[place] = UInt8(truncatingIfNeeded: word)
    target[place &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
    target[place &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
    target[place &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
    target[place &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
    target[place &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
    target[place &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
    target[place &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
  }
}
