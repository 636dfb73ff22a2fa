public import Foundation
internal import Primitives

extension SPONDecimal {
  /// The number that a `Decimal` is, exactly.
  public init(_ decimal: Decimal) {
    // A `Decimal` is described in full: at most 39 digits, and zeros up to its power of ten.
    self = decimal.isNaN ? .notANumber : SPONDecimal(decimal.description) ?? .notANumber
  }
}

extension Decimal {
  /// The `Decimal` that a decimal number is, if there is one.
  ///
  /// ```swift
  /// let price = SPONDecimal("19.90").flatMap { Decimal($0) }
  /// ```
  ///
  /// - Returns: `nil` where the number has more than 38 digits, or 39 that are 2¹²⁸ or more, or where
  ///   its ``SPONDecimal/exponent`` is not one of -128 to 127. Nothing is rounded.
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
    // The simple case is known to be exact; of the other Foundation has the last word.
    if mantissa.high > 0, SPONDecimal(self) != decimal { return nil }
  }

  private static let twoToThe64 = Decimal(UInt64.max) + 1
}
