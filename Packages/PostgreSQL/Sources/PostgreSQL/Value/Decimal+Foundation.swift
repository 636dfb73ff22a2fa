#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Primitives

extension Decimal: PostgreSQLConvertible {
  /// Reads a `numeric` or an integer.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/valueOutOfRange`` if the number has more than the 38
  ///   digits of a `Decimal`, because numbers are never rounded, or if it is infinite.
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard let value = Decimal(exactly: try field.decimalText()) else {
      throw field.outOfRange(for: "Decimal")
    }
    self = value
  }

  /// A decimal number with all digits.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/valueOutOfRange`` for a NaN.
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      guard !isNaN else {
        throw PostgreSQLError(code: .valueOutOfRange, message: "the decimal number is NaN")
      }
      return .decimal(description)
    }
  }

  /// Creates the number of a text of digits, or returns `nil` if it would be rounded.
  private init?(exactly text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    var digits = WideUInt(low: 0)
    var (scale, zeros, hasPoint) = (0, 0, false)
    for byte in text.utf8 where byte != UInt8(ascii: "-") {
      guard byte != UInt8(ascii: ".") else {
        hasPoint = true
        continue
      }
      guard (48...57).contains(byte) else { return nil }
      if hasPoint { scale += 1 }
      guard byte != 48 else {
        zeros += 1
        continue
      }
      // Zeros are deferred, because zeros at the end only change the exponent.
      if !digits.isZero { for _ in 0..<zeros { guard digits.append(digit: 0) else { return nil } } }
      zeros = 0
      guard digits.append(digit: UInt64(byte - 48)) else { return nil }
    }
    let exponent = digits.isZero ? 0 : zeros - scale
    guard (-128...127).contains(exponent) else { return nil }
    var significand = Decimal(digits.low)
    if digits.high > 0 { significand += Decimal(digits.high) * (Decimal(UInt64.max) + 1) }
    self.init(
      sign: text.hasPrefix("-") && !digits.isZero ? .minus : .plus, exponent: exponent,
      significand: significand)
    if isNaN || (isZero && !digits.isZero) { return nil }
  }
}
