extension TableCollector {
  /// How the texts of a column were written whose type is not text, so that they can be written alike.
  ///
  /// All of them are written in one way. Texts of which some would change by that, `1.50` beside `2.5`, are no numbers:
  /// ``isUniform`` is `false`, and their column has the type text.
  public struct ColumnForm: Hashable, Sendable {
    /// How many digits all real numbers have behind the point; `nil` where they differ, or there are none. They then have as
    /// many as they need.
    public private(set) var fractionDigits: Int?
    /// How all of `true` and `false` were written.
    public private(set) var booleans: Booleans?
    /// Whether whole numbers, without a point, are among those with a fraction. All that are whole are written so.
    public private(set) var hasWholeNumbers = false
    /// Whether all texts so far are written again as they were.
    public private(set) var isUniform = true
    private var hasMixedFractions = false
    /// Whether a number has zeros at its end that it does not need: `1.50`.
    private var hasZeros = false
    /// Whether a number is whole and has a point: `2.0`.
    private var hasPointedNumbers = false

    /// The letters of `true` and `false`.
    public enum Booleans: Hashable, Sendable { case small, large, capitalized }

    public init() {}

    mutating func note(real digits: Span<UInt8>) {
      let last = digits.count - 1
      var count = 0
      while count <= last, digits[last - count] != 0x2E { count += 1 }
      if fractionDigits != count {
        if fractionDigits == nil, !hasMixedFractions {
          fractionDigits = count
        } else {
          fractionDigits = nil
          hasMixedFractions = true
        }
      }
      if digits[last] == 0x30 {
        if count > 1 { hasZeros = true }
        var zeros = 1
        while zeros < count, digits[last - zeros] == 0x30 { zeros += 1 }
        if zeros == count { hasPointedNumbers = true }
      }
      if hasMixedFractions && hasZeros || hasWholeNumbers && hasPointedNumbers { isUniform = false }
    }

    mutating func noteWholeNumber() {
      hasWholeNumbers = true
      if hasPointedNumbers { isUniform = false }
    }

    mutating func note(boolean text: Span<UInt8>) {
      let form: Booleans? =
        Self.isSpelled(text, 0x61..<0x7B, 0x61..<0x7B)
        ? .small
        : Self.isSpelled(text, 0x41..<0x5B, 0x61..<0x7B)
          ? .capitalized : Self.isSpelled(text, 0x41..<0x5B, 0x41..<0x5B) ? .large : nil
      if let form, booleans == nil || booleans == form {
        booleans = form
      } else {
        isUniform = false
      }
    }

    /// Whether the first letter, and all others, are of these.
    private static func isSpelled(
      _ text: Span<UInt8>, _ first: Range<UInt8>, _ others: Range<UInt8>
    ) -> Bool {
      for index in text.indices where !(index == 0 ? first : others).contains(text[index]) {
        return false
      }
      return true
    }
  }
}

// Numbers and Booleans as the texts that they were.
extension TableCollector.ColumnForm {
  /// A Boolean; in small letters where none was written.
  func text(of value: Bool) -> String {
    switch booleans {
    case .large: value ? "TRUE" : "FALSE"
    case .capitalized: value ? "True" : "False"
    case .small, nil: value ? "true" : "false"
    }
  }

  /// A finite number with all of its digits and no exponent, which ``TableCollector/TextKind`` reads as the same number.
  ///
  /// It has as many digits behind the point as all others had, or more. One that is whole has no point where whole
  /// numbers had none.
  func text(of value: Double) -> String {
    let count = Swift.max(fractionDigits ?? 1, 1)
    let text = value.description
    if let digits = Self.fractionDigits(of: text) {
      return digits < count ? text + String(repeating: "0", count: count - digits) : text
    }
    let (whole, fraction) = Self.digits(of: value)
    if fraction.isEmpty, hasWholeNumbers, let integer = Int64(exactly: value),
      value != 0 || value.sign == .plus
    {
      return integer.description
    }
    let zeros = String(repeating: "0", count: Swift.max(0, count - fraction.utf8.count))
    return "\(whole).\(fraction)\(zeros)"
  }

  /// How many digits stand behind the point; `nil` where there is an exponent, or the number is whole.
  private static func fractionDigits(of text: String) -> Int? {
    var count: Int?
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x65 { return nil }
      if byte == 0x2E { count = 0 } else { count = count.map { $0 + 1 } }
      last = byte
    }
    return count == 1 && last == 0x30 ? nil : count
  }

  /// The digits before and behind the point of a finite number, with its sign.
  static func digits(of value: Double) -> (whole: String, fraction: String) {
    let text = value.magnitude.description
    let sign = value.sign == .minus ? "-" : ""
    let parts = text.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var whole = String(mantissa[0])
    var fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if exponent > 0 {
      let moved = fraction.prefix(exponent)
      whole += moved + String(repeating: "0", count: exponent - moved.utf8.count)
      fraction = String(fraction.dropFirst(exponent))
    } else if exponent < 0 {
      fraction = String(repeating: "0", count: -exponent - 1) + whole + fraction
      whole = "0"
    }
    return (sign + whole, fraction)
  }
}
