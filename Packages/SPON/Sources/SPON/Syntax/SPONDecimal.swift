internal import Primitives

/// An exact decimal number with any number of digits, or not a number.
///
/// ```swift
/// let price = SPONDecimal("19.90")
/// print(price?.description ?? "none")  // 19.9
/// ```
///
/// Equal numbers have the same representation: `1.50` is `1.5`, and `1e2` is `100`. A number whose
/// first digit is more than a billion places from the point is rejected.
public struct SPONDecimal: Hashable, Sendable {
  /// A Boolean value that indicates whether the number is less than zero.
  public let isNegative: Bool
  /// The digits without leading and trailing zeros; empty for zero.
  public let digits: String
  /// The power of ten by which the integer of the digits is multiplied.
  public let exponent: Int
  /// A Boolean value that indicates whether the value is not a number, as a `Decimal` of Foundation
  /// can be.
  public let isNaN: Bool

  /// Not a number.
  public static let notANumber = SPONDecimal(
    isNegative: false, digits: "", exponent: 0, isNaN: true)
  /// The maximum magnitude of the first digit's power of ten.
  static let greatestExponent = 1_000_000_000

  private init(isNegative: Bool, digits: String, exponent: Int, isNaN: Bool) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
    self.isNaN = isNaN
  }

  /// Parses a number: digits with an optional sign, fraction and exponent; or `nan`.
  ///
  /// - Returns: `nil` if the text is not a number.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (try? Numbers.checkDecimal(bytes.elementSpan, 0..<bytes.count)) != nil else { return nil }
    self.init(checked: bytes.elementSpan, 0..<bytes.count)
  }

  /// Parses a number that has already been validated.
  init(checked bytes: Span<UInt8>, _ range: Range<Int>) {
    var digits: [UInt8] = []
    var exponent: Int64 = 0
    var isFraction = false
    var isNegative = false
    scan: for at in range {
      switch bytes[at] {
      case Byte.hyphen: isNegative = true
      case 0x2E: isFraction = true
      case 0x65, 0x45:
        exponent += (try? Numbers.exponent(bytes, at + 1..<range.upperBound)) ?? 0
        break scan
      case 0x6E:
        self = .notANumber
        return
      case let byte:
        if byte != 0x30 || !digits.isEmpty { digits.append(byte) }
        if isFraction { exponent -= 1 }
      }
    }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    self.init(
      isNegative: isNegative && !digits.isEmpty, digits: String(decoding: digits, as: UTF8.self),
      exponent: digits.isEmpty ? 0 : Int(clamping: exponent), isNaN: false)
  }
}

extension SPONDecimal: CustomStringConvertible {
  /// The number in full if that requires at most 40 digits, otherwise with an exponent.
  public var description: String {
    if isNaN { return "nan" }
    if digits.isEmpty { return "0" }
    let sign = isNegative ? "-" : ""
    let count = digits.utf8.count
    if exponent >= 0, count + exponent <= 40 {
      return sign + digits + String(repeating: "0", count: exponent)
    }
    if exponent < 0, Swift.max(count, 1 - exponent) <= 40 {
      let whole = count + exponent
      guard whole > 0 else {
        return "\(sign)0.\(String(repeating: "0", count: -whole))\(digits)"
      }
      return "\(sign)\(digits.prefix(whole)).\(digits.dropFirst(whole))"
    }
    let fraction = digits.dropFirst()
    return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".\(fraction)")"
      + "e\(exponent + count - 1)"
  }
}

extension SPONDecimal {
  /// A Boolean value that indicates whether the number is zero.
  public var isZero: Bool { digits.isEmpty && !isNaN }

  /// Creates a decimal number from an integer.
  public init(_ integer: some FixedWidthInteger) {
    let bytes = Array(String(integer).utf8)
    self.init(checked: bytes.elementSpan, 0..<bytes.count)
  }

  /// Returns the number as an integer of a type; `nil` if the type can't represent it.
  ///
  /// ```swift
  /// let count = SPONDecimal("12e2")?.integer(as: Int16.self)  // 1200
  /// ```
  public func integer<Integer: FixedWidthInteger>(
    as type: Integer.Type = Integer.self
  ) -> Integer? {
    guard !isNaN else { return nil }
    if isZero { return 0 }
    // Each digit requires at least three bits.
    guard exponent >= 0, digits.utf8.count + exponent <= Integer.bitWidth / 3 + 1 else {
      return nil
    }
    return Integer((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  /// The `Double` whose shortest text represents the number, if there is one. For 0.1, it is `0.1`;
  /// for a number with twenty digits, it is `nil`.
  public var double: Double? {
    if isNaN { return .nan }
    guard digits.utf8.count <= 17, let value = Double(description), value.isFinite,
      SPONDecimal(value.description) == self
    else { return nil }
    return value
  }

  /// The `Float` whose shortest text represents the number, if there is one.
  public var float: Float? {
    if isNaN { return .nan }
    guard digits.utf8.count <= 9, let value = Float(description), value.isFinite,
      SPONDecimal(value.description) == self
    else { return nil }
    return value
  }
}
