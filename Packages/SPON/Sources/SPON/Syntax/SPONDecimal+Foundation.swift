public import Foundation
internal import Primitives

extension SPONDecimal {
  /// Creates the number that a `Decimal` represents exactly.
  public init(_ decimal: Decimal) {
    // The description of a `Decimal` is exact: at most 39 digits, followed by zeros.
    self = decimal.isNaN ? .notANumber : SPONDecimal(decimal.description) ?? .notANumber
  }
}

extension Decimal {
  /// Creates a `Decimal` that represents a decimal number exactly.
  ///
  /// ```swift
  /// let price = SPONDecimal("19.90").flatMap { Decimal($0) }
  /// ```
  ///
  /// - Returns: `nil` if the integer that the digits form is 2¹²⁸ or greater, which has at least 39
  ///   digits, or if the ``SPONDecimal/exponent`` is not in the range -128 to 127. The number is
  ///   never rounded.
  public init?(_ decimal: SPONDecimal) {
    guard !decimal.isNaN else {
      self = .nan
      return
    }
    guard !decimal.isZero else {
      self = .zero
      return
    }
    guard (-128...127).contains(decimal.exponent) else { return nil }
    var mantissa = WideUInt(low: 0)
    for digit in decimal.digits.utf8 {
      guard mantissa.append(digit: UInt64(digit &- 0x30)) else { return nil }
    }
    var significand = Decimal(mantissa.low)
    if mantissa.high > 0 { significand += Decimal(mantissa.high) * Self.twoToThe64 }
    self.init(
      sign: decimal.isNegative ? .minus : .plus, exponent: decimal.exponent,
      significand: significand)
    // With a single 64-bit part, the result is exact; otherwise it is verified.
    if mantissa.high > 0, SPONDecimal(self) != decimal { return nil }
  }

  private static let twoToThe64 = Decimal(UInt64.max) + 1
}
