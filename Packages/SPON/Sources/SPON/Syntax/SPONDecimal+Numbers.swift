internal import Primitives

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
