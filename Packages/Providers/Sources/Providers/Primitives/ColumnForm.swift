extension TableCollector {
  /// The notation of strings in a column that is not a text column, used to write values in the
  /// same notation.
  ///
  /// All values of a column are written in one notation. If some strings would change, such as
  /// `1.50` next to `2.5`, ``isUniform`` is `false`, and the column is a text column.
  public struct ColumnForm: Hashable, Sendable {
    /// The number of decimal places of all real numbers; `nil` if it differs or there are none, in
    /// which case numbers have the necessary number of decimal places.
    public private(set) var fractionDigits: Int?
    /// The capitalization of all `true` and `false` values.
    public private(set) var booleans: Booleans?
    /// A Boolean value that indicates whether some numbers are integers without a decimal point,
    /// among numbers with a fraction. All integers are then written without a decimal point.
    public private(set) var hasWholeNumbers = false
    /// A Boolean value that indicates whether all strings so far can be written back unchanged.
    public private(set) var isUniform = true
    private var hasMixedFractions = false
    /// A Boolean value that indicates whether a number has unnecessary trailing zeros: `1.50`.
    private var hasZeros = false
    /// A Boolean value that indicates whether a number is an integer with a decimal point: `2.0`.
    private var hasPointedNumbers = false

    /// The capitalization of `true` and `false`.
    public enum Booleans: Hashable, Sendable { case lowercase, uppercase, capitalized }

    public init() {}

    mutating func record(real digits: Span<UInt8>) {
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

    mutating func recordWholeNumber() {
      hasWholeNumbers = true
      if hasPointedNumbers { isUniform = false }
    }

    mutating func record(boolean text: Span<UInt8>) {
      let form: Booleans? =
        Self.isSpelled(text, 0x61..<0x7B, 0x61..<0x7B)
        ? .lowercase
        : Self.isSpelled(text, 0x41..<0x5B, 0x61..<0x7B)
          ? .capitalized : Self.isSpelled(text, 0x41..<0x5B, 0x41..<0x5B) ? .uppercase : nil
      if let form, booleans == nil || booleans == form {
        booleans = form
      } else {
        isUniform = false
      }
    }

    /// Returns whether the first byte and all other bytes are in the given ranges.
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

// Formatting of numbers and Booleans.
extension TableCollector.ColumnForm {
  /// Formats a Boolean; in lowercase if the file contained none.
  func text(of value: Bool) -> String {
    switch booleans {
    case .uppercase: value ? "TRUE" : "FALSE"
    case .capitalized: value ? "True" : "False"
    case .lowercase, nil: value ? "true" : "false"
    }
  }

  /// Formats a finite number with all digits and without an exponent. ``TableCollector/TextKind``
  /// parses the text as the same number.
  ///
  /// The text has at least the number of decimal places of the other numbers. An integer has no
  /// decimal point if integers in the file had none.
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

  /// Returns the number of decimal places; `nil` if there is an exponent, or the number is an
  /// integer.
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

  /// Returns the digits before and after the decimal point of a finite number, with its sign.
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
