/// A decimal number, `digits` × 10 to the power of `exponent`, whose last digit is not 0.
///
/// A `Double` says a number where its shortest text says the same one: nothing is rounded that is stored
/// as a `Double`, and it is written again as the same number.
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

  /// Reads a number that is well-formed: digits, perhaps a fraction, perhaps an exponent.
  ///
  /// Is `nil` for one of more than seventeen digits, since no `Double` says it.
  public init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var at = range.lowerBound
    let end = range.upperBound
    let isNegative = at < end && bytes[at] == 0x2D
    if isNegative { at &+= 1 }
    var digits: UInt64 = 0
    var exponent = 0
    // Zeros are put off until a digit follows them.
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

  /// The exponent from `start`. One that is far beyond those of a `Double` is not read to its end.
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

  /// The `Double` that says this number; `nil` where there is none.
  public var double: Double? {
    if digits == 0 { return isNegative ? -0.0 : 0.0 }
    if digits < 1_000_000_000_000_000, (-22...22).contains(exponent) {
      // Both are exact, so that the result is rounded once; and numbers of up to fifteen digits all differ
      // as a Double.
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

  /// What the shortest text of a finite number says.
  private init?(shortest value: Double) {
    let text = [UInt8](value.description.utf8)
    self.init(text.elementSpan, 0..<text.count)
  }

  /// 10 to the power of 0 to 22: those that a `Double` holds exactly.
  static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
