internal import Primitives

/// A decimal number of any length, exactly, or not a number.
///
/// ```swift
/// let price = SPONDecimal("19.90")
/// print(price?.description ?? "none")  // 19.9
/// ```
///
/// Numbers that are equal are one value: `1.50` is `1.5`, and `1e2` is `100`. One of ten to the power of
/// a billion, or of its inverse, is refused.
public struct SPONDecimal: Hashable, Sendable {
  /// Whether the number is less than zero.
  public let isNegative: Bool
  /// The digits, without zeros at either end; empty for zero.
  public let digits: String
  /// The power of ten that the number formed by the digits is multiplied with.
  public let exponent: Int
  /// Whether this is not a number, as Foundation's `Decimal` can be.
  public let isNaN: Bool

  /// Not a number.
  public static let notANumber = SPONDecimal(
    isNegative: false, digits: "", exponent: 0, isNaN: true)
  /// The greatest power of ten that the first digit is multiplied with, and the least without its sign.
  static let greatestExponent = 1_000_000_000

  private init(isNegative: Bool, digits: String, exponent: Int, isNaN: Bool) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
    self.isNaN = isNaN
  }

  /// Reads a number: digits, perhaps with a sign, a fraction and an exponent; or `nan`.
  ///
  /// - Returns: `nil` where the text is not one.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (try? Numbers.checkDecimal(bytes.elementSpan, 0..<bytes.count)) != nil else { return nil }
    self.init(checked: bytes.elementSpan, 0..<bytes.count)
  }

  /// Reads a number that is known to be one.
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
  /// The number as it is written: in full where that takes at most 40 digits, else with an exponent.
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
  /// Whether this is zero.
  public var isZero: Bool { digits.isEmpty && !isNaN }

  /// The number that an integer is.
  public init(_ integer: some FixedWidthInteger) {
    let bytes = Array(String(integer).utf8)
    self.init(checked: bytes.elementSpan, 0..<bytes.count)
  }

  /// The number as an integer of a type, where it is one.
  ///
  /// ```swift
  /// let count = SPONDecimal("12e2")?.integer(as: Int16.self)  // 1200
  /// ```
  public func integer<Integer: FixedWidthInteger>(
    as type: Integer.Type = Integer.self
  ) -> Integer? {
    guard !isNaN else { return nil }
    if isZero { return 0 }
    // One digit needs three bits or more.
    guard exponent >= 0, digits.utf8.count + exponent <= Integer.bitWidth / 3 + 1 else {
      return nil
    }
    return Integer((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  /// The `Double` whose shortest text says this number, where there is one: that of 0.1 is `0.1`, and
  /// there is none of a number with twenty digits.
  public var double: Double? {
    if isNaN { return .nan }
    guard digits.utf8.count <= 17, let value = Double(description), value.isFinite,
      SPONDecimal(value.description) == self
    else { return nil }
    return value
  }

  /// The `Float` whose shortest text says this number, where there is one.
  public var float: Float? {
    if isNaN { return .nan }
    guard digits.utf8.count <= 9, let value = Float(description), value.isFinite,
      SPONDecimal(value.description) == self
    else { return nil }
    return value
  }
}
