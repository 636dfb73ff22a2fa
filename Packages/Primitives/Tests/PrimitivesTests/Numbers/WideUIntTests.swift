import Primitives
import Testing

@Suite struct `A 128-bit integer` {
  /// Random bits of random length, so that each half is often zero or all ones.
  private static func random(_ generator: inout some RandomNumberGenerator) -> WideUInt {
    func half() -> UInt64 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: 0
      case 1: .max
      default: UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0..<64)
      }
    }
    return WideUInt(high: half(), low: half())
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `calculates like the standard library's`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100_000 {
      let (one, other) = (Self.random(&generator), Self.random(&generator))
      let (first, second) = (one.standard, other.standard)
      #expect((one < other) == (first < second))
      #expect(one.leadingZeroBitCount == first.leadingZeroBitCount)
      #expect(one.isZero == (first == 0))
      #expect(
        WideUInt(product: one.low, other.low).standard == UInt128(one.low) * UInt128(other.low))
      if !first.addingReportingOverflow(second).overflow {
        #expect((one + other).standard == first + second)
      }
      if first >= second { #expect((one - other).standard == first - second) }
      let count = Int.random(in: 0..<128)
      #expect((one << count).standard == first << count, "\(one) << \(count)")
      #expect((one >> count).standard == first >> count, "\(one) >> \(count)")
      #expect(one.lowest(count).standard == first & (1 << count - 1), "\(one), \(count)")
      if other.low > 0 {
        let (quotient, remainder) = one.quotientAndRemainder(dividingBy: other.low)
        #expect(quotient.standard == first / UInt128(other.low))
        #expect(remainder == UInt64(first % UInt128(other.low)))
      }
      let digit = UInt64.random(in: 0...9)
      let product = first.multipliedReportingOverflow(by: 10)
      let sum = product.partialValue.addingReportingOverflow(UInt128(digit))
      var longer = one
      let fits = longer.append(digit: digit)
      #expect(fits == (!product.overflow && !sum.overflow))
      #expect(longer.standard == (fits ? sum.partialValue : first))
    }
  }

  @Test func `accepts the digits of the maximum, and no further digit`() {
    var value = WideUInt(low: 0)
    var count = 0
    for digit in "340282366920938463463374607431768211455".utf8 {
      if value.append(digit: UInt64(digit - 0x30)) { count += 1 }
    }
    #expect(count == 39)
    #expect(value == WideUInt(high: .max, low: .max))
    let tookMore = value.append(digit: 0)
    #expect(!tookMore)
    #expect(value == WideUInt(high: .max, low: .max))
    var less = WideUInt(high: .max / 10, low: .max)
    let tookCarry = less.append(digit: 9)
    #expect(!tookCarry)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension WideUInt {
  fileprivate var standard: UInt128 { UInt128(high) << 64 | UInt128(low) }
}
