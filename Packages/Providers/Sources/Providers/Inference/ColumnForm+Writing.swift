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
